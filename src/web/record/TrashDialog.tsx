import { useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { records } from '#shared/record.contract.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Pager } from '#web/list/Pager.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { EmptyState, ErrorState, LoadingState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import classes from '#web/record/record.module.css'
import { useDialog } from '#web/parts/useDialog.ts'
import { countText } from '#web/time.ts'
import { LineList, LineName } from '#web/parts/LineList.tsx'

interface Props {
  type: RecordType
  /** Product that the list shows; undefined for the records of all products. */
  product: number | undefined
  onClose: () => void
}

/** Trash dialog for a record type; restores one record, or all that match. */
export default function TrashDialog({ type, product, onClose }: Props) {
  const dialog = useDialog()
  const { many } = recordTypes[type]
  const [page, setPage] = useState(1)
  const [search, setSearch] = useState('')
  const query = useQuery({
    ...queryOptionsFor(records.trash, { params: { type }, query: { page, search, product } }),
    placeholderData: keepPreviousData,
  })
  const { announceAct } = useUndo()
  const { send, sending } = useSend(records.restore, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const rows = query.data?.data
  const total = query.data?.total ?? 0
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Trash: ${many}`} size="lg">
      <div className={classes.dialog}>
        <div className={classes.trashHead}>
          <SearchBox
            label="Search trash"
            value={search}
            onSearch={(text) => {
              setSearch(text)
              setPage(1)
            }}
          />
          {total > 1 && (
            <Button
              size="xs"
              variant="default"
              loading={sending}
              onClick={() => void send({ params: { type }, body: { search, product } })}
            >
              Restore all {countText(total)}
            </Button>
          )}
        </div>
        {query.error && !rows && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {!rows && query.isLoading && <LoadingState />}
        {rows?.length === 0 && (
          <EmptyState
            title={search ? 'Nothing in the trash matches your search' : 'The trash is empty'}
          >{`When you move ${many} to trash, they stay here until you restore them.`}</EmptyState>
        )}
        <LineList>
          {rows?.map(({ id, name, note, deleted_at, deleted_by }) => (
            <li key={id}>
              <LineName>{name}</LineName>
              <span className={classes.byline}>
                {note && `${note} · `}
                {deleted_by} · <Moment at={deleted_at} />
              </span>
              <Button
                size="compact-xs"
                variant="default"
                disabled={sending}
                aria-label={`Restore ${name}`}
                onClick={() => void send({ params: { type }, body: { ids: [id] } })}
              >
                Restore
              </Button>
            </li>
          ))}
        </LineList>
        {total > 20 && <Pager total={total} perPage={20} page={page} onPage={setPage} />}
      </div>
    </Modal>
  )
}
