import { useState } from 'react'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { tickets, type TicketRow } from '#features/crm/support/contract.ts'
import { savedReplies } from '#features/crm/support/saved-replies.contract.ts'
import classes from '#features/crm/support/web/saved-replies/savedReplies.module.css'
import { keepEnter } from '#web/form/keepEnter.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { RichText } from '#web/richtext/RichText.tsx'

const typingMs = 400

/** The text of a saved reply with the values of a ticket, by default the one with the latest message. */
export function FilledPreview({ content }: { content: string }) {
  const may = useMay(tickets.list)
  return may ? <Preview content={content} /> : null
}

function Preview({ content }: { content: string }) {
  const [chosen, setChosen] = useState<TicketRow>()
  const latest = useQuery(queryOptionsFor(tickets.list, { query: {} }))
  const ticket = chosen ?? latest.data?.data[0]
  const [text] = useDebouncedValue(content, typingMs)
  const filled = useQuery({
    ...queryOptionsFor(savedReplies.preview, {
      params: { ticket: ticket?.id ?? 0 },
      body: { content: text },
    }),
    enabled: ticket !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const error = latest.error ?? filled.error
  return (
    <section className={classes.filled} aria-label="Preview">
      <header>
        <strong>Preview</strong>
        {ticket && <ChooseTicket shown={ticket} latest={latest.data?.data ?? []} onChoose={setChosen} />}
      </header>
      {error ? (
        <p role="alert">{errorMessageOf(error)}</p>
      ) : filled.data ? (
        <RichText html={filled.data.data.content} />
      ) : (
        <Soft>
          {latest.data && !ticket
            ? 'There are no tickets yet, so variables show their names.'
            : 'Loading preview…'}
        </Soft>
      )}
    </section>
  )
}

const nameOf = ({ id, title, requester }: TicketRow) => `#${id} ${title}${requester && `, ${requester}`}`

interface ChooseProps {
  shown: TicketRow
  latest: readonly TicketRow[]
  onChoose: (ticket: TicketRow) => void
}

function ChooseTicket({ shown, latest, onChoose }: ChooseProps) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed === nameOf(shown) ? '' : typed.trim(), typingMs)
  const found = useQuery({
    ...queryOptionsFor(tickets.list, { query: { search } }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const offered = search === '' ? latest : (found.data?.data ?? [])
  const all = offered.some(({ id }) => id === shown.id) ? offered : [shown, ...offered]
  return (
    <Select
      aria-label="Preview with ticket"
      size="xs"
      {...keepEnter}
      searchable
      data={all.map((one) => ({ value: String(one.id), label: nameOf(one) }))}
      // The server searches, also in what isn’t shown.
      filter={({ options }) => options}
      value={String(shown.id)}
      nothingFoundMessage="No tickets match."
      onSearchChange={setTyped}
      onChange={(id) => {
        const ticket = all.find((one) => String(one.id) === id)
        if (ticket) onChoose(ticket)
      }}
      allowDeselect={false}
    />
  )
}
