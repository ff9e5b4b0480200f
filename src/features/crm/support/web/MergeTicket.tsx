import { useState } from 'react'
import { Button, Modal, Radio, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Ticket, type TicketRow, tickets } from '#features/crm/support/contract.ts'
import { ticketMerge } from '#features/crm/support/merge.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketAddress, ticketQueries, TicketState } from '#features/crm/support/web/ticketWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { useUndo } from '#web/record/useUndo.ts'

const typingMs = 250

interface Props {
  ticket: Ticket
  onClose: () => void
}

/** Dialog for merging a ticket with another one: those of the same people first, and others by search. */
export default function MergeTicket({ ticket, onClose }: Props) {
  const dialog = useDialog()
  const [other, setOther] = useState<TicketRow>()
  return (
    <Modal {...dialog} opened onClose={onClose} title={`Merge #${ticket.id} ${ticket.title}`} size="lg">
      {other ? (
        <Confirm ticket={ticket} other={other} onBack={() => setOther(undefined)} onClose={onClose} />
      ) : (
        <Choose ticket={ticket} onChoose={setOther} />
      )}
    </Modal>
  )
}

function Choose({ ticket, onChoose }: { ticket: Ticket; onChoose: (other: TicketRow) => void }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), typingMs)
  const similar = useQuery(queryOptionsFor(ticketMerge.similar, { params: { ticket: ticket.id } }))
  const found = useQuery({
    ...queryOptionsFor(tickets.search, { query: { q: search } }),
    enabled: search !== '',
  })
  return (
    <div className={classes.merge}>
      <TextInput
        data-autofocus
        label="Search for the other ticket"
        type="search"
        value={typed}
        maxLength={200}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Loaded query={search ? found : similar}>
        {({ data }) => {
          const others = data.filter(({ id }) => id !== ticket.id)
          if (others.length === 0)
            return (
              <Soft>
                {search
                  ? 'No tickets match.'
                  : 'No other tickets of these people. Search for the ticket to merge.'}
              </Soft>
            )
          return (
            <ul className={classes.ofUser}>
              {others.map((one) => (
                <li key={one.id}>
                  <LinkButton onClick={() => onChoose(one)}>{`#${one.id} ${one.title}`}</LinkButton>
                  <span className={classes.marks}>
                    <TicketState id={one.status} />
                    <Soft as="span">{[one.requester, one.organization].filter(Boolean).join(', ')}</Soft>
                  </span>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </div>
  )
}

function Confirm({ ticket, other, onBack, onClose }: Props & { other: TicketRow; onBack: () => void }) {
  // The older ticket usually has the longer conversation.
  const [stays, setStays] = useState(Math.min(ticket.id, other.id))
  const navigate = useNavigate()
  const { announceAct } = useUndo(ticketQueries)
  const { send, sending } = useSend(ticketMerge.merge, {
    refresh: ticketQueries,
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const [kept, gone] = stays === ticket.id ? [ticket, other] : [other, ticket]
  async function merge(): Promise<void> {
    if (!(await send({ params: { ticket: gone.id }, body: { into: kept.id } }))) return
    onClose()
    if (kept.id !== ticket.id) await navigate({ to: ticketAddress(kept), replace: true })
  }
  return (
    <div className={classes.merge}>
      <Radio.Group
        label="Which ticket stays?"
        value={String(stays)}
        onChange={(value) => setStays(Number(value))}
      >
        <div className={classes.stays}>
          {[ticket, other].map(({ id, title, requester }) => (
            <Radio key={id} value={String(id)} label={`#${id} ${title}`} description={requester} />
          ))}
        </div>
      </Radio.Group>
      <Soft>
        {`#${kept.id} gets the messages, comments, tags, and followers of #${gone.id}, and keeps its own title, requester, status, and assignee. Replies to #${gone.id} arrive in #${kept.id}. This can be undone.`}
      </Soft>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onBack}>
          Choose another
        </Button>
        <Button loading={sending} onClick={() => void merge()}>
          {`Merge #${gone.id} into #${kept.id}`}
        </Button>
      </div>
    </div>
  )
}
