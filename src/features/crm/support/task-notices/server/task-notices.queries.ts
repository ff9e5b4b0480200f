import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { dayText } from '#shared/dates.ts'
import { truncate } from '#shared/truncate.ts'
import { isSaid } from '#features/crm/support/server/conditions.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import { whyNotReached } from '#features/crm/support/server/replies/recipients.queries.ts'
import { findRequester, writeWords } from '#features/crm/support/server/replies/reply-email.ts'
import type { TaskCustomer, TaskNotices } from '#features/crm/support/task-notices/contract.ts'
import {
  datesOf,
  delivered,
  disciplineOf,
  statusName,
  toneOf,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { isBounced } from '#server/mail/bounced.ts'
import { html } from '#server/html/html.ts'
import { cleanHtml, textOf } from '#server/html/html-clean.ts'

type Customer = Omit<TaskCustomer, 'same_as' | 'proposal' | 'subject' | 'why' | 'words' | 'notice'> & {
  banned: boolean
  bounced: boolean
  /** The first message, as HTML. */
  first: string
  /** The same for tickets of the same requester. */
  key: string
  /** Whether the viewer can see the ticket. */
  visible: boolean
  notice: TaskCustomer['notice']
}

/**
 * Returns the tickets of a task's customers: the one that it came from or, if that was merged, the other one, and the
 * tickets of the same incident; each with what became of its requester after this delivery.
 */
export async function findCustomers(db: Db, task: number, viewer: Viewer): Promise<Customer[]> {
  const { rows } = await sql<Customer & { is_current: boolean }>`
    select t.id as ticket_id, t.title, coalesce(t.organization_id, 0) as org_id, o.name as organization, t.status,
      coalesce(nullif(u.name, ''), s.name, nullif(t.sender_name, ''), t.sender_email::text, 'Someone') as requester,
      p.email, coalesce(u.phone, t.sender_phone) as phone, u.banned_at is not null as banned, ${isBounced(sql`p.email`)} as bounced, t.created_at as asked_at,
      coalesce(f.message, '') as first, ${ofProducts('t', viewer)} as visible,
      coalesce(lower(p.email), 'user ' || t.customer_user_id, 'ticket ' || t.id) as key, n.notice, n.is_current
    from tasks k join tickets own on own.id = k.ticket_id
      join tickets a on a.id = coalesce(own.merged_into, own.id)
      join tickets t on (t.id = coalesce(a.incident_id, a.id) or t.incident_id = coalesce(a.incident_id, a.id) or t.id = a.id)
        and t.deleted_at is null and t.merged_into is null
      left join organizations o on o.organization_id = t.organization_id
      left join customer_users u on u.id = t.customer_user_id left join staff s on s.id = t.staff_id
      cross join lateral (select nullif(requester_address(t.id), '') as email) p
      left join lateral (select m.message from ticket_messages m where m.ticket_id = t.id and not m.sent_by_admin and ${isSaid}
        order by m.id limit 1) f on true
      left join lateral (${noticeOf(viewer)}) n on true
    where k.id = ${task} order by t.id`.execute(db)
  return rows.map(({ is_current, ...row }) => ({
    ...row,
    notice: is_current ? row.notice : null,
    earlier: row.notice && !is_current ? { state: row.notice.state, at: row.notice.at } : null,
  }))
}

/**
 * SQL for what became of ticket `t` for task `k`. A message that has since been moved to another ticket, by a merge,
 * counts there.
 */
const noticeOf = (viewer: Viewer) => sql`
  select c.created_at >= coalesce(k.status_at, '-infinity') as is_current, json_build_object(
    'state', c.state, 'reason', c.reason, 'who', w.name, 'is_own', c.staff_id = ${viewer.id}, 'at', to_char(c.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'mail', case when c.state = 'sent' and d.id is not null then json_build_object('id', d.id, 'state', coalesce(q.state, 'waiting'), 'error', q.last_error,
      'undo_seconds', case when q.state = 'held' and d.staff_id = ${viewer.id} and q.next_try_at > now()
        then ceil(extract(epoch from q.next_try_at - now()))::int end) end,
    'sent_in', case when c.state = 'skipped' then m.ticket_id end) as notice
  from task_notices c join staff w on w.id = c.staff_id left join ticket_messages m on m.id = c.message_id
    left join mails d on d.id = m.mail_id
    left join lateral (select r.state, r.next_try_at, r.last_error from mail_recipients r where r.mail_id = d.id order by r.is_cc, r.id limit 1) q on true
  where c.task_id = k.id and (c.ticket_id = t.id or c.state = 'sent' and m.ticket_id = t.id)
  order by is_current desc, c.ticket_id = t.id desc limit 1`

type Author = Viewer & { name: string }

interface TaskRow {
  title: string
  status: number
  description: string
  due_date: string | null
  is_notified: boolean
  delivered_at: string | null
  delivered_by: string | null
}

/** Returns a task with its customers, and the message to each to start from. */
export async function findNotices(
  app: App,
  db: Db,
  id: number,
  discipline: DisciplineName,
  viewer: Author,
): Promise<TaskNotices> {
  const { rows } = await sql<TaskRow>`
    select k.title, k.status, k.description, k.due_date, k.is_customer_notified as is_notified, k.status_at as delivered_at,
      (select s.name from task_activities a join staff s on s.id = a.created_by
        where a.task_id = k.id and a.status = k.status order by a.id desc limit 1) as delivered_by
    from tasks k where k.id = ${id}`.execute(db)
  const task = rows[0]
  if (!task) throw notFound('Task not found.')
  const { description, status, ...shown } = task
  const found = await findCustomers(db, id, viewer)
  const seen = found.filter(({ visible }) => visible)
  const customers: TaskCustomer[] = []
  for (const { banned, bounced, first, key, visible: _visible, ...customer } of seen) {
    const same = seen.find((one) => one.key === key)!.ticket_id
    const text = customer.notice ? undefined : await propose(app, db, viewer, customer, description, first)
    customers.push({
      ...customer,
      why: whyNotReached({ banned, bounced, email: customer.email }),
      words: truncate(plainText(first), 2000),
      same_as: same === customer.ticket_id ? null : same,
      proposal: text?.proposal ?? '',
      subject: text?.subject ?? '',
    })
  }
  return {
    ...shown,
    id,
    discipline,
    type: disciplineOf(discipline).type,
    status_name: statusName(status),
    status_tone: toneOf(status),
    is_delivered: status === delivered,
    due_date: datesOf(viewer.role_id).includes('due_date') ? task.due_date : null,
    customers,
    hidden: found.filter(({ visible, notice }) => !visible && !notice).length,
  }
}

const longestRelease = 3000

/**
 * Returns the message to start from, with the title of the ticket, that it is done, and the task's description. A task that
 * was made from the ticket repeats the customer's own words, which are left out.
 */
async function propose(
  app: App,
  db: Db,
  viewer: Author,
  { ticket_id, title, asked_at }: Pick<TaskCustomer, 'ticket_id' | 'title' | 'asked_at'>,
  description: string,
  first: string,
): Promise<{ proposal: string; subject: string }> {
  const asked = plainText(first)
  const release = truncate(textOf(description), longestRelease)
  const isRepeated = release === '' || flat(release) === flat(truncate(asked, longestRelease))
  const requester = await findRequester(db, ticket_id)
  const news = `Good news about “${title}”, which you asked for on ${dayText(asked_at.slice(0, 10))}: it is done.`
  const lines = [
    `Hi ${requester.first_name || 'there'},`,
    news,
    ...(isRepeated ? [] : release.split('\n')),
    'If you have any questions, reply to this email.',
    viewer.name,
  ]
  const proposal = lines.map((line) => html`<p>${line}</p>`.text).join('')
  const reply = { id: ticket_id, title, message: proposal }
  const { subject } = await writeWords(app, { db, viewer }, reply, requester)
  return { proposal, subject }
}

/** Returns the text of a message, which can be foreign HTML that is too deep to be cleaned. */
function plainText(message: string): string {
  try {
    return textOf(cleanHtml({ unclean: message }))
  } catch {
    return ''
  }
}

const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
