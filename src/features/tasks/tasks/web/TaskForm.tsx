import { useState } from 'react'
import { NewTaskValues, TaskChange, tasks, type Task } from '#features/tasks/tasks/contract.ts'
import {
  dateFields,
  datesOf,
  disciplineOf,
  moveTypeOf,
  priorities,
  setsRequiredDate,
  type DateField,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { useTaskTypes } from '#features/tasks/tasks/web/useTaskTypes.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useOrganizationName } from '#web/filter/useOrganizationName.ts'
import { OrganizationChoice } from '#web/form/OrganizationField.tsx'
import { asChoices, useStaff } from '#web/filter/useOptions.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { useViewer } from '#web/session.ts'

interface NewProps {
  discipline: DisciplineName
  product_id: number
  /** Initial type of the task. */
  task_type_id?: number | undefined
  onClose: () => void
}

export function NewTask({ discipline, product_id, task_type_id, onClose }: NewProps) {
  const { save, assign } = tasks[discipline]
  const { send } = useSend(save, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(save, { body: { title: '', product_id } })
  const mayAssign = useMay(assign, { params: { id: 1 }, body: { assigned_to: null } })
  const form = useRecordForm({
    // The available customers and people depend on the product.
    name: `task-new-${discipline}-${product_id}`,
    fields: taskFields,
    schema: NewTaskValues,
    initial: { task_type_id: String(task_type_id ?? '') },
    create: ({ assigned_to, ...body }) =>
      send({ body: { ...body, product_id, ...(assigned_to ? { assigned_to } : {}) } as never }),
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
      <TaskInputs form={form} product_id={product_id} mayAssign={mayAssign} mayDate={() => true} />
    </FormModal>
  )
}

/** Form for editing a task, based on the version that was loaded. */
export function EditTask({ task, onClose }: { task: Task; onClose: () => void }) {
  const { update } = tasks[task.discipline]
  const { send } = useSend(update, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(update, { params: { id: task.id }, body: {} })
  const words = withWords(taskFields, {
    task_type_id: byId(useTaskTypes() ?? []),
    organization_ids: byId(task.organization),
  })
  const form = useRecordForm({
    name: `task-${task.id}`,
    fields: taskFields,
    schema: TaskChange,
    record: task,
    title: task.title,
    words,
    update: (body) => send({ params: { id: task.id }, body: body as never }),
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
      <TaskInputs
        form={form}
        product_id={task.product_id}
        mayAssign={false}
        mayDate={(field) => moveTypeOf(field) === undefined || task[field] === null}
      />
    </FormModal>
  )
}

interface InputsProps {
  form: FieldsForm<typeof taskFields>
  product_id: number
  mayAssign: boolean
  /**
   * Whether a date can be edited in this form. An existing date can be changed only outside the form, with a
   * reason.
   */
  mayDate: (field: DateField) => boolean
}

function TaskInputs({ form, product_id, mayAssign, mayDate }: InputsProps) {
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
      <Field form={form} name="title" autoFocus />
      <Field form={form} name="description" />
      <Field form={form} name="priority" half options={asChoices(priorities)} />
      <Field form={form} name="task_type_id" half options={asChoices(types, '—')} />
      {mayAssign && <PersonField {...form.at('assigned_to')} staff={people} none="Unassigned" />}
      <Customers
        chosen={form.fields.getValues().organization_ids}
        product={product_id}
        onChange={(ids) => form.fields.setFieldValue('organization_ids', ids)}
      />
      {shown.map((field) => (
        <Field
          key={field}
          form={form}
          name={field}
          half
          disabled={!mayDate(field)}
          description={
            mayDate(field) ? undefined : 'To change this date, edit it in the task list and give a reason.'
          }
        />
      ))}
      <Field form={form} name="estimate_hours" half />
      <Field form={form} name="ticket_id" half label="Support ticket number" />
      <Field form={form} name="file_ids" label="Attachments" />
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
