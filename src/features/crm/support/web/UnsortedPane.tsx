import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, TextInput } from '@mantine/core'
import { unsorted, type PlaceOption } from '#features/crm/emails/contract.ts'
import { leads } from '#features/crm/leads/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { receivedMails, type ReceivedMail, type ReceivedRow } from '#shared/received-mails.ts'
import { recordTypes } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { Loaded } from '#web/list/states.tsx'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { ReceivedLetter } from '#web/mail/ReceivedMail.tsx'
import { SenderChips } from '#web/mail/SenderChips.tsx'
import { toast } from '#web/message/toast.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useMyProducts, useViewer } from '#web/session.ts'
import { fullTime } from '#web/time.ts'

/** An email beside the list of those that belong to no record: its text, and where it can be filed. */
export default function UnsortedPane({ id }: OpenRecord<ReceivedRow>) {
  const query = useQuery(queryOptionsFor(receivedMails.show, { params: { id } }))
  return (
    <RecordPane query={query} one="email" may>
      {({ data }) => (
        <>
          <PaneHead
            title={data.subject || '(no subject)'}
            about={`${data.from_name || data.from_address || 'No sender'} · ${fullTime(data.received_at)}`}
          >
            <SenderChips mail={data} />
            {data.state === 'spam' && data.spam_reason && <Tone tone="red">{data.spam_reason}</Tone>}
          </PaneHead>
          <div className={classes.unsorted}>
            <section className={classes.letter} aria-label="Email">
              <ReceivedLetter key={data.id} mail={data} />
            </section>
            {data.record_type === null ? <Places key={data.id} mail={data} /> : <FiledUnder mail={data} />}
          </div>
        </>
      )}
    </RecordPane>
  )
}

/** Returns what moves an email, and what returns it. */
function useSorting(id: number) {
  const undoing = useSend(unsorted.undo, { onDone: ({ message }) => toast.success(message) })
  const undo = () => void undoing.send({ params: { id } })
  const onDone = ({ message }: { message: string }) =>
    toast.success(message, { undo: { label: 'Undo', onUndo: undo } })
  const filing = useSend(unsorted.file, { onDone })
  const settling = useSend(unsorted.settle, { onDone })
  return {
    undo,
    isBusy: undoing.sending || filing.sending || settling.sending,
    file: (place: { type: PlaceOption['type']; record_id?: number; lead_for?: number; user_id?: number }) =>
      void filing.send({ params: { id }, body: place }),
    settle: (state: 'spam' | 'done') => void settling.send({ params: { id }, body: { state } }),
  }
}

function FiledUnder({ mail }: { mail: ReceivedMail }) {
  const viewer = useViewer()
  const { undo, isBusy } = useSorting(mail.id)
  const { record_type: type, record_id: record, record_name: name, filed_by_name } = mail
  const to = recordAddress(type!, record!, viewer, name ?? undefined)
  const words = name ?? `#${record}`
  return (
    <div className={classes.filed}>
      <span>
        Filed under {to ? <PageLink to={to}>{words}</PageLink> : words}
        {filed_by_name === null ? ' automatically' : ` by ${filed_by_name}`}
      </span>
      {filed_by_name !== null && (
        <Button size="xs" variant="default" loading={isBusy} onClick={undo}>
          Return to Unsorted
        </Button>
      )}
    </div>
  )
}

/** A place, or a new record, under which an email can be filed. */
interface Option {
  key: string
  title: string
  detail: string
  act: () => void
}

const mostOptions = 9

/** Returns the records that were found for an email, and those that can be created of it. */
function useOptions(
  mail: ReceivedMail,
  places: readonly PlaceOption[],
  file: ReturnType<typeof useSorting>['file'],
): Option[] {
  const mayLead = useMay(leads.create, { body: { companyName: 'x', lead_for: 1 } })
  const products = useMyProducts()
  const existing = places.flatMap(({ type, id, name, about, why }) => [
    ...(type === 'customer_user' ? [newTicketFor(mail, { id, name, about }, file)] : []),
    {
      key: `${type}-${id}`,
      title: type === 'ticket' ? `#${id} ${name}` : name,
      detail: [recordTypes[type].one, about, why].filter(Boolean).join(' · '),
      act: () => file({ type, record_id: id }),
    },
  ])
  const ticket = {
    key: 'new-ticket',
    title: 'New ticket',
    detail: `Requester ${mail.from_name || mail.from_address || 'unknown'}`,
    act: () => file({ type: 'ticket' }),
  }
  const newLeads = products.map(({ id, name }) => ({
    key: `new-lead-${id}`,
    title: `New lead for ${name}`,
    detail: mail.from_address,
    act: () => file({ type: 'lead', lead_for: id }),
  }))
  // First, so that a digit that creates a ticket for one email doesn't file the next one in another person's.
  return [ticket, ...existing, ...(mayLead ? newLeads : [])].slice(0, mostOptions)
}

/** A new ticket of a user who wrote from an address that isn't known to be theirs. */
const newTicketFor = (
  { from_address }: ReceivedMail,
  { id, name, about }: Pick<PlaceOption, 'id' | 'name' | 'about'>,
  file: ReturnType<typeof useSorting>['file'],
): Option => ({
  key: `new-ticket-for-${id}`,
  title: `New ticket for ${name}`,
  detail: [about, from_address && `Adds ${from_address} to their addresses`].filter(Boolean).join(' · '),
  act: () => file({ type: 'ticket', user_id: id }),
})

/** The likely records, as buttons with a digit; any other is found by its name or number. */
function Places({ mail }: { mail: ReceivedMail }) {
  const [q, setQ] = useState('')
  const query = useQuery({
    ...queryOptionsFor(unsorted.places, { params: { id: mail.id }, query: { q: q.trim() } }),
    placeholderData: keepPreviousData,
  })
  const sorting = useSorting(mail.id)
  const options = useOptions(mail, query.data?.data ?? [], sorting.file)
  usePageKeys({
    ...Object.fromEntries(options.map(({ act }, index) => [String(index + 1), act])),
    s: () => sorting.settle('spam'),
  })
  return (
    <>
      <Loaded query={query}>
        {() => (
          <section aria-labelledby="file-under">
            <h3 id="file-under">File under</h3>
            <ul className={classes.places}>
              {options.map(({ key, title, detail, act }, index) => (
                <li key={key}>
                  <button type="button" className={classes.place} disabled={sorting.isBusy} onClick={act}>
                    <span>
                      <b>{title}</b>
                      <Soft as="span" small>
                        {detail}
                      </Soft>
                    </span>
                    <kbd>{index + 1}</kbd>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Loaded>
      <TextInput
        label="Another record"
        placeholder="Name or number of a ticket, lead, user, organization, or onboarding"
        value={q}
        maxLength={100}
        onChange={({ currentTarget }) => setQ(currentTarget.value)}
      />
      <Settling mail={mail} sorting={sorting} />
    </>
  )
}

function Settling({ mail, sorting }: { mail: ReceivedMail; sorting: ReturnType<typeof useSorting> }) {
  const { isBusy, settle, undo } = sorting
  if (mail.state === 'banned' || mail.state === 'automatic') return null
  return (
    <div className={classes.sorting}>
      {mail.state === 'unsorted' ? (
        <>
          <Button size="xs" variant="default" loading={isBusy} onClick={() => settle('spam')}>
            Spam
          </Button>
          <Button size="xs" variant="default" loading={isBusy} onClick={() => settle('done')}>
            No reply needed
          </Button>
        </>
      ) : (
        <Button size="xs" variant="default" loading={isBusy} onClick={undo}>
          Return to Unsorted
        </Button>
      )}
      {mail.state !== 'done' && mail.from_address !== '' && <BlockSender mail={mail} />}
    </div>
  )
}

/** Puts the email, and new ones of its sender, under Spam. */
function BlockSender({ mail: { id, from_address, state } }: { mail: ReceivedMail }) {
  const params = { id }
  const may = useMay(unsorted.block, { params })
  const { send: unblock } = useSend(unsorted.unblock, { onDone: ({ message }) => toast.success(message) })
  const body = { address: from_address, ...(state === 'unsorted' ? { return_id: id } : {}) }
  const { send, sending } = useSend(unsorted.block, {
    onDone: ({ message }) =>
      toast.success(message, { undo: { label: 'Undo', onUndo: () => void unblock({ body }) } }),
  })
  return (
    may && (
      <Button size="xs" variant="default" loading={sending} onClick={() => void send({ params })}>
        Block sender
      </Button>
    )
  )
}
