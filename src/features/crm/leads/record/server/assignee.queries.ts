import { can } from '#shared/access.ts'
import { sql, type Transaction } from 'kysely'
import type { App } from '#server/app.ts'
import type { Database } from '#server/db/db.ts'
import { findViewer, type SignedIn } from '#server/http/session.ts'
import { addNotices } from '#server/record/notices.ts'

interface Assigning {
  db: Transaction<Database>
  viewer: SignedIn
  afterCommit: (action: () => void) => void
}

/**
 * Notifies the new assignee of leads, once however many there are. Leads that the assignee can't open don't count, and
 * users aren't notified of leads that they assign to themselves.
 */
export async function notifyAssignee(
  app: Pick<App, 'live'>,
  { db, viewer, afterCommit }: Assigning,
  assignee_id: number | null | undefined,
  ids: readonly number[],
): Promise<void> {
  if (assignee_id === null || assignee_id === undefined || assignee_id === viewer.id) return
  const assignee = await findViewer(db, assignee_id)
  if (!assignee || !can(assignee, 'lead_detail')) return
  const { rows } = await sql<{ id: number; title: string; count: number }>`select lead_id as id,
      company_name as title, count(*) over ()::int as count from leads
    where lead_id = any(${ids}::int[]) and lead_for = any(${assignee.products}::int[]) order by lead_id limit 1`.execute(
    db,
  )
  const [first] = rows
  if (!first) return
  const more = first.count - 1
  const others = more === 0 ? '' : more === 1 ? ' and 1 other' : ` and ${more.toLocaleString('en-US')} others`
  await addNotices(
    app,
    { db, afterCommit },
    {
      kind: 'assigned',
      by: viewer.id,
      words: `${viewer.name} assigned this lead${others} to you.`,
      people: [{ id: assignee_id, record: { type: 'lead', id: first.id, title: first.title, anchor: '' } }],
    },
  )
}
