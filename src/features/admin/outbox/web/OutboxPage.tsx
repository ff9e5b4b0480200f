import type { z } from 'zod'
import { mails, mailStates, mailTones, type MailRow, type MailState } from '#shared/mails.ts'
import type { Reply } from '#shared/endpoint.ts'
import { mostCounted, outbox, OutboxFilters } from '#features/admin/outbox/contract.ts'
import { RetryFailed } from '#features/admin/outbox/web/RetryFailed.tsx'
import { failedOf, recipientsOf, whyNotDelivered } from '#features/admin/outbox/web/mailWords.ts'
import classes from '#features/admin/outbox/web/outbox.module.css'
import { useSend } from '#web/api/useSend.ts'
import { choice, days } from '#web/filter/filters.tsx'
import { asPairs, useStaffNames } from '#web/filter/useOptions.ts'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { useList, type ListOf } from '#web/list/useList.ts'
import { NoAccess } from '#web/states/NoAccess.tsx'
import { toast } from '#web/message/toast.ts'
import { Moment } from '#web/Moment.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { WaitingEmails } from '#features/admin/outbox/web/WaitingEmails.tsx'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const OutboxPane = lazyPart(() => import('#features/admin/outbox/web/OutboxPane.tsx'))

const { open } = inboxParameters
const PageFilters = OutboxFilters.extend({ open })
type PageFilters = z.output<typeof PageFilters>
type OutboxReply = Reply<typeof outbox.list>

const outboxList: ListOf<MailRow, typeof PageFilters, OutboxReply> = {
  name: 'outbox',
  endpoint: outbox.list,
  filters: PageFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: ({ subject }) => subject,
  addressOf: ({ id }) => `/settings/outbox?open=${id}`,
  searchLabel: 'Search subject or recipient',
}

const states = Object.keys(mailStates) as MailState[]
/** These tabs are always shown; the other ones only if there are such recipients. */
const usualStates: readonly MailState[] = ['held', 'waiting', 'sent', 'failed', 'stopped']

/** Returns what the list says when it has no emails, of the chosen status or at all. */
function emptyOf(state: MailState | undefined): { title: string; text: string } {
  const links =
    'Invitations and password links aren’t listed. The details of the admin user say whether they were delivered.'
  return state === undefined
    ? {
        title: 'No emails yet',
        text: `Emails sent from the panel, such as from a lead’s page, appear here. ${links}`,
      }
    : { title: `No ${mailStates[state].toLowerCase()} emails`, text: links }
}

/** Outbox: queued, sent, and failed emails, with the open one beside the list. */
export function OutboxPage() {
  const list = useList(outboxList)
  const people = useStaffNames()
  const { send: retry } = useSend(mails.retry, {
    onDone: ({ message }) => toast.success(message),
  })
  if (!list.may) return <NoOutbox />
  const { reply, filters, filterBy } = list
  const isOn = reply?.server.host !== null
  return (
    <InboxPage
      list={list}
      actions={isOn && (reply?.counts.failed ?? 0) > 0 && <RetryFailed />}
      above={
        reply && (
          <>
            <ServerState reply={reply} />
            <WaitingEmails isOn={isOn} />
            <States
              reply={reply}
              chosen={filters.state}
              onChoose={(state) => void filterBy({ state, page: 1 })}
            />
          </>
        )
      }
      filters={[
        choice<PageFilters>('staff_id', 'Sent by', 'Anyone', asPairs(people)),
        days<PageFilters>('from', 'to', 'Date'),
      ]}
      empty={emptyOf(filters.state)}
      lines={(row) => linesOf(row, isOn)}
      acts={{ r: (row) => row.progress.failed > 0 && void retry({ params: { id: row.id } }) }}
      Pane={OutboxPane}
      nothingOpen="No email open"
    />
  )
}

/** The mail server in one line: whether it is set up, its last delivery, and its last error. */
function ServerState({ reply: { server, counts } }: { reply: OutboxReply }) {
  const { host, last_sent_at, last_error } = server
  return (
    <p className={classes.server} role="status">
      {host === null ? (
        <>
          <strong className={classes.off}>Email isn’t set up</strong>
          <span>SMTP_URL is missing. Emails stay in the queue until an SMTP server is added.</span>
        </>
      ) : (
        <span>
          Mail server <strong>{host}</strong>
        </span>
      )}
      {last_sent_at !== null && (
        <span>
          Last sent{' '}
          <strong>
            <Moment at={last_sent_at} />
          </strong>
        </span>
      )}
      <span>
        Queue <strong>{countsText(counts.waiting)}</strong>
      </span>
      {last_error !== null && (
        <span className={classes.lastError} title={last_error.text}>
          Last error <Moment at={last_error.at} />:{' '}
          <PageLink to={`/settings/outbox?open=${last_error.mail_id}`}>{last_error.text}</PageLink>
        </span>
      )}
    </p>
  )
}

function States({
  reply: { counts },
  chosen,
  onChoose,
}: {
  reply: OutboxReply
  chosen: MailState | undefined
  onChoose: (state: MailState | undefined) => void
}) {
  const shown = states.filter((state) => usualStates.includes(state) || counts[state] > 0 || state === chosen)
  return (
    <FilterTabs label="Status">
      <FilterTab isCurrent={chosen === undefined} onClick={() => onChoose(undefined)}>
        All
      </FilterTab>
      {shown.map((state) => (
        <FilterTab
          key={state}
          isCurrent={chosen === state}
          count={countsText(counts[state])}
          onClick={() => onChoose(state)}
        >
          {mailStates[state]}
        </FilterTab>
      ))}
    </FilterTabs>
  )
}

const countsText = (count: number) => (count < mostCounted ? countText(count) : `${countText(mostCounted)}+`)

function linesOf(row: MailRow, isOn: boolean): InboxLines {
  const [only] = row.progress.total === 1 ? row.recipients : []
  return {
    title: row.subject,
    at: row.created_at,
    from: `${recipientsOf(row)} · ${row.who ?? 'System'}`,
    status: <RowState row={row} />,
    note: only ? onlyNote(only, isOn) : manyNote(row),
  }
}

function RowState({ row: { progress, recipients } }: { row: MailRow }) {
  const { total, failed, waiting, held, sent, stopped } = progress
  if (total === 1) return <StateTone state={recipients[0]?.state ?? 'waiting'} />
  if (held > 0) return <StateTone state="held" />
  if (waiting > 0) return <StateTone state={sent + failed > 0 ? 'sending' : 'waiting'} />
  if (stopped > 0) return <StateTone state="stopped" />
  if (failed > 0) return <Tone tone="red">{`${countText(failed)} failed`}</Tone>
  return <StateTone state={sent > 0 ? 'sent' : 'canceled'} />
}

const StateTone = ({ state }: { state: MailState }) => (
  <Tone tone={mailTones[state]}>{mailStates[state]}</Tone>
)

function onlyNote(recipient: MailRow['recipients'][number], isOn: boolean) {
  const why = whyNotDelivered(recipient, isOn)
  return why && <span className={recipient.state === 'failed' ? classes.failed : undefined}>{why}</span>
}

/** Returns the progress of an email to several recipients, or how it failed. */
function manyNote(row: MailRow) {
  const { total, sent, failed, waiting, held } = row.progress
  if (waiting + held > 0)
    return <progress className={classes.meter} max={total} value={sent + failed} aria-label="Done" />
  const failedWords = failedOf(row)
  return failedWords && <span className={classes.failed}>{failedWords}</span>
}

function NoOutbox() {
  return (
    <>
      <PageHeader />
      <NoAccess>Only Super Admins and Admins can view the outbox.</NoAccess>
    </>
  )
}
