import { Suspense, useEffect } from 'react'
import { Kbd } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import { mayCreateTicketFor, newTicketAddress, newTicketDraft } from '#shared/new-ticket.ts'
import { recordNotes } from '#shared/notes.contract.ts'
import { customerView, type CustomerSheet } from '#features/crm/customer-view/contract.ts'
import classes from '#features/crm/customer-view/web/customer-view.module.css'
import { CallTimer } from '#features/crm/customer-view/web/CallTimer.tsx'
import { CustomerCards } from '#features/crm/customer-view/web/CustomerCards.tsx'
import { CustomerFacts } from '#features/crm/customer-view/web/CustomerFacts.tsx'
import { useCall } from '#features/crm/customer-view/web/useCall.ts'
import { customerAddress, type CustomerAddress } from '#features/crm/customer-view/web/useCustomerAddress.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { Initials } from '#web/Avatar.tsx'
import { keepDraft, readDraft } from '#web/form/draft.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { MailtoLink } from '#web/mail/MailtoLink.tsx'
import { rememberRecord } from '#web/palette/recentRecords.ts'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { RecordLink } from '#web/record/RecordLink.tsx'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const RecordComposer = lazyPart(() => import('#web/record/RecordComposer.tsx'), 'RecordComposer')

interface Props {
  /** The organization. */
  id: number
  user: number | undefined
  address: CustomerAddress
}

/** A customer at a glance, for a phone call: the caller, their local time, open work, and a field for a note. */
export default function Customer({ id, user, address }: Props) {
  const query = useQuery(
    queryOptionsFor(customerView.show, { params: { id }, query: user === undefined ? {} : { user } }),
  )
  useRemembered(query.data?.data)
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <div className={classes.middle}>
        <EmptyState title="This customer can’t be found">
          It was moved to the trash, or you don’t have access to it.
        </EmptyState>
      </div>
    )
  return (
    <Loaded query={query} what="Customer">
      {({ data }) => (
        <>
          <div className={classes.scroll}>
            <Caller sheet={data} />
            <CustomerFacts sheet={data} />
            <CustomerCards sheet={data} address={address} />
          </div>
          <NoteBar sheet={data} />
        </>
      )}
    </Loaded>
  )
}

/** Keeps the customer for the page's list of recent customers, and for the palette. */
function useRemembered(sheet: CustomerSheet | undefined): void {
  const [organization, user] = [sheet?.id, sheet?.user?.id]
  const [name, detail] = sheet?.user ? [sheet.user.name, sheet.name] : [sheet?.name, 'organization']
  useEffect(() => {
    if (organization === undefined || name === undefined) return
    const to = customerAddress(organization, user)
    rememberRecord({ id: `recent-${to}`, label: name, detail, to })
  }, [organization, user, name, detail])
}

function Caller({ sheet: { id, name, user } }: { sheet: CustomerSheet }) {
  const navigate = useNavigate()
  const mayCreate = mayCreateTicketFor(useViewer())
  const toTicket = newTicketAddress(id, user?.id)
  usePageKeys(mayCreate ? { t: () => void navigate({ to: toTicket }) } : {})
  return (
    <header className={classes.caller}>
      <Initials name={user?.name ?? name} size={40} />
      <div>
        <h2>
          {user ? (
            <RecordLink type="customer_user" id={user.id} name={user.name} />
          ) : (
            <RecordLink type="organization" id={id} name={name} />
          )}
        </h2>
        {user && (
          <p>
            <span>
              {user.role} at <RecordLink type="organization" id={id} name={name} />
            </span>
            {user.is_master && <Tone tone="gray">Master user</Tone>}
            {user.banned && <Tone tone="red">Banned</Tone>}
            {user.status === 0 && <Tone tone="gray">Inactive</Tone>}
            {user.phone && <PhoneLink number={user.phone} />}
            {user.email && <MailtoLink address={user.email} />}
          </p>
        )}
      </div>
      {mayCreate && (
        <TextLink to={toTicket} icon={<IconLifebuoy size={14} stroke={1.5} aria-hidden />}>
          New ticket{' '}
          <Kbd size="xs" aria-hidden>
            T
          </Kbd>
        </TextLink>
      )}
    </header>
  )
}

/** The timer of a call, and the composer for a note on the caller or, if no user is chosen, on the organization, and for an email to them. */
function NoteBar({ sheet: { id, user } }: { sheet: CustomerSheet }) {
  const type = user ? 'customer_user' : 'organization'
  const record = user?.id ?? id
  const mayCreate = mayCreateTicketFor(useViewer())
  const ticket = useTicketFromNote(id, user?.id)
  const call = useCall()
  const isCaller = call.call?.organization === id && call.call.user === user?.id
  const may = useMay(recordNotes.add, { params: { a: type, b: record }, body: { note: '' } })
  const timer = <CallTimer {...call} organization={id} user={user?.id} />
  if (!may) return <div className={classes.noteBar}>{timer}</div>
  return (
    <div className={classes.noteBar}>
      {timer}
      <Suspense>
        <RecordComposer
          key={`${type} ${record}`}
          type={type}
          id={record}
          email={{}}
          fromNote={mayCreate ? ticket : undefined}
          // The note ends the call.
          {...(isCaller && { addLabel: 'Save call note', onAdded: () => void call.end() })}
        />
      </Suspense>
    </div>
  )
}

/** Returns the action that continues a note as a ticket: its form opens with the note as the message. */
function useTicketFromNote(organization: number, user: number | undefined) {
  const navigate = useNavigate()
  return {
    label: 'Create ticket from note',
    run: (note: string) => {
      const form = newTicketDraft(organization, user)
      const draft = readDraft(form)
      const { values = {}, over = {} } = draft ?? {}
      const before = values['message']
      const message = (typeof before === 'string' ? before : '') + paragraphsOf(note)
      keepDraft(form, { ...values, message }, { message: '', ...over }, draft === undefined)
      void navigate({ to: newTicketAddress(organization, user) })
    },
  }
}

function paragraphsOf(text: string): string {
  const box = document.createElement('div')
  for (const line of text.trim().split(/\n+/))
    box.append(Object.assign(document.createElement('p'), { textContent: line }))
  return box.innerHTML
}
