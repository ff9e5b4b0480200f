import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const OrganizationSelect = lazyPart(() => import('#web/form/OrganizationSelect.tsx'))

const none = { value: '0', label: 'No organization' }

/**
 * A ticket's organization, which can be set here if the sender is unknown. A customer user's tickets always
 * belong to that user's organization.
 */
export function TicketOrganization({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { announceAct } = useUndo(ticketQueries)
  const { send, sending } = useSend(tickets.update, {
    refresh: ticketQueries,
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      setOpen(false)
    },
  })
  const name = ticket.organization ?? none.label
  if (!may || ticket.user_id !== 0) return name
  const choose = (value: string) => {
    const organization_id = value === none.value ? null : Number(value)
    void send({
      params: { id: ticket.id },
      body: { organization_id, version: ticket.version, base: { organization_id: ticket.org_id || null } },
    })
  }
  return (
    <>
      {name}{' '}
      <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Cancel' : 'Change organization'}
      </Button>
      {isOpen && (
        <Suspense fallback={<p className={classes.soft}>Loading…</p>}>
          <OrganizationSelect
            aria-label="Organization"
            fixed={[none]}
            value={String(ticket.org_id)}
            disabled={sending}
            onChange={choose}
          />
        </Suspense>
      )}
    </>
  )
}
