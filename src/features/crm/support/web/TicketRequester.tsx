import { EmailAddress } from '#web/mail/EmailAddress.tsx'
import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import type { Ticket } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { pictureOf } from '#features/crm/support/web/ticketEntries.tsx'
import { Avatar } from '#web/Avatar.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { RailSection } from '#web/sheet/RailSection.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChangeRequester = lazyPart(() => import('#features/crm/support/web/ChangeRequester.tsx'))
const ChangeOrganization = lazyPart(() => import('#features/crm/support/web/ChangeOrganization.tsx'))

/**
 * The person who opened the ticket, with their email address, phone number, and organization. They can be changed here
 * unless they are an admin user, and the organization if the sender is unknown; a customer user's tickets always belong
 * to that user's organization.
 */
export function TicketRequester({ ticket, may }: { ticket: Ticket; may: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { requester, requester_email, requester_banned, requester_phone } = ticket
  const { user_id, user_logo, organization, org_id } = ticket
  return (
    <RailSection title="Requester">
      <p className={classes.person}>
        <Avatar name={requester} picture={pictureOf(user_logo)} size={28} />
        <strong>
          {user_id === 0 ? requester : <RecordLink type="customer_user" id={user_id} name={requester} />}
        </strong>
        {requester_banned && <Tone tone="red">Banned</Tone>}
      </p>
      {requester_email && (
        <p className={classes.person}>
          <IconMail size={16} stroke={1.5} aria-hidden />
          <EmailAddress address={requester_email} />
        </p>
      )}
      {requester_phone && (
        <p className={classes.person}>
          <IconPhone size={16} stroke={1.5} aria-hidden />
          <PhoneLink number={requester_phone} />
        </p>
      )}
      <p className={classes.person}>
        <IconBuilding size={16} stroke={1.5} aria-hidden />
        <span>
          {organization === null ? (
            'No organization'
          ) : (
            <RecordLink type="organization" id={org_id} name={organization} />
          )}
        </span>
      </p>
      {may && ticket.staff_id === null && (
        <div className={classes.buttons}>
          <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
            Change requester
          </Button>
        </div>
      )}
      {isOpen && (
        <Suspense>
          <ChangeRequester ticket={ticket} onClose={() => setOpen(false)} />
        </Suspense>
      )}
      {may && user_id === 0 && (
        <Suspense>
          <ChangeOrganization ticket={ticket} />
        </Suspense>
      )}
    </RailSection>
  )
}
