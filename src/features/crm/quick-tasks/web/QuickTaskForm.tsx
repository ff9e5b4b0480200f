import {
  NewQuickTask,
  QuickTaskChange,
  quickTasks,
  type QuickTask,
} from '#features/crm/quick-tasks/contract.ts'
import { quickTaskFields } from '#features/crm/quick-tasks/fields.ts'
import {
  entities,
  entityName,
  mayEdit,
  priorityOrder,
  quickPriorities,
} from '#features/crm/quick-tasks/rules.ts'
import { AboutField } from '#features/crm/quick-tasks/web/AboutField.tsx'
import { logAndRethrow } from '#web/message/failures.ts'
import { quickTaskQueries } from '#features/crm/quick-tasks/web/quickTaskQueries.ts'
import { useSend } from '#web/api/useSend.ts'
import { ChoiceField, DayField, LongTextField, TextField } from '#web/form/inputs.tsx'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { asChoices, useLists, useStaff } from '#web/filter/useOptions.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'

interface Values {
  title: string
  text: string
  type: string
  priority: string
  due_date: string
  person: string
  entity: string
  entity_id: string
}

const toSend = (values: Values) => ({
  title: values.title,
  text: values.text,
  type: Number(values.type),
  priority: Number(values.priority) as 1,
  due_date: values.due_date || null,
  person: Number(values.person),
  entity: (values.entity || null) as QuickTask['entity'],
  entity_id: values.entity_id ? Number(values.entity_id) : null,
})

const valuesOf = (task: QuickTask): Values => ({
  title: task.title,
  text: task.text,
  type: String(task.type),
  priority: String(task.priority),
  due_date: task.due_date ?? '',
  person: String(task.person),
  entity: task.entity ?? '',
  entity_id: task.entity_id === null ? '' : String(task.entity_id),
})

interface Props {
  task?: QuickTask
  /** The record that a new quick task is about. */
  about?: { entity: string; id: number }
  onClose: () => void
}

/**
 * Form in the right-side modal for creating or editing a quick task; read-only for viewers who cannot edit
 * it.
 */
export default function QuickTaskForm({ task, about, onClose }: Props) {
  return task ? <EditForm task={task} onClose={onClose} /> : <NewForm about={about} onClose={onClose} />
}

function NewForm({ about, onClose }: { about: Props['about']; onClose: () => void }) {
  const viewer = useViewer()
  const { send } = useSend(quickTasks.create, { refresh: quickTaskQueries, failure: 'throw' })
  const form = useDraftForm<Values>({
    // Keep a separate draft per record, so that text about one record does not reappear for another.
    name: about ? `quick-task-new-${about.entity}-${about.id}` : 'quick-task-new',
    initial: {
      title: '',
      text: '',
      type: '1',
      priority: '3',
      due_date: '',
      person: String(viewer?.id ?? ''),
      entity: about?.entity ?? '',
      entity_id: about ? String(about.id) : '',
    },
    schema: NewQuickTask,
    toSend,
    onSave: async (values) => {
      const reply = await send({ body: toSend(values) }).catch(logAndRethrow)
      if (reply) toast.success(reply.message)
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title="New quick task"
      form={form}
      onClose={onClose}
      saveLabel="Create quick task"
      side="right"
    >
      <Fields form={form} />
    </FormModal>
  )
}

function EditForm({ task, onClose }: { task: QuickTask; onClose: () => void }) {
  const viewer = useViewer()
  const { quick_task_types } = useLists('quick_task_types')
  const staff = useStaff()
  const words = withWords(quickTaskFields, { type: byId(quick_task_types), person: byId(staff) })
  const { send } = useSend(quickTasks.update, { refresh: quickTaskQueries, failure: 'throw' })
  const { announceAct } = useUndo(quickTaskQueries)
  const { record, stored, newer } = useRecordSnapshot(task, valuesOf)
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(record, task.title, words)
  const whyNotSave =
    viewer && mayEdit(task, viewer)
      ? undefined
      : `Only admins and ${task.creator_name}, who created this task, can edit it.`
  const form = useDraftForm<Values>({
    name: `quick-task-${task.id}`,
    initial: stored,
    newer,
    schema: QuickTaskChange,
    toSend,
    onSave: async (values) => {
      const [next, before] = [toSend(values), toSend(stored)]
      const changes = Object.fromEntries(
        Object.entries(next).filter(([field, value]) => value !== before[field as keyof typeof before]),
      )
      await save(
        changes,
        async (left, seen) => {
          const reply = await send({ params: { id: task.id }, body: { ...left, ...seen } }).catch(
            logAndRethrow,
          )
          if (reply) announceAct(reply.message, reply.operation)
        },
        form.outdated,
      )
    },
    onSaved: onClose,
  })
  return (
    <FormModal title={task.title} form={form} onClose={onClose} whyNotSave={whyNotSave} side="right">
      <Fields form={form} />
      {dialog}
    </FormModal>
  )
}

const entityChoices = [
  { value: '', label: 'Nothing' },
  ...entities.map((value) => ({ value, label: entityName(value) })),
]
const priorityChoices = priorityOrder.map((id) => ({ value: String(id), label: quickPriorities[id] }))

function Fields({ form }: { form: DraftForm<Values> }) {
  const { fields } = form
  const { quick_task_types } = useLists('quick_task_types')
  const staff = useStaff()
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={quickTaskFields.title.label}
        required
        autoFocus
        maxLength={200}
      />
      <LongTextField form={fields} name="text" label={quickTaskFields.text.label} maxLength={5000} />
      <div data-half>
        <PersonField form={fields} name="person" label={quickTaskFields.person.label} staff={staff} />
      </div>
      <div data-half>
        <DayField form={fields} name="due_date" label={quickTaskFields.due_date.label} ahead />
      </div>
      <div data-half>
        <ChoiceField
          form={fields}
          name="type"
          label={quickTaskFields.type.label}
          options={asChoices(quick_task_types)}
        />
      </div>
      <div data-half>
        <ChoiceField
          form={fields}
          name="priority"
          label={quickTaskFields.priority.label}
          options={priorityChoices}
        />
      </div>
      <div data-half>
        <ChoiceField
          form={fields}
          name="entity"
          label={quickTaskFields.entity.label}
          options={entityChoices}
          onChosen={() => fields.setFieldValue('entity_id', '')}
        />
      </div>
      <div data-half>
        <AboutField form={form} />
      </div>
    </>
  )
}
