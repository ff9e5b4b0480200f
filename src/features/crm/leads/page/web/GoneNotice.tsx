import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { records } from '#shared/record.contract.ts'
import { leadQueriesAfterBulk } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { SheetNotice } from '#web/sheet/SheetNotice.tsx'

const params = { type: 'lead' } as const

/** Notice on the page of a lead that was moved to the trash or merged while it is open: by whom and when. */
export function GoneNotice({ id }: { id: number }) {
  const { data } = useQuery(queryOptionsFor(records.trash, { params, query: { id } }))
  const { announceAct } = useUndo(leadQueriesAfterBulk)
  const { send, sending } = useSend(records.restore, {
    refresh: [...leadQueriesAfterBulk, records.trash],
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const trashed = data?.data[0]
  const restore = (
    <Button
      size="compact-xs"
      variant="default"
      loading={sending}
      onClick={() => void send({ params, body: { ids: [id] } })}
    >
      Restore
    </Button>
  )
  return (
    <SheetNotice icon={<IconTrash size={16} stroke={1.5} aria-hidden />} action={trashed && restore}>
      {trashed ? (
        <>
          <b>{trashed.deleted_by}</b>{' '}
          {trashed.merged_into === null ? (
            'moved this lead to the trash'
          ) : (
            <>
              merged this lead into{' '}
              <RecordLink type="lead" id={trashed.merged_into} name={`#${trashed.merged_into}`} />
            </>
          )}
          , <Moment at={trashed.deleted_at} />. Nothing can be changed here until it is restored.
        </>
      ) : (
        'This lead isn’t available anymore.'
      )}
    </SheetNotice>
  )
}
