import { sql, type Transaction } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import type { Database } from '#server/db/db.ts'
import type { App } from '#server/app.ts'

/** The record that a notice is about, and the entry on its page. */
export interface NoticeRecord {
  type: string
  id: number
  title: string
  /** ID of the element on the page; empty for the record as a whole. */
  anchor: string
}

interface Noticing {
  db: Transaction<Database>
  afterCommit: (action: () => void) => void
}

interface Notice {
  kind: 'mention' | 'email_failed' | 'assigned' | 'followed' | 'snooze_ended' | 'target_due' | 'rated'
  /** The admin user who did it; null if a customer or the panel did. */
  by: number | null
  words: string
  people: readonly { id: number; record: NoticeRecord }[]
}

const longestTitle = 300
const longestWords = 500

/**
 * Adds a notice for each of these admin users, and updates their open pages. The author and users who muted the record
 * are skipped; returns the others.
 */
export async function addNotices<Person extends Notice['people'][number]>(
  { live }: Pick<App, 'live'>,
  { db, afterCommit }: Noticing,
  { kind, by, words, people }: Omit<Notice, 'people'> & { people: readonly Person[] },
): Promise<readonly Person[]> {
  const listening = await withoutMuted(
    db,
    people.filter(({ id }) => id !== by),
  )
  if (!listening.length) return []
  await db
    .insertInto('notices')
    .values(
      listening.map(({ id, record: { type, id: record_id, title, anchor } }) => ({
        kind,
        staff_id: id,
        // A notice that no admin user caused is by its reader.
        by_staff_id: by ?? id,
        record_type: type,
        record_id,
        anchor,
        title: truncate(title, longestTitle),
        words: truncate(words, longestWords),
      })),
    )
    .onConflict((on) => on.doNothing())
    .execute()
  afterCommit(() => {
    for (const { id } of listening) live.publish(`private-staff.${id}`, 'notices', {})
  })
  return listening
}

async function withoutMuted<Person extends Notice['people'][number]>(
  db: Transaction<Database>,
  people: readonly Person[],
): Promise<readonly Person[]> {
  if (!people.length) return []
  const { rows } = await sql<{ staff_id: number; record_type: string; record_id: number }>`select staff_id,
      record_type, record_id from muted_records where staff_id = any(${people.map(({ id }) => id)}::int[])`.execute(
    db,
  )
  const muted = new Set(rows.map((row) => `${row.staff_id} ${row.record_type} ${row.record_id}`))
  return people.filter(({ id, record }) => !muted.has(`${id} ${record.type} ${record.id}`))
}
