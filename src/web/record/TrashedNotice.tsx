import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { records } from '#shared/record.contract.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Moment } from '#web/Moment.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { SheetNotice } from '#web/sheet/SheetNotice.tsx'

interface Props {
  type: RecordType
  id: number
  unknown?: string
}

/**
 * Notice about a record in the trash: who moved it there or merged it and when, and the button that restores it. Shows
 * `unknown`, if given, for a record that isn't there, or that the viewer can't restore.
 */
export default function TrashedNotice({ type, id, unknown }: Props) {
  const params = { type }
  const one = recordTypes[type].one
  const { data } = useQuery(queryOptionsFor(records.trash, { params, query: { id } }))
  const queries = useQueryClient()
  const { announceAct } = useUndo()
  const { send, sending } = useSend(records.restore, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      void queries.invalidateQueries()
    },
  })
  const trashed = data?.data[0]
  const icon = <IconTrash size={16} stroke={1.5} aria-hidden />
  if (!trashed) return unknown === undefined ? null : <SheetNotice icon={icon}>{unknown}</SheetNotice>
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
    <SheetNotice icon={icon} action={restore}>
      <b>{trashed.deleted_by}</b>{' '}
      {trashed.merged_into === null ? (
        `moved this ${one} to the trash`
      ) : (
        <>
          merged this {one} into{' '}
          <RecordLink type={type} id={trashed.merged_into} name={`#${trashed.merged_into}`} />
        </>
      )}
      , <Moment at={trashed.deleted_at} />.
      {unknown !== undefined && ' Nothing can be changed here until it is restored.'}
    </SheetNotice>
  )
}
