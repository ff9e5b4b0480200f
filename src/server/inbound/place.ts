import { sql } from 'kysely'
import { isRepliedType, type RepliedType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'
import { findAnswered, tokensIn } from '#server/inbound/reply-tokens.ts'
import { idOf } from '#server/record/rows.ts'

/** Where an email belongs, and how that was found. */
export interface FoundPlace {
  /** Undefined if the email that it answers is about no record, or about one that is in the trash. */
  record: { type: RepliedType; id: number | 'create' } | undefined
  by: 'token' | 'references' | 'subject' | 'address' | 'gateway'
  mail_id: number | null
  /** The admin user who wrote the email that it answers. */
  staff_id: number | null
}

interface Candidate {
  record_type: string | null
  record_id: number | null
  mail_id: number | null
  staff_id: number | null
}

/**
 * Finds the record that an email belongs to: by the token in the address that it was sent to; by the emails
 * that it refers to, if its sender belongs to their record, because a Message-ID can be copied; or by the
 * number of a ticket in its subject, if its sender belongs to the ticket.
 */
export async function findPlace(app: App, db: Db, email: ParsedEmail): Promise<FoundPlace | undefined> {
  const answered = await findAnswered(db, tokensIn(email.delivered_to, app.settings.inboundAddress))
  if (answered) return placeOf(app, db, answered, 'token')
  const isReport = email.report !== null
  for (const candidate of await findReferred(db, email)) {
    const place = await placeOf(app, db, candidate, 'references')
    if (isReport || (place.record && (await belongs(app, db, place.record, email.from?.address))))
      return place
  }
  const number = /\[#(\d{1,9})\]/.exec(email.subject)?.[1]
  if (number === undefined) return undefined
  const named = { record_type: 'ticket', record_id: Number(number), mail_id: null, staff_id: null }
  const place = await placeOf(app, db, named, 'subject')
  return place.record && (await belongs(app, db, place.record, email.from?.address)) ? place : undefined
}

async function placeOf(
  app: App,
  db: Db,
  { record_type: type, record_id: id, mail_id, staff_id }: Candidate,
  by: FoundPlace['by'],
): Promise<FoundPlace> {
  const kept = isRepliedType(type) && id !== null ? await findKept(app, db, type, id) : undefined
  const record = isRepliedType(type) && kept !== undefined ? { type, id: kept } : undefined
  return { record, by, mail_id, staff_id }
}

/** Merged records lead to the one that stays, which can have been merged itself. */
const mostMerges = 10

/**
 * Locks the record that has the emails of a record: itself or, if it was merged, the one that stays; returns undefined
 * if that doesn't exist or is in the trash.
 */
async function findKept(app: App, db: Db, type: RepliedType, id: number): Promise<number | undefined> {
  const kind = app.records.get(type)
  const into = kind.mergedInto === undefined ? sql`null::int` : sql.ref(`r.${kind.mergedInto}`)
  let kept = id
  for (let merges = 0; merges <= mostMerges; merges += 1) {
    const { rows } = await sql<{ into: number | null; is_deleted: boolean }>`
      select ${into} as into, r.deleted_at is not null as is_deleted from ${sql.table(kind.table)} r
      where r.${sql.ref(idOf(kind))} = ${kept} for update`.execute(db)
    const [row] = rows
    if (!row) return undefined
    if (row.into === null) return row.is_deleted ? undefined : kept
    kept = row.into
  }
  return undefined
}

const mostReferred = 50

/** Returns the emails that an email refers to, the last one first: ours, and others that we received. */
async function findReferred(db: Db, { in_reply_to, references, report }: ParsedEmail): Promise<Candidate[]> {
  const ids = (`${references} ${in_reply_to} ${report?.message_id ?? ''}`.match(/<[^<>\s]+>/g) ?? []).slice(
    -mostReferred,
  )
  if (ids.length === 0) return []
  const { rows } = await sql<Candidate & { message_id: string }>`
    select m.message_id, m.record_type, m.record_id, m.id as mail_id, m.staff_id from mails m where m.message_id = any(${ids}::text[])
    union all select r.message_id, r.record_type, r.record_id, null, null from received_mails r
      where r.message_id = any(${ids}::text[]) and r.record_type is not null`.execute(db)
  return rows.toSorted((one, other) => ids.lastIndexOf(other.message_id) - ids.lastIndexOf(one.message_id))
}

/** Returns whether an address belongs to a record: one of its people, or someone it was written to. */
async function belongs(
  app: App,
  db: Db,
  { type, id }: { type: RepliedType; id: number | 'create' },
  address: string | undefined,
): Promise<boolean> {
  if (address === undefined || id === 'create') return false
  const people = (await app.records.get(type).people?.(db, id)) ?? []
  if (people.some((one) => (one.address ?? '').trim().toLowerCase() === address)) return true
  if (await app.inbox.placeOf(type).belongs?.(db, id, address)) return true
  const { rows } = await sql`select 1 from mail_recipients r join mails m on m.id = r.mail_id
      where m.record_type = ${type} and m.record_id = ${id} and m.takes_replies and r.address = ${address}::citext
    union all select 1 from received_mails r where r.record_type = ${type} and r.record_id = ${id}
      and r.from_address = ${address}::citext and r.verified_by is not null limit 1`.execute(db)
  return rows.length > 0
}
