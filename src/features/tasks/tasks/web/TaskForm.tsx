import { useState } from 'react'
import { NewTaskValues, tasks, TaskChange, type Task } from '#features/tasks/tasks/contract.ts'
import {
  dateFields,
  dateNames,
  datesOf,
  disciplineOf,
  moveTypeOf,
  priorities,
  setsRequiredDate,
  type DateField,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { taskQueries } from '#features/tasks/tasks/web/taskQueries.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { useTaskTypes } from '#features/tasks/tasks/web/useTaskTypes.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { ChoiceField, DayField, TextField } from '#web/form/inputs.tsx'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useOrganizationName } from '#web/filter/useOrganizationName.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import { asChoices, useStaff } from '#web/filter/useOptions.ts'
import { changesBetween, useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

interface Values extends Record<DateField, string> {
  title: string
  description: string
  priority: string
  task_type_id: string
  assigned_to: string
  organization_ids: string[]
  estimate_hours: string
  ticket_id: string
  file_ids: number[]
}
const empty: Values = {
  title: '',
  description: '',
  priority: '3',
  task_type_id: '',
  assigned_to: '',
  organization_ids: [],
  due_date: '',
  dev_due_date: '',
  adh_due_date: '',
  req_due_date: '',
  estimate_hours: '',
  ticket_id: '',
  file_ids: [],
}
const textOf = (value: number | string | null): string => (value === null ? '' : String(value))
const valuesOf = (task: Task): Values => ({
  title: task.title,
  description: task.description,
  priority: String(task.priority),
  task_type_id: textOf(task.task_type_id),
  assigned_to: textOf(task.assigned_to?.id ?? null),
  organization_ids: task.organization.map(({ id }) => String(id)),
  due_date: textOf(task.due_date),
  dev_due_date: textOf(task.dev_due_date),
  adh_due_date: textOf(task.adh_due_date),
  req_due_date: textOf(task.req_due_date),
  estimate_hours: textOf(task.estimate_hours),
  ticket_id: textOf(task.ticket_id),
  file_ids: task.file_ids,
})
const numberOrNull = (value: string) => (value === '' ? null : Number(value))
const toSend = ({ assigned_to: _person, ...values }: Values) => ({
  ...values,
  priority: Number(values.priority),
  task_type_id: numberOrNull(values.task_type_id),
  organization_ids: values.organization_ids.map(Number),
  due_date: values.due_date || null,
  dev_due_date: values.dev_due_date || null,
  adh_due_date: values.adh_due_date || null,
  req_due_date: values.req_due_date || null,
  estimate_hours: numberOrNull(values.estimate_hours),
  ticket_id: numberOrNull(values.ticket_id.trim().replace(/^#/, '')),
})

interface NewProps {
  discipline: DisciplineName
  product_id: number
  /** Initial type of the task. */
  task_type_id?: number | undefined
  onClose: () => void
}

export function NewTask({ discipline, product_id, task_type_id, onClose }: NewProps) {
  const { save, assign } = tasks[discipline]
  const { send } = useSend(save, { refresh: taskQueries, failure: 'throw' })
  const whyNotSave = useWhyNotSave(save, { body: { title: '', product_id } })
  const mayAssign = useMay(assign, { params: { id: 1 }, body: { assigned_to: null } })
  const bodyOf = (values: Values) => ({
    ...toSend(values),
    product_id,
    ...(values.assigned_to ? { assigned_to: Number(values.assigned_to) } : {}),
  })
  const form = useDraftForm<Values>({
    // The available customers and people depend on the product.
    name: `task-new-${discipline}-${product_id}`,
    initial: { ...empty, task_type_id: String(task_type_id ?? '') },
    schema: NewTaskValues,
    toSend: bodyOf,
    onSave: async (values) => {
      const reply = await send({ body: bodyOf(values) as never })
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`New ${disciplineOf(discipline).names.one.toLowerCase()}`}
      form={form}
      whyNotSave={whyNotSave}
      saveLabel="Create task"
      onClose={onClose}
      side="right"
      size={640}
    >
      <Fields form={form} product_id={product_id} mayAssign={mayAssign} mayDate={() => true} />
    </FormModal>
  )
}

/** Form for editing a task, based on the version that was loaded. */
export function EditTask({ task, onClose }: { task: Task; onClose: () => void }) {
  const { update } = tasks[task.discipline]
  const { send } = useSend(update, { refresh: taskQueries, failure: 'throw' })
  const { record, stored, newer } = useRecordSnapshot(task, valuesOf)
  const { announceAct } = useUndo(taskQueries)
  const found = { ...toSend(stored), version: record.version }
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(found, task.title, taskFields)
  const whyNotSave = useWhyNotSave(update, { params: { id: task.id }, body: {} })
  const form = useDraftForm<Values>({
    name: `task-${task.id}`,
    initial: stored,
    newer,
    schema: TaskChange,
    toSend,
    onSave: async (values) => {
      await save(
        changesBetween(toSend(stored), toSend(values)),
        async (left, seen) => {
          const reply = await send({ params: { id: task.id }, body: { ...left, ...seen } as never })
          if (reply) announceAct(reply.message, reply.operation)
        },
        form.outdated,
      )
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Edit ${task.title}`}
      form={form}
      whyNotSave={whyNotSave}
      onClose={onClose}
      side="right"
      size={640}
    >
      <Fields
        form={form}
        product_id={task.product_id}
        mayAssign={false}
        mayDate={(field) => moveTypeOf(field) === undefined || task[field] === null}
      />
      {dialog}
    </FormModal>
  )
}

interface FieldsProps {
  form: DraftForm<Values>
  product_id: number
  mayAssign: boolean
  /**
   * Whether a date can be edited in this form. An existing date can be changed only outside the form, with a
   * reason.
   */
  mayDate: (field: DateField) => boolean
}

function Fields({ form: { fields }, product_id, mayAssign, mayDate }: FieldsProps) {
  const viewer = useViewer()
  const people = useStaff(product_id)
  const types = useTaskTypes() ?? []
  const shown = viewer
    ? dateFields.filter((field) =>
        field === 'req_due_date' ? setsRequiredDate(viewer.role_id) : datesOf(viewer.role_id).includes(field),
      )
    : []
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={taskFields.title.label}
        required
        autoFocus
        maxLength={300}
      />
      <RichTextField label={taskFields.description.label} {...fields.getInputProps('description')} />
      <div data-half>
        <ChoiceField
          form={fields}
          name="priority"
          label={taskFields.priority.label}
          options={asChoices(priorities.map(({ id, name }) => ({ id, name })))}
        />
      </div>
      <div data-half>
        <ChoiceField
          form={fields}
          name="task_type_id"
          label={taskFields.task_type_id.label}
          options={asChoices(types, '—')}
        />
      </div>
      {mayAssign && (
        <PersonField
          form={fields}
          name="assigned_to"
          label={taskFields.assigned_to.label}
          staff={people}
          none="Unassigned"
        />
      )}
      <Customers
        chosen={fields.getValues().organization_ids}
        product={product_id}
        onChange={(ids) => fields.setFieldValue('organization_ids', ids)}
      />
      {shown.map((field) => (
        <div data-half key={field}>
          <DayField
            form={fields}
            name={field}
            label={dateNames[field]}
            disabled={!mayDate(field)}
            description={
              mayDate(field) ? undefined : 'To change this date, edit it in the task list and give a reason.'
            }
          />
        </div>
      ))}
      <div data-half>
        <TextField form={fields} name="estimate_hours" label={taskFields.estimate_hours.label} />
      </div>
      <div data-half>
        <TextField form={fields} name="ticket_id" label="Support ticket number" />
      </div>
      <FilesField label="Attachments" {...fields.getInputProps('file_ids')} />
    </>
  )
}

interface CustomersProps {
  chosen: readonly string[]
  product: number
  onChange: (ids: string[]) => void
}

/** Field for the organizations that a task is for, each found by searching. */
function Customers({ chosen, product, onChange }: CustomersProps) {
  const [added, setAdded] = useState(0)
  return (
    <fieldset className={classes.customers}>
      <legend>Customers</legend>
      {chosen.map((id) => (
        <Customer key={id} id={id} onRemove={() => onChange(chosen.filter((one) => one !== id))} />
      ))}
      <OrganizationChoice
        // Remount the field after each choice, so that the next search starts empty.
        key={added}
        autoFocus={added > 0}
        aria-label="Add customer"
        placeholder="Add customer…"
        product={product}
        value=""
        onChange={(id) => {
          onChange([...new Set([...chosen, id])])
          setAdded(added + 1)
        }}
      />
    </fieldset>
  )
}

function Customer({ id, onRemove }: { id: string; onRemove: () => void }) {
  const name = useOrganizationName(Number(id)) ?? `#${id}`
  return (
    <button type="button" className={classes.customer} aria-label={`Remove ${name}`} onClick={onRemove}>
      {name} <span aria-hidden>×</span>
    </button>
  )
}
