import { useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { mails, mailStates, mailTones, type MailRow, type MailState } from '#shared/mails.ts'
import { mostCounted, outbox, OutboxFilters } from '#features/admin/outbox/contract.ts'
import { OutboxMail } from '#features/admin/outbox/web/OutboxMail.tsx'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Pager } from '#web/list/Pager.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { NotSetUp } from '#web/mail/NotSetUp.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { countText } from '#web/time.ts'

const states = Object.keys(mailStates) as MailState[]
const progressStates = ['held', 'waiting', 'sent', 'failed', 'stopped', 'canceled', 'unsubscribed'] as const

/** Outbox: queued, sent, and failed emails. */
export function OutboxPage() {
  const [filters, filterBy] = useAddress(OutboxFilters)
  const query = useQuery({
    ...queryOptionsFor(outbox.list, { query: filters }),
    placeholderData: keepPreviousData,
  })
  const [open, setOpen] = useState<number>()
  const may = useMay(outbox.list)
  useChanged('mails', may ? [outbox.list, mails.show, mails.recipients] : [])
  if (!may) return <NoAccess />
  return (
    <>
      <PageHeader />
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data, total, per_page, counts, is_on }) => (
          <>
            {!is_on && (
              <>
                <NotSetUp />
                <p className={classes.note}>
                  No SMTP server is set up (SMTP_URL is missing). Emails stay in the queue until you add one.
                </p>
              </>
            )}
            <div className={classes.states} role="group" aria-label="Status">
              <button
                type="button"
                aria-pressed={filters.state === undefined}
                onClick={() => filterBy({ state: undefined })}
              >
                All
              </button>
              {states.map((state) => (
                <button
                  key={state}
                  type="button"
                  aria-pressed={filters.state === state}
                  onClick={() => filterBy({ state })}
                >
                  {mailStates[state]}{' '}
                  <span>{counts[state] < mostCounted ? counts[state] : `${mostCounted}+`}</span>
                </button>
              ))}
            </div>
            {data.length === 0 ? (
              <EmptyState
                title={filters.state === undefined ? 'No emails yet' : 'No emails with this status'}
              >
                {filters.state === undefined
                  ? 'Emails sent from the panel, such as from a lead’s page, appear here.'
                  : 'Choose another status.'}
              </EmptyState>
            ) : (
              <ol className={classes.mails}>
                {data.map((mail) => (
                  <Row key={mail.id} mail={mail} onOpen={() => setOpen(mail.id)} />
                ))}
              </ol>
            )}
            <Pager
              total={total}
              perPage={per_page}
              page={filters.page}
              onPage={(page) => filterBy({ page })}
            />
          </>
        )}
      </Loaded>
      {open !== undefined && <OutboxMail key={open} id={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function Row({ mail, onOpen }: { mail: MailRow; onOpen: () => void }) {
  const kept = progressStates.filter((state) => mail.progress[state] > 0)
  const [first] = mail.recipients
  return (
    <li className={classes.mail}>
      <button type="button" className={classes.subject} onClick={onOpen}>
        {mail.subject}
      </button>
      <span className={classes.soft}>
        {first?.address}
        {mail.progress.total > 1 && ` and ${countText(mail.progress.total - 1)} more`}
      </span>
      <span className={classes.kept}>
        {kept.map((state) => (
          <Tone key={state} tone={mailTones[state]}>
            {`${mailStates[state]}${mail.bulk ? ` ${countText(mail.progress[state])}` : ''}`}
          </Tone>
        ))}
      </span>
      <span className={classes.soft}>{mail.who ?? 'System'}</span>
      <span className={classes.soft}>
        <Moment at={mail.created_at} />
      </span>
    </li>
  )
}

function NoAccess() {
  return (
    <>
      <PageHeader />
      <EmptyState title="You don’t have access to this page">
        Only Super Admins and Admins can view the outbox.
      </EmptyState>
    </>
  )
}
