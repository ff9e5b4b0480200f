import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { support, type Ticket } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { ticketRefresh } from '#features/crm/support/web/ticketWords.tsx'
import { request } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const SearchSelect = lazyPart(() => import('#web/form/SearchSelect.tsx'))

const none = { value: '0', label: 'None yet' }
const find = async (search: string, signal: AbortSignal) => {
  const { data } = await request(support.organizations, { query: { search } }, { signal })
  return data.map(({ id, name }) => ({ value: String(id), label: name }))
}

/** The organization of a ticket, which is given to one from an address that nobody has. A customer's user brings their own. */
export function TicketOrganization({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { sayDone } = useUndo(ticketRefresh)
  const { send, sending } = useSend(support.update, {
    refresh: ticketRefresh,
    onDone: ({ message, operation }) => {
      sayDone(message, operation)
      setOpen(false)
    },
  })
  const maySearch = useMay(support.organizations)
  const name = ticket.organization ?? none.label
  if (!may || !maySearch || ticket.user_id !== 0) return name
  const choose = (value: string) => {
    const organization_id = value === none.value ? null : Number(value)
    void send({ params: { id: ticket.id }, body: { organization_id, version: ticket.version, base: { organization_id: ticket.org_id || null } } })
  }
  return (
    <>
      {name}{' '}
      <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Leave it' : 'Change organization'}
      </Button>
      {isOpen && (
        <Suspense fallback={<p className={classes.soft}>Loading…</p>}>
          <SearchSelect
            aria-label="Organization"
            of="ticket-organization"
            find={find}
            fixed={[none]}
            value={String(ticket.org_id)}
            chosen={name}
            disabled={sending}
            onChange={choose}
          />
        </Suspense>
      )}
    </>
  )
}
