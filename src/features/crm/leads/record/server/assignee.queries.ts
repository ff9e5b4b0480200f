import { can } from '#shared/access.ts'
import { sql } from 'kysely'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { findViewer } from '#server/http/session.ts'
import { mostNamed, notifyAssigned, type Assigning, type AssigningApp } from '#server/record/assigned.ts'

/**
 * Notifies the new assignee of leads, or of a part of one. Leads that the assignee can't open don't count.
 * @param part such as “the session”
 */
export async function notifyAssignee(
  app: AssigningApp,
  context: Omit<Assigning, 'viewer'> & { viewer: NonNullable<Assigning['viewer']> },
  assignee_id: number | null | undefined,
  ids: readonly number[],
  part?: string,
): Promise<void> {
  if (assignee_id === null || assignee_id === undefined || assignee_id === context.viewer.id) return
  const assignee = await findViewer(context.db, assignee_id)
  if (!assignee || !can(assignee, 'lead_detail')) return
  const { rows } = await sql<{ id: number; title: string; count: number }>`select lead_id as id,
      company_name as title, count(*) over ()::int as count from leads
    where lead_id = any(${ids}::int[]) and lead_for = any(${assignee.products}::int[])
    order by lead_id limit ${mostNamed}`.execute(context.db)
  const records = rows.map(({ id, title }) => ({ id, title }))
  const count = rows[0]?.count ?? 0
  await notifyAssigned(app, context, { assignee_id, kind: leadKind, part, records, count })
}
