import { useLayoutEffect, useState } from 'react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import IconCircleHalf2 from '@tabler/icons-react/dist/esm/icons/IconCircleHalf2.mjs'
import IconPaperclip from '@tabler/icons-react/dist/esm/icons/IconPaperclip.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import {
  savedReplies,
  type FilledReply,
  type SavedReplyRow,
} from '#features/crm/support/saved-replies.contract.ts'
import classes from '#features/crm/support/web/saved-replies/savedReplies.module.css'
import { usesText } from '#features/crm/support/web/saved-replies/savedReplyWords.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useLists } from '#web/filter/useOptions.ts'
import { ErrorState } from '#web/list/states.tsx'
import { logAndToast } from '#web/message/failures.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { RichText } from '#web/richtext/RichText.tsx'
import type { SlashMenu } from '#web/richtext/SlashEditor.tsx'

interface Props extends SlashMenu {
  ticket: Ticket
  /** Called with the reply that was inserted. */
  onInserted: (reply: FilledReply) => void
}

const mostShown = 8
/** Those for the ticket's category first; otherwise as the list has them, most used first. */
const inOrder = (rows: readonly SavedReplyRow[], category: number) =>
  rows
    .toSorted((one, two) => Number(two.category === category) - Number(one.category === category))
    .slice(0, mostShown)

/** The saved replies that match what was typed after the slash, with the selected one as it would be inserted. */
export default function SavedReplyMenu({ ticket, query, choose: insert, keys, onInserted }: Props) {
  const client = useQueryClient()
  const [at, setAt] = useState({ query, index: 0 })
  const found = useQuery({
    ...queryOptionsFor(savedReplies.list, { query: { search: query } }),
    placeholderData: keepPreviousData,
  })
  const rows = inOrder(found.data?.data ?? [], ticket.category)
  const index = at.query === query ? Math.min(at.index, Math.max(rows.length - 1, 0)) : 0
  const selected = rows[index]
  const fillOf = (row: SavedReplyRow) =>
    queryOptionsFor(savedReplies.fill, { params: { ticket: ticket.id, id: row.id } })
  const choose = (row: SavedReplyRow) => {
    client.fetchQuery(fillOf(row)).then(({ data }) => {
      insert(data.content)
      onInserted(data)
    }, logAndToast)
  }
  useLayoutEffect(() =>
    keys.use((key) => {
      const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      if (!selected) return false
      if (by !== 0) setAt({ query, index: (index + by + rows.length) % rows.length })
      else if (key === 'Enter' || key === 'Tab') choose(selected)
      else return false
      return true
    }),
  )
  return (
    // The editor keeps the focus.
    <section
      className={classes.menu}
      aria-label="Saved replies"
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={classes.found}>
        {found.error ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : rows.length === 0 ? (
          <Soft role="status">{found.data ? 'No saved replies match.' : 'Loading saved replies…'}</Soft>
        ) : (
          <ul role="listbox" aria-label="Saved replies">
            {rows.map((row) => (
              <li key={row.id} role="option" aria-selected={row === selected} onClick={() => choose(row)}>
                <strong>{row.name}</strong>
                <Soft as="span" small>
                  {row.is_shared ? 'Everyone' : 'Only me'} · {usesText(row.uses)}
                </Soft>
              </li>
            ))}
          </ul>
        )}
      </div>
      {selected && <Preview key={selected.id} row={selected} fill={fillOf(selected)} />}
      <p className={classes.keys}>↑ ↓ to select, Enter to insert, Esc to close</p>
    </section>
  )
}

interface PreviewProps {
  row: SavedReplyRow
  fill: ReturnType<typeof queryOptionsFor<typeof savedReplies.fill>>
}

function Preview({ row, fill }: PreviewProps) {
  const { data } = useQuery(fill)
  const { ticket_statuses } = useLists('ticket_statuses')
  const status = ticket_statuses.find((one) => one.id === row.status)
  return (
    <div className={classes.preview}>
      {data ? <RichText html={data.data.content} /> : <p>{row.words}</p>}
      {data?.data.files.map((file) => (
        <Soft key={file.id} small>
          <IconPaperclip size={13} aria-hidden /> {file.name}
        </Soft>
      ))}
      {status && (
        <Soft small>
          <IconCircleHalf2 size={13} aria-hidden /> Sets the status to {status.name}
        </Soft>
      )}
    </div>
  )
}
