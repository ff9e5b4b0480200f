import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

const most = 12

interface Entry {
  id: number
  at: string
  who: string
  act: string
  target_type: string | null
  target_id: number | null
}

/** Returns the most recent entries in the audit log. */
export const findLastAudit = (db: Db): Promise<Entry[]> =>
  db
    .selectFrom('audit_log as a')
    .leftJoin('staff as s', 's.id', 'a.staff_id')
    .select([
      'a.id',
      'a.at',
      sql<string>`coalesce(s.name, 'System')`.as('who'),
      sql<string>`coalesce(nullif(a.act, ''), a.endpoint)`.as('act'),
      'a.target_type',
      'a.target_id',
    ])
    .orderBy('a.id', 'desc')
    .limit(most)
    .execute()
