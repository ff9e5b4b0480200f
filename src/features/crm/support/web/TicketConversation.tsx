import { Suspense } from 'react'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { TicketComposer } from '#features/crm/support/web/TicketComposer.tsx'
import { TicketStream } from '#features/crm/support/web/TicketStream.tsx'
import { errorMessageOf, isNotFound } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { Gone } from '#web/record/Gone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const SpamNotice = lazyPart(() => import('#features/crm/support/web/SpamNotice.tsx'))
const IncidentHint = lazyPart(() => import('#features/crm/support/web/incidents/IncidentHint.tsx'))

interface Props {
  ticket: Ticket
  /** ID of the last message that the viewer had read when the ticket opened; null if there is none. */
  readTo: number | null
  /** Why the ticket could not be loaded again; null if it is up to date. */
  error: Error | null
  onRetry: () => void
  /** Words of the line that the composer starts as; without them, it starts open. */
  line?: string | undefined
}

/** A ticket's messages, notes, and changes, and the composer below them, for the ticket's page and the inbox. */
export function TicketConversation({ ticket, readTo, error, onRetry, line }: Props) {
  const may = useMay(tickets.update, { params: { id: ticket.id }, body: {} })
  return (
    <>
      <Gone type="ticket" id={ticket.id} error={error} />
      {error && !isNotFound(error) && <NotReloaded error={error} onRetry={onRetry} />}
      {ticket.spam_reason !== null && (
        <Suspense>
          <SpamNotice id={ticket.id} reason={ticket.spam_reason} />
        </Suspense>
      )}
      <TicketStream ticket={ticket} readTo={readTo} may={may} />
      {may && (
        <div className={classes.write}>
          {ticket.linked_count === 0 && (
            <Suspense>
              <IncidentHint ticket={ticket} />
            </Suspense>
          )}
          <TicketComposer ticket={ticket} line={line} />
        </div>
      )}
    </>
  )
}

/** Says that the ticket on screen may be out of date, because it couldn’t be loaded again. */
const NotReloaded = ({ error, onRetry }: { error: Error; onRetry: () => void }) => (
  <p className={classes.notice} role="status">
    <span>{`This ticket couldn’t be reloaded. ${errorMessageOf(error)}`}</span>
    <LinkButton onClick={onRetry}>Retry</LinkButton>
  </p>
)
