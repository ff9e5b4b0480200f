import { sql } from 'kysely'
import { activityTypes, disciplineOf } from '#features/tasks/tasks/rules.ts'
import { addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import { notAllowed } from '#server/http/errors.ts'
import { paragraphs } from '#server/html/html.ts'
import { cleanHtml, textOf } from '#server/html/html-clean.ts'
import { createRecord } from '#server/record/record.ts'
import type { Row, Writing } from '#server/record/rows.ts'

/**
 * Creates a development task of a ticket: with its title, its first message as text, and its organization, for the
 * first product of the organization that the viewer has. Returns the task's ID.
 * @throws HttpError 403 if none of the viewer's products uses development tasks.
 */
export async function createTaskOfTicket(context: Writing, ticket_id: number, ticket: Row): Promise<number> {
  const { db, viewer } = context
  const organization_id = ticket['organization_id'] as number | null
  const { products } = disciplineOf('development')
  const { rows } = await sql<{
    product_id: number
  }>`select product_id from organization_products where organization_id = ${organization_id}
      and product_id = any(${products.filter((one) => viewer.products.includes(one))}::int[]) order by 1 limit 1`.execute(
    db,
  )
  const product_id = rows[0]?.product_id ?? products.find((one) => viewer.products.includes(one))
  if (product_id === undefined) throw notAllowed('None of your products uses development tasks.')
  const first = await db
    .selectFrom('ticket_messages')
    .select('message')
    .where('ticket_id', '=', ticket_id)
    .orderBy('id')
    .executeTakeFirst()
  const description = paragraphs(textOf(cleanHtml({ unclean: first?.message ?? '' })), undefined)
    .map(({ text }) => text)
    .join('')
  const id = await createRecord(
    context,
    taskKind('development'),
    {
      title: ticket['title'],
      description,
      ticket_id,
      organization_ids: organization_id === null ? [] : [organization_id],
    },
    { discipline: 'development', product_id, status: 0, created_by: viewer.id },
  )
  await addActivity(db, { task_id: id, type: activityTypes.add, created_by: viewer.id, status: 0 })
  return id
}
