import { sql } from 'kysely'
import { findVisible } from '#features/admin/logs/server/audit.queries.ts'
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

/** Returns the most recent entries that a viewer sees in the audit log. */
export async function findLastAudit(db: Db, reader: Parameters<typeof findVisible>[1]): Promise<Entry[]> {
  const seen = await findVisible(db, reader)
  const { rows } = await sql<Entry>`select a.id, a.at, coalesce(s.name, 'System') as who,
      coalesce(nullif(a.act, ''), a.endpoint) as act, a.target_type, a.target_id
    from audit_log a left join staff s on s.id = a.staff_id where ${seen('a')} order by a.id desc limit ${most}`.execute(
    db,
  )
  return rows
}
