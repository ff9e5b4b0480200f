import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Task } from '#features/tasks/tasks/contract.ts'
import { disciplineOf, tabsOf, type DisciplineName } from '#features/tasks/tasks/rules.ts'
import { findConversation } from '#features/crm/support/server/conversation.queries.ts'
import { maySeeTicket } from '#features/crm/support/server/support.queries.ts'
import { findActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { findIssues } from '#features/tasks/tasks/server/issues.queries.ts'
import { findReports } from '#features/tasks/tasks/server/reports.queries.ts'
import { redactFor, rowColumns, type Stored } from '#features/tasks/tasks/server/task-rows.ts'
import type { Db } from '#server/db/db.ts'
import type { Links } from '#server/files/signed-links.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { Row } from '#server/record/rows.ts'

/**
 * Returns a task with the data for the tabs that the viewer can see.
 * @param links signs the URLs of the ticket's files; if omitted, the files are left out
 * @throws HttpError 404 if the task doesn't exist for the viewer.
 */
export async function getTask(
  db: Db,
  discipline: DisciplineName,
  id: number,
  viewer: Viewer,
  links?: Links,
): Promise<Task> {
  const { rows } = await sql<
    Stored & Pick<Task, 'description' | 'created_by_name' | 'file_ids'>
  >`select ${rowColumns}, t.description,
      array(select f.file_id from file_links f where f.record_type = ${disciplineOf(discipline).type} and f.record_id = t.id and f.role = 'attachment'
        and f.deleted_at is null order by f.position, f.id) as file_ids,
      (select s.name from staff s where s.id = t.created_by) as created_by_name
    from tasks t where t.id = ${id} and t.deleted_at is null and t.discipline = ${discipline} and t.product_id = any(${[...viewer.products]}::int[])`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw notFound('Task not found.')
  const tabs = tabsOf(viewer, discipline)
  const ticket_id =
    tabs.includes('ticket') && row.ticket_id !== null && (await maySeeTicket(db, row.ticket_id, viewer))
      ? row.ticket_id
      : null
  const [messages, activity, reports, qa_issue] = await Promise.all([
    ticket_id === null ? [] : findConversation(db, ticket_id, viewer, links),
    tabs.includes('activity') ? findActivity(db, id) : undefined,
    tabs.includes('progress') ? findReports(db, { task_id: id }) : undefined,
    tabs.includes('issues') ? findIssues(db, id) : undefined,
  ])
  return {
    ...redactFor(viewer, row),
    description: row.description,
    file_ids: row.file_ids,
    created_by_name: row.created_by_name,
    ...(tabs.includes('ticket') ? { ticket: ticket_id === null ? null : { id: ticket_id, messages } } : {}),
    ...(activity ? { activity } : {}),
    ...(reports ? { reports } : {}),
    ...(qa_issue ? { qa_issue } : {}),
  }
}

/**
 * @throws HttpError 422 for an assignee without access to the product, an organization that doesn't use it,
 * or a ticket that the viewer cannot open.
 */
export async function demandFits(
  { db, viewer }: { db: Db; viewer: Viewer },
  product_id: number,
  {
    assigned_to,
    organization_ids,
    ticket_id,
  }: {
    assigned_to?: number | null | undefined
    organization_ids?: number[] | undefined
    ticket_id?: number | null | undefined
  },
  before: Row = {},
): Promise<void> {
  if (typeof ticket_id === 'number' && ticket_id !== before['ticket_id'])
    if (!(await maySeeTicket(db, ticket_id, viewer)))
      throw invalid('ticket_id', 'Enter the number of a ticket that you have access to.')
  if (assigned_to !== null && assigned_to !== undefined) {
    const person = await db
      .selectFrom('staff as s')
      .innerJoin('staff_products as p', 'p.staff_id', 's.id')
      .select('s.id')
      .where('s.id', '=', assigned_to)
      .where('s.banned_at', 'is', null)
      .where('p.product_id', '=', product_id)
      .executeTakeFirst()
    if (!person) throw invalid('assigned_to', 'Choose someone with access to this product.')
  }
  if (organization_ids?.length) {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from organizations o join organization_products p using (organization_id)
      where o.organization_id = any(${organization_ids}::int[]) and o.deleted_at is null and p.product_id = ${product_id}`.execute(
      db,
    )
    if (rows[0]!.count !== new Set(organization_ids).size)
      throw invalid('organization_ids', 'Choose organizations that use this product.')
  }
}
