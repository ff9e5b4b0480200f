import { SkipNotice, taskNotices, type TaskCustomer } from '#features/crm/support/task-notices/contract.ts'
import { useSend } from '#web/api/useSend.ts'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useFieldsForm } from '#web/form/useFieldsForm.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  task: number
  customer: Pick<TaskCustomer, 'ticket_id' | 'requester'>
  onSkipped: () => void
  onClose: () => void
}

/** Dialog that asks why a customer gets no message. */
export default function SkipCustomer({ task, customer, onSkipped, onClose }: Props) {
  const { ticket_id: ticket, requester } = customer
  const { send } = useSend(taskNotices.skip, { failure: 'throw' })
  const form = useFieldsForm({
    name: `task-notice-skip-${task}-${ticket}`,
    fields: { reason: { label: 'Reason', empty: '' } },
    schema: SkipNotice,
    onSave: async ({ reason }) => {
      const reply = await send({ params: { task, ticket }, body: { reason } })
      if (reply) toast.success(reply.message)
    },
    onSaved: () => {
      onClose()
      onSkipped()
    },
  })
  return (
    <FormModal title={`Skip ${requester}?`} form={form} onClose={onClose} saveLabel="Skip">
      <Field form={form} name="reason" autoFocus />
    </FormModal>
  )
}
