import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { conflict } from '#server/http/errors.ts'
import type { Writing } from '#server/record/rows.ts'

/** Settings that are saved as a whole. */
interface VersionedSettings<Stored extends { version: number }> {
  /** The table that a save replaces; its name, with spaces, is also in messages. */
  table: 'assignment_rules' | 'ticket_rules' | 'service_targets'
  find: (db: Db) => Promise<Stored>
  /** The part that the history shows. */
  inHistory: (stored: Stored) => unknown
}

/**
 * Replaces settings. Of two saves at the same time, the second is compared with what the first has written.
 * @param version the version that was edited
 * @param write writes the values and the version, which is the next one
 * @throws HttpError 409 with the current settings if someone else has saved since
 */
export async function replaceSettings<Stored extends { version: number }>(
  { db, audit, changed }: Pick<Writing, 'db' | 'audit' | 'changed'>,
  { table, find, inHistory }: VersionedSettings<Stored>,
  version: number,
  write: (before: Stored, next: { version: number }) => Promise<void>,
): Promise<{ message: string; data: Stored }> {
  const name = table.replace('_', ' ')
  await sql`lock table ${sql.table(table)} in exclusive mode`.execute(db)
  const before = await find(db)
  if (before.version !== version)
    throw conflict(`Someone else changed the ${name}. Reload the page to see them.`, before)
  await write(before, { version: version + 1 })
  const data = await find(db)
  audit({
    target: 'settings',
    id: 1,
    before: { [table]: inHistory(before) },
    after: { [table]: inHistory(data) },
  })
  changed('settings', [1])
  return { message: `${name[0]!.toUpperCase()}${name.slice(1)} saved.`, data }
}

/** Writes the version of settings that have no other value in their row. */
export async function writeVersion(
  db: Db,
  table: 'assignment_settings' | 'ticket_rule_settings',
  next: { version: number },
): Promise<void> {
  await db
    .insertInto(table)
    .values(next)
    .onConflict((on) => on.column('id').doUpdateSet(next))
    .execute()
}
