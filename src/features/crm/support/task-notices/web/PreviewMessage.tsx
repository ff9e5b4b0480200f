import { useQuery } from '@tanstack/react-query'
import { taskNotices, type TaskCustomer } from '#features/crm/support/task-notices/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import { MailFrame } from '#web/parts/MailFrame.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { Soft } from '#web/parts/Soft.tsx'

interface Props {
  task: number
  customer: Pick<TaskCustomer, 'ticket_id' | 'email'>
  message: string
  onClose: () => void
}

/** The email of a message exactly as the customer will see it. */
export default function PreviewMessage({ task, customer, message, onClose }: Props) {
  const params = { task, ticket: customer.ticket_id }
  const query = useQuery(queryOptionsFor(taskNotices.preview, { params, body: { message } }))
  return (
    <RightModal title="Preview" size={720} onClose={onClose}>
      <Loaded query={query} what="The preview">
        {({ data }) => (
          <>
            <p>
              <strong>{data.subject}</strong>
            </p>
            <Soft>{`To ${customer.email}`}</Soft>
            <MailFrame html={data.html} />
          </>
        )}
      </Loaded>
    </RightModal>
  )
}
