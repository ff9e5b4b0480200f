import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tickets } from '#features/crm/support/contract.ts'
import { ConfirmMerge } from '#features/crm/support/web/MergeTicket.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  ids: readonly [number, number]
  onClose: () => void
  /** Called when they were merged. */
  onDone: () => void
}

/** Dialog for merging the two tickets that are selected in the list. */
export default function MergeSelected({ ids: [one, other], onClose, onDone }: Props) {
  const dialog = useDialog()
  const first = useQuery(queryOptionsFor(tickets.show, { params: { id: one } }))
  const second = useQuery(queryOptionsFor(tickets.show, { params: { id: other } }))
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Merge #${one} and #${other}`} size="lg">
      <Loaded query={first} what="The ticket">
        {({ data }) => (
          <Loaded query={second} what="The ticket">
            {({ data: otherTicket }) => (
              <ConfirmMerge pair={[data, otherTicket]} back="Cancel" onBack={onClose} onDone={onDone} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Modal>
  )
}
