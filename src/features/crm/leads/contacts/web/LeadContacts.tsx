import { Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadContacts, type LeadContact } from '#features/crm/leads/contacts/contract.ts'
import { nameOfContact } from '#features/crm/leads/contacts/rules.ts'
import classes from '#features/crm/leads/contacts/web/contacts.module.css'
import { ContactMenu } from '#features/crm/leads/contacts/web/ContactMenu.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { Loaded } from '#web/list/states.tsx'
import { EmailAddress } from '#web/mail/EmailAddress.tsx'
import { IconButton } from '#web/parts/controls.tsx'
import { Head } from '#web/parts/Head.tsx'
import { Panel } from '#web/parts/Panel.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const ContactForm = lazyPart(() => import('#features/crm/leads/contacts/web/ContactForm.tsx'))

/** The contacts of a lead besides its primary contact, which is among the lead's facts. */
export function LeadContacts({ lead: { lead_id } }: { lead: Pick<Lead, 'lead_id'> }) {
  const query = useQuery(queryOptionsFor(leadContacts.ofLead, { query: { lead_id } }))
  const mayEdit = useMay(leadContacts.add, { body: { lead_id, name: '' } })
  const [editing, setEditing] = useState<LeadContact | 'new'>()
  const count = query.data?.data.length ?? 0
  return (
    <Panel aria-label="More contacts">
      <Head>
        <h2>
          More contacts
          {count > 0 && (
            <Soft as="span" className={classes.count}>
              {' '}
              {countText(count)}
            </Soft>
          )}
        </h2>
        {mayEdit && (
          <IconButton label="Add contact" bare onClick={() => setEditing('new')}>
            <IconPlus size={16} stroke={1.5} aria-hidden />
          </IconButton>
        )}
      </Head>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Soft>No other contacts yet.</Soft>
          ) : (
            <ul className={classes.contacts}>
              {data.map((contact) => (
                <Contact
                  key={contact.id}
                  contact={contact}
                  onEdit={mayEdit ? () => setEditing(contact) : undefined}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {editing && (
        <Suspense>
          <ContactForm
            lead_id={lead_id}
            contact={editing === 'new' ? undefined : editing}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

interface ContactProps {
  contact: LeadContact
  /** Absent for viewers who can't change contacts. */
  onEdit: (() => void) | undefined
}

function Contact({ contact, onEdit }: ContactProps) {
  const { role, email, phone } = contact
  const name = nameOfContact(contact)
  return (
    <li className={classes.contact}>
      <Initials name={name} size={24} />
      <div className={classes.lines}>
        <strong>{name}</strong>
        {role && <Soft small>{role}</Soft>}
        {email && (
          <p className={classes.line}>
            <EmailAddress address={email} />
          </p>
        )}
        {phone && (
          <p className={classes.line}>
            <PhoneLink number={phone} />
          </p>
        )}
      </div>
      {onEdit && <ContactMenu contact={contact} onEdit={onEdit} />}
    </li>
  )
}
