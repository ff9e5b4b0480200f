import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { type Ticket, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const OrganizationSelect = lazyPart(() => import('#web/form/OrganizationSelect.tsx'))

const none = { value: '0', label: 'No organization' }

/** Button and field for setting the organization of a ticket whose sender is unknown. */
export default function ChangeOrganization({ ticket }: { ticket: Ticket }) {
  const [isOpen, setOpen] = useState(false)
  const { announceAct } = useUndo()
  const { send, sending } = useSend(tickets.update, {
    onDone: ({ message, operation }) => {
      announceAct(message, operation)
      setOpen(false)
    },
  })
  const choose = (value: string) => {
    const organization_id = value === none.value ? null : Number(value)
    void send({
      params: { id: ticket.id },
      body: { organization_id, version: ticket.version, base: { organization_id: ticket.org_id || null } },
    })
  }
  return (
    <div className={classes.buttons}>
      <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Cancel' : 'Change organization'}
      </Button>
      {isOpen && (
        <Suspense fallback={<Soft>Loading…</Soft>}>
          <OrganizationSelect
            aria-label="Organization"
            fixed={[none]}
            value={String(ticket.org_id)}
            disabled={sending}
            onChange={choose}
          />
        </Suspense>
      )}
    </div>
  )
}
