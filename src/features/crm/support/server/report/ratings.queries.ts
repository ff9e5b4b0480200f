import { sql } from 'kysely'
import { findAsksRating } from '#features/admin/settings/server/panel-settings.queries.ts'
import { settledStatuses } from '#features/crm/support/rules.ts'
import type { App, WriteContext } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'

/** Returns whether a reply that leaves a ticket with this status asks how satisfied the customer is. */
export const asksForRating = async ({ settings }: App, db: Db, status: number): Promise<boolean> =>
  settledStatuses.includes(status) && settings.publicUrl !== undefined && (await findAsksRating(db))

/** Stores that the email of a reply asks for a rating. */
export async function noteQuestion(
  { db, clock }: Pick<WriteContext<never>, 'db' | 'clock'>,
  message_id: number,
): Promise<void> {
  await db.insertInto('ticket_ratings').values({ message_id, asked_at: clock.now().toISOString() }).execute()
}

export const isAsked = async (db: Db, message_id: number): Promise<boolean> =>
  (await db
    .selectFrom('ticket_ratings')
    .select('message_id')
    .where('message_id', '=', message_id)
    .executeTakeFirst()) !== undefined

/** SQL over a message `m`: its rating, or null if there is none. */
export const ratingOfMessage = sql`(select json_build_object('score', case when r.is_good then 'good' else 'bad' end,
    'comment', r.comment, 'rated_at', to_char(r.rated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from ticket_ratings r where r.message_id = m.id and r.rated_at is not null)`
