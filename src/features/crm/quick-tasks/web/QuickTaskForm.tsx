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
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { PersonField } from '#web/form/PersonField.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { asChoices, useLists, useStaff } from '#web/filter/useOptions.ts'
import { byId, withWords } from '#web/record/fieldWords.ts'
import { useViewer } from '#web/session.ts'

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
  const { send } = useSend(quickTasks.create, { failure: 'throw' })
  const form = useRecordForm({
    // Keep a separate draft per record, so that text about one record does not reappear for another.
    name: about ? `quick-task-new-${about.entity}-${about.id}` : 'quick-task-new',
    fields: quickTaskFields,
    schema: NewQuickTask,
    initial: {
      person: String(viewer?.id ?? ''),
      ...(about ? { entity: about.entity, entity_id: String(about.id) } : {}),
    },
    create: (body) => send({ body }).catch(logAndRethrow),
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
      <QuickTaskInputs form={form} />
    </FormModal>
  )
}

function EditForm({ task, onClose }: { task: QuickTask; onClose: () => void }) {
  const viewer = useViewer()
  const { quick_task_types } = useLists('quick_task_types')
  const words = withWords(quickTaskFields, { type: byId(quick_task_types), person: byId(useStaff()) })
  const { send } = useSend(quickTasks.update, { failure: 'throw' })
  const whyNotSave =
    viewer && mayEdit(task, viewer)
      ? undefined
      : `Only admins and ${task.creator_name}, who created this task, can edit it.`
  const form = useRecordForm({
    name: `quick-task-${task.id}`,
    fields: quickTaskFields,
    schema: QuickTaskChange,
    record: task,
    title: task.title,
    words,
    update: (body) => send({ params: { id: task.id }, body }).catch(logAndRethrow),
    onSaved: onClose,
  })
  return (
    <FormModal title={task.title} form={form} onClose={onClose} whyNotSave={whyNotSave} side="right">
      <QuickTaskInputs form={form} />
    </FormModal>
  )
}

const entityChoices = [
  { value: '', label: 'Nothing' },
  ...entities.map((value) => ({ value, label: entityName(value) })),
]
const priorityChoices = priorityOrder.map((id) => ({ value: String(id), label: quickPriorities[id] }))

function QuickTaskInputs({ form }: { form: FieldsForm<typeof quickTaskFields> }) {
  const { quick_task_types } = useLists('quick_task_types')
  const staff = useStaff()
  return (
    <>
      <Field form={form} name="title" autoFocus />
      <Field form={form} name="text" />
      <div data-half>
        <PersonField {...form.at('person')} required={false} staff={staff} />
      </div>
      <Field form={form} name="due_date" half ahead />
      <Field form={form} name="type" half options={asChoices(quick_task_types)} />
      <Field form={form} name="priority" half options={priorityChoices} />
      <Field
        form={form}
        name="entity"
        half
        options={entityChoices}
        onChosen={() => form.fields.setFieldValue('entity_id', '')}
      />
      <div data-half>
        <AboutField form={form} />
      </div>
    </>
  )
}
