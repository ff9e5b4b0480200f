import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { outboxPerPage, type MailRow, type MailState, type WholeMail } from '#features/admin/outbox/contract.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'

const rowColumns = sql`m.id, m.kind, m.subject, m.created_at, m.lead_id,
  (select s.first_name || ' ' || s.last_name from staff s where s.id = m.staff_id) as who,
  (select json_agg(json_build_object('address', r.address, 'state', r.state, 'attempts', r.attempts, 'next_try_at', r.next_try_at, 'last_error', r.last_error,
    'sent_at', r.sent_at) order by r.address) from mail_recipients r where r.mail_id = m.id) as recipients`

/** Mails about a lead of a product that is not the viewer's do not exist for him. */
const seenBy = ({ products }: Viewer) => sql`(m.lead_id is null or exists (select from leads l where l.lead_id = m.lead_id and l.lead_for = any(${products})))`

export async function findMails(db: Db, viewer: Viewer, page: number, state: MailState | undefined) {
  const wanted = sql`${seenBy(viewer)} and ${state === undefined ? sql`true` : sql`exists (select from mail_recipients r where r.mail_id = m.id and r.state = ${state})`}`
  const [rows, { rows: totals }, { rows: states }] = await Promise.all([
    mailRows(db, sql`where ${wanted} order by m.id desc limit ${outboxPerPage} offset ${(page - 1) * outboxPerPage}`),
    sql<{ total: number }>`select count(*) as total from mails m where ${wanted}`.execute(db),
    sql<{ state: MailState; count: number }>`
      select r.state, count(*) as count from mail_recipients r join mails m on m.id = r.mail_id where ${seenBy(viewer)} group by r.state`.execute(db),
  ])
  const counts = { waiting: 0, sending: 0, sent: 0, failed: 0, ...Object.fromEntries(states.map((one) => [one.state, one.count])) }
  return { data: rows, total: totals[0]!.total, per_page: outboxPerPage, counts }
}

/** The mails about leads, which an SQL list of their ids names, newest first. */
export const findMailsOfLeads = (db: Db, lead_ids: RawBuilder<unknown>): Promise<MailRow[]> =>
  mailRows(db, sql`where m.lead_id in ${lead_ids} order by m.id desc limit 100`)

async function mailRows(db: Db, rest: RawBuilder<unknown>): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`select ${rowColumns} from mails m ${rest}`.execute(db)
  return rows.map(withInstants)
}

/** @throws HttpError 404 */
export async function getMail(db: Db, viewer: Viewer, id: number): Promise<WholeMail> {
  const { rows } = await sql<WholeMail>`select ${rowColumns}, m."from", m.reply_to, m.message_id, m.html, m.text
    from mails m where m.id = ${id} and ${seenBy(viewer)}`.execute(db)
  if (!rows[0]) throw notFound('Mail')
  return withInstants(rows[0])
}

/** JSON of PostgreSQL writes instants in a form of its own. */
const withInstants = <Row extends MailRow>(row: Row): Row => ({
  ...row,
  recipients: row.recipients.map((one) => ({
    ...one,
    next_try_at: asInstant(one.next_try_at),
    sent_at: one.sent_at && asInstant(one.sent_at),
  })),
})
const asInstant = (text: string) => new Date(text).toISOString()
