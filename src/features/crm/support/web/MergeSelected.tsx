import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { tickets } from '#features/crm/support/contract.ts'
import { ConfirmMerge } from '#features/crm/support/web/MergeTicket.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { Loaded } from '#web/list/states.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'

interface Props {
  /** At least two, and up to `mostMerged`. */
  ids: readonly number[]
  onClose: () => void
  /** Called when they were merged. */
  onDone: () => void
}

const numbers = (ids: readonly number[]) => new Intl.ListFormat('en').format(ids.map((id) => `#${id}`))

/** Dialog for merging the tickets that are selected in the list. */
export default function MergeSelected({ ids, onClose, onDone }: Props) {
  const dialog = useDialog()
  const query = useQuery(
    queryOptionsFor(tickets.list, { query: { ids: [...ids], column: 'id', direction: 'asc' } }),
  )
  const title = `Merge ${ids.length === 2 ? numbers(ids) : `${ids.length} tickets`}`
  return (
    <Modal {...dialog} opened onClose={onClose} title={title} size="lg">
      <Loaded query={query} what="The tickets">
        {({ data }) => {
          const gone = ids.filter((id) => !data.some((one) => one.id === id))
          return (
            <>
              {gone.length > 0 && (
                <Soft role="status">{`Left out because they are merged or in the trash: ${numbers(gone)}.`}</Soft>
              )}
              {data.length > 1 && (
                <ConfirmMerge tickets={data} back="Cancel" onBack={onClose} onDone={onDone} />
              )}
            </>
          )
        }}
      </Loaded>
    </Modal>
  )
}
