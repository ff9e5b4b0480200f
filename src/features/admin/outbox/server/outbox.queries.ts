import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  mailStates,
  recipientsPerPage,
  recipientsShown,
  type MailProgress,
  type MailRow,
  type MailState,
  type WholeMail,
} from '#shared/mails.ts'
import {
  mostCounted,
  outboxPerPage,
  type MailServer,
  type OutboxFilters,
} from '#features/admin/outbox/contract.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { findNames } from '#server/record/names.ts'
import type { Outbox } from '#server/mail/outbox.ts'
import { conditionsOf, dayEnd, dayStart, findPage, matchesSearch } from '#server/record/list.ts'
import type { RecordKind } from '#server/record/rows.ts'

const recipientColumns = sql`x.address, x.state, x.attempts, x.next_try_at, x.last_error, x.last_error_at, x.sent_at`
const everyone = sql<boolean>`true`
/** Columns of an email `m`; `shown` is the condition for the recipients `x` that the viewer can see. */
const rowColumns = (
  shown: RawBuilder<boolean>,
) => sql`m.id, m.kind, m.subject, m.created_at, m.record_type, m.record_id, m.bulk, m.called_off_at is not null as called_off,
  (select s.name from staff s where s.id = m.staff_id) as who,
  (select json_build_object('total', count(*), 'waiting', count(*) filter (where r.state in ('waiting', 'sending')),
    'sent', count(*) filter (where r.state = 'sent'), 'failed', count(*) filter (where r.state = 'failed'),
    'stopped', count(*) filter (where r.state = 'stopped'), 'held', count(*) filter (where r.state = 'held'),
    'canceled', count(*) filter (where r.state = 'canceled'), 'unsubscribed', count(*) filter (where r.state = 'unsubscribed'))
    from mail_recipients r where r.mail_id = m.id) as progress,
  (select coalesce(json_agg(one), '[]') from (select ${recipientColumns} from mail_recipients x where x.mail_id = m.id and ${shown}
    order by x.address limit ${sql.lit(recipientsShown)}) one) as recipients`

/** SQL conditions for the emails `m`, and for their recipients `x`, that a viewer can see. */
interface Shown {
  seen: RawBuilder<unknown>
  shown: RawBuilder<boolean>
}

/** Returns a page of the emails that the viewer can see, newest first. */
export async function findMails(db: Db, { seen, shown }: Shown, filters: OutboxFilters, viewer: Viewer) {
  const conditions = conditionsOf<OutboxFilters>(filters, {
    search: (search) =>
      sql`m.id in (select s.id from mails s where ${matchesSearch('s.search', search)}
        union all select x.mail_id from mail_recipients x join mails m on m.id = x.mail_id where ${matchesSearch('x.search', search)} and ${shown}
        union all select x.mail_id from mail_recipients x join mails m on m.id = x.mail_id where x.address = ${search.trim()} and ${shown})`,
    state: (state) =>
      sql`exists (select from mail_recipients r where r.mail_id = m.id and r.state = ${state})`,
    staff_id: (id) => sql`m.staff_id = ${id}`,
    from: (from) => sql`m.created_at >= ${dayStart(from, viewer)}`,
    to: (to) => sql`m.created_at < ${dayEnd(to, viewer)}`,
  })
  const wanted = sql.join([seen, ...conditions], sql` and `)
  const [rows, { rows: totals }, { rows: states }] = await Promise.all([
    mailRows(
      db,
      shown,
      sql`where ${wanted} order by m.id desc limit ${outboxPerPage} offset ${(filters.page - 1) * outboxPerPage}`,
    ),
    sql<{
      total: number
    }>`select count(*) as total from (select from mails m where ${wanted} limit ${mostCounted}) one`.execute(
      db,
    ),
    sql<{ state: MailState; count: number }>`
      with seen as materialized (select m.id from mails m where ${seen})
      select s.state, (select count(*) from (select from mail_recipients r where r.state = s.state and r.mail_id in (select id from seen)
        limit ${mostCounted}) one) as count from unnest(${Object.keys(mailStates)}::text[]) s (state)`.execute(
      db,
    ),
  ])
  const none = Object.fromEntries(Object.keys(mailStates).map((one) => [one, 0])) as Record<MailState, number>
  const counts = { ...none, ...Object.fromEntries(states.map((one) => [one.state, one.count])) }
  return { data: rows, total: totals[0]!.total, per_page: outboxPerPage, counts }
}

/** Returns when the mail server last accepted an email, and its last error for a recipient whom the viewer can see. */
export async function findServerState(
  db: Db,
  host: string | null,
  { seen, shown }: Shown,
): Promise<MailServer> {
  const [sent, failed] = await Promise.all([
    sql<{ at: string | null }>`select max(sent_at) as at from mail_recipients`.execute(db),
    sql<{
      at: string
      text: string
      mail_id: number
    }>`select x.last_error_at as at, x.last_error as text, m.id as mail_id
      from mail_recipients x join mails m on m.id = x.mail_id where x.last_error_at is not null and ${seen} and ${shown}
      order by x.last_error_at desc limit 1`.execute(db),
  ])
  return { host, last_sent_at: sent.rows[0]!.at, last_error: failed.rows[0] ?? null }
}

/** Returns the emails for records of one type, newest first; `ids` is SQL that yields the record IDs. */
export const findMailsOf = (
  db: Db,
  type: string,
  ids: RawBuilder<unknown>,
  shown: RawBuilder<boolean> = everyone,
): Promise<MailRow[]> =>
  mailRows(
    db,
    shown,
    sql`where m.record_type = ${type} and m.record_id in ${ids} order by m.id desc limit 100`,
  )

async function mailRows(db: Db, shown: RawBuilder<boolean>, rest: RawBuilder<unknown>): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`select ${rowColumns(shown)} from mails m ${rest}`.execute(db)
  return rows.map(withInstants)
}

interface Found extends Omit<WholeMail, 'may_steer' | 'record_name'> {
  staff_id: number | null
  seen: boolean
  reaches: boolean
}

/**
 * Returns an email that the viewer can read. Roles 0 and 1 can read the emails listed in their outbox; other
 * roles can read an email if they can read its record or, if it has none, if they wrote the email and can see one
 * of its recipients. Only those who can see all recipients can steer it.
 * @throws HttpError 404
 */
export async function getMail(
  db: Db,
  { mail: { access }, records }: { mail: Pick<Outbox, 'access'>; records: { all: () => RecordKind[] } },
  viewer: Viewer,
  id: number,
): Promise<WholeMail> {
  const isAdmin = isAdminRole(viewer.role_id)
  const shown = access.shownRecipients(viewer)
  const { rows } =
    await sql<Found>`select ${rowColumns(shown)}, m."from", m.reply_to, m.message_id, m.html, m.text, m.staff_id, ${access.listed(viewer, records.all())} as seen, ${access.reachesShown(viewer)} as reaches,
    (select count(*) from mail_recipients x where x.mail_id = m.id and not ${shown}) as hidden,
    (select coalesce(json_agg(json_build_object('name', a.name, 'mime', a.mime) order by a.position), '[]') from mail_attachments a where a.mail_id = m.id) as attachments
    from mails m where m.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw notFound('Email not found.')
  const { staff_id, seen, reaches, ...found } = row
  const isOwn = staff_id === viewer.id
  const record = found.record_type === null ? undefined : { type: found.record_type, id: found.record_id! }
  const reads = isAdmin ? seen : record ? await access.isReadable(db, record, viewer) : isOwn && reaches
  if (!reads) throw notFound('Email not found.')
  const nameOf = await findNames(db, records.all(), record ? [record] : [], viewer)
  const record_name = nameOf(found.record_type, found.record_id) ?? null
  return withInstants({ ...found, record_name, may_steer: (isAdmin || isOwn) && found.hidden === 0 })
}

/** Returns a page of an email's recipients that the viewer can see. */
export function findRecipients(
  db: Db,
  mail_id: number,
  shown: RawBuilder<boolean>,
  { page, state }: { page: number; state?: MailState | undefined },
) {
  const wanted = sql`from mail_recipients x join mails m on m.id = x.mail_id
    where m.id = ${mail_id} and ${state === undefined ? sql`true` : sql`x.state = ${state}`} and ${shown}`
  return findPage(
    db,
    page,
    recipientsPerPage,
    (limit) =>
      sql<MailRow['recipients'][number]>`select ${recipientColumns} ${wanted} order by x.address ${limit}`,
    wanted,
  )
}

/** Normalizes timestamps, which PostgreSQL formats differently in JSON. */
const withInstants = <Row extends { recipients: MailRow['recipients']; progress: MailProgress }>(
  row: Row,
): Row => ({
  ...row,
  recipients: row.recipients.map((one) => ({
    ...one,
    next_try_at: asInstant(one.next_try_at),
    last_error_at: one.last_error_at && asInstant(one.last_error_at),
    sent_at: one.sent_at && asInstant(one.sent_at),
  })),
})
const asInstant = (text: string) => new Date(text).toISOString()
