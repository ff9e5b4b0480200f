import { sql, type RawBuilder } from 'kysely'
import type { Reply } from '#shared/endpoint.ts'
import { chatRecord, type chat, type ChatMessage } from '#features/panel/chat/contract.ts'
import type { Db } from '#server/db/db.ts'

const find = async (db: Db, rest: RawBuilder<unknown>): Promise<ChatMessage[]> => {
  const { rows } = await sql<ChatMessage>`select m.id, m.message, m.created_at,
      json_build_object('id', s.id, 'slug', s.slug, 'name', s.name, 'avatar', s.picture) as user
    from chat_messages m join staff s on s.id = m.staff_id ${rest}`.execute(db)
  return rows
}

/** Returns messages, newest first, limited to those before `id` if given. */
export const findBefore = (db: Db, limit: number, id?: number) =>
  find(db, sql`where ${id === undefined ? sql`true` : sql`m.id < ${id}`} order by m.id desc limit ${limit}`)

/** Returns the messages after the given ID, oldest first. */
export const findAfter = (db: Db, after: number, limit: number) =>
  find(db, sql`where m.id > ${after} order by m.id limit ${limit}`)

const findOne = async (db: Db, where: RawBuilder<unknown>) => (await find(db, sql`where ${where}`))[0]

/** Stores a message; for a client ID that was already used, returns the stored message. */
export async function storeMessage(
  db: Db,
  staff_id: number,
  message: string,
  client_id: string | undefined,
): Promise<ChatMessage> {
  // The lock is held until the commit, so that messages become visible in ID order.
  await sql`select pg_advisory_xact_lock(hashtext('chat'))`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`insert into chat_messages (staff_id, message, client_id) values (${staff_id}, ${message}, ${client_id ?? null})
    on conflict do nothing returning id`.execute(db)
  const found = await findOne(
    db,
    rows[0] ? sql`m.id = ${rows[0].id}` : sql`m.staff_id = ${staff_id} and m.client_id = ${client_id}`,
  )
  return found!
}

export async function lastMessageId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from chat_messages`.execute(db)
  return rows[0]!.id
}

const mostCounted = 100

export async function findUnread(db: Db, staff_id: number): Promise<Reply<typeof chat.unread>> {
  const { rows } = await sql<
    Reply<typeof chat.unread>
  >`with own as (select coalesce((select message_id from chat_reads where staff_id = ${staff_id}), 0) as id)
    select own.id as last_read_id, (select count(*) from (select from chat_messages m where m.id > own.id and m.staff_id <> ${staff_id} limit ${mostCounted}) u) as count,
      exists (select from muted_records k where k.staff_id = ${staff_id} and k.record_type = ${chatRecord.type} and k.record_id = ${chatRecord.id}) as muted
    from own`.execute(db)
  return rows[0]!
}

/** Marks messages as read up to the given ID; this read position never moves backward. */
export async function readUpTo(db: Db, staff_id: number, id: number): Promise<void> {
  await sql`insert into chat_reads (staff_id, message_id) values (${staff_id}, ${id})
    on conflict (staff_id) do update set message_id = greatest(chat_reads.message_id, excluded.message_id)`.execute(
    db,
  )
}

/** Mutes the chat for an admin user, or unmutes it. */
export async function muteChat(db: Db, staff_id: number, muted: boolean): Promise<void> {
  const { type: record_type, id: record_id } = chatRecord
  if (muted)
    await db
      .insertInto('muted_records')
      .values({ staff_id, record_type, record_id })
      .onConflict((on) => on.doNothing())
      .execute()
  else
    await db
      .deleteFrom('muted_records')
      .where('staff_id', '=', staff_id)
      .where('record_type', '=', record_type)
      .where('record_id', '=', record_id)
      .execute()
}
