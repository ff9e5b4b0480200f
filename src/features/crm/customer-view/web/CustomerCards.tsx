import type { ReactNode } from 'react'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { mailStates, mailTones } from '#shared/mails.ts'
import type { CustomerSheet } from '#features/crm/customer-view/contract.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import type { CustomerAddress } from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { tickets } from '#features/crm/support/contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { countText } from '#web/time.ts'

interface Props {
  sheet: CustomerSheet
  address: CustomerAddress
}

/** A customer's tickets, emails, notes, and users: a card for each of which the viewer sees any. */
export function CustomerCards({ sheet, address }: Props) {
  const { id, tickets: open, settled_tickets: settled, ticket_count, mails, notes } = sheet
  return (
    <div className={classes.cards}>
      <div>
        {open && (
          <Card
            title="Open tickets"
            count={open.length}
            end={ticket_count === null ? undefined : `of ${countText(ticket_count)}`}
          >
            {open.length === 0 && <Soft as="li">No open tickets.</Soft>}
            <TicketLines own={open} />
          </Card>
        )}
        {settled && settled.length > 0 && (
          <Card
            title="Closed tickets"
            end={<PageLink to={`/support?organization=${id}`}>View all tickets</PageLink>}
          >
            <TicketLines own={settled} />
          </Card>
        )}
        {mails && mails.length > 0 && (
          <Card title="Recent emails">
            <MailLines own={mails} />
          </Card>
        )}
      </div>
      <div>
        {notes && (
          <Card title="Last notes">
            {notes.length === 0 && <Soft as="li">No notes yet.</Soft>}
            <NoteLines own={notes} />
          </Card>
        )}
        <Users sheet={sheet} address={address} />
      </div>
    </div>
  )
}

interface CardProps {
  title: string
  count?: number | undefined
  /** At the end of the title. */
  end?: ReactNode
  /** Lines of the card's list. */
  children: ReactNode
}

const Card = ({ title, count, end, children }: CardProps) => (
  <section className={classes.card} aria-label={title}>
    <header>
      <h3>
        {title} {count !== undefined && <Soft as="span">{countText(count)}</Soft>}
      </h3>
      {end && (
        <Soft as="span" small>
          {end}
        </Soft>
      )}
    </header>
    <ul>{children}</ul>
  </section>
)

function TicketLines({ own }: { own: NonNullable<CustomerSheet['tickets']> }) {
  const { ticket_statuses } = useLists('ticket_statuses')
  const mayOpen = useMay(tickets.show, { params: { id: 1 } })
  return own.map((one) => {
    const status = ticket_statuses.find(({ id }) => id === one.status)
    return (
      <li key={one.id} data-unread={one.unread || undefined}>
        <p className={classes.line}>
          <span className={classes.name}>
            {mayOpen ? (
              <PageLink to={`/support/ticket/${one.id}/${one.org_id}`}>{one.title}</PageLink>
            ) : (
              one.title
            )}
          </span>
          {status && <Tone tone={status.tone ?? 'gray'}>{status.name}</Tone>}
        </p>
        <Soft small>
          #{one.id} · {one.requester} · <Moment at={one.last_message_at} />
          {one.unread && ' · Unread'}
        </Soft>
        {one.last_words !== '' && (
          <Soft small>
            {one.last_who}: “{one.last_words}”
          </Soft>
        )}
      </li>
    )
  })
}

const MailLines = ({ own }: { own: NonNullable<CustomerSheet['mails']> }) =>
  own.map(({ id, subject, created_at, progress, recipients }) => {
    const state = progress.total === 1 ? recipients[0]?.state : undefined
    return (
      <li key={id}>
        <p className={classes.line}>
          <IconMail size={14} stroke={1.5} aria-hidden />
          <span className={classes.name}>{subject}</span>
          {state && <Tone tone={mailTones[state]}>{mailStates[state]}</Tone>}
          <Soft as="span" small>
            <Moment at={created_at} />
          </Soft>
        </p>
      </li>
    )
  })

function NoteLines({ own }: { own: NonNullable<CustomerSheet['notes']> }) {
  return own.map(({ id, body, who, created_at, about }) => (
    <li key={id}>
      <Soft small>
        {who}
        {about && ` about ${about.name}`}, <Moment at={created_at} />
      </Soft>
      <p className={classes.note}>{body}</p>
    </li>
  ))
}

function Users({ sheet: { id, user, users, user_count }, address }: Props) {
  const others = users?.filter((one) => one.id !== user?.id) ?? []
  if (others.length === 0) return null
  const total = (user_count ?? 0) - (user ? 1 : 0)
  return (
    <Card
      title={user ? 'Other users' : 'Users'}
      count={total}
      end={total > others.length && <PageLink to={`/users?organization=${id}`}>View all users</PageLink>}
    >
      {others.map((one) => (
        <li key={one.id}>
          <p className={classes.line}>
            <Initials name={one.name} size={22} />
            <span className={classes.name}>
              <PageLink to={address.addressOf(id, one.id)}>{one.name}</PageLink>
            </span>
            {one.is_master && <Tone tone="gray">Master</Tone>}
            {one.banned && <Tone tone="red">Banned</Tone>}
            <Soft as="span" small>
              {one.phone ? <PhoneLink number={one.phone} /> : 'No phone number'}
            </Soft>
          </p>
        </li>
      ))}
    </Card>
  )
}
