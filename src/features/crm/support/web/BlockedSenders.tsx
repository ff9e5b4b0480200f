import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { unsorted } from '#features/crm/emails/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { RowAction } from '#web/list/cells.tsx'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { toast } from '#web/message/toast.ts'
import { LineList, LineName } from '#web/parts/LineList.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

/** The senders whose emails are put under Spam, each with a button that unblocks it. */
export default function BlockedSenders({ onClose }: { onClose: () => void }) {
  const dialog = useDialog()
  const query = useQuery({ ...queryOptionsFor(unsorted.blocked), staleTime: 0 })
  const may = useMay(unsorted.unblock, { body: { address: 'x' } })
  const { send, sending } = useSend(unsorted.unblock, { onDone: ({ message }) => toast.success(message) })
  return (
    <Modal {...dialog} opened onClose={onClose} title="Blocked senders" size="md">
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Soft>No blocked senders. “Block sender” below an email in Unsorted blocks its sender.</Soft>
          ) : (
            <LineList>
              {data.map(({ address, blocked_at, blocked_by }) => (
                <li key={address}>
                  <LineName>
                    {address}
                    <Soft as="span" small>
                      {' '}
                      {blocked_by ?? 'System'}, <Moment at={blocked_at} />
                    </Soft>
                  </LineName>
                  {may && (
                    <RowAction
                      disabled={sending}
                      aria-label={`Unblock ${address}`}
                      onClick={() => void send({ body: { address } })}
                    >
                      Unblock
                    </RowAction>
                  )}
                </li>
              ))}
            </LineList>
          )
        }
      </Loaded>
    </Modal>
  )
}
