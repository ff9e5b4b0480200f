import { sql } from 'kysely'
import { mostFiles } from '#shared/files.ts'
import { activityTypes, datesOf, disciplineOf } from '#features/tasks/tasks/rules.ts'
import { addActivity } from '#features/tasks/tasks/server/activity.queries.ts'
import { taskKind } from '#features/tasks/tasks/server/tasks.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notAllowed } from '#server/http/errors.ts'
import { paragraphs } from '#server/html/html.ts'
import { cleanHtml, textOf } from '#server/html/html-clean.ts'
import { createRecord } from '#server/record/record.ts'
import type { Row, Writing } from '#server/record/rows.ts'

/**
 * Creates a development task of a ticket: with its title, its first message as text, its delivery date as the due date, the
 * files of its conversation, and its organization, for the first product of the organization that the viewer has. Returns the task's ID.
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
  const due_date = datesOf(viewer.role_id).includes('due_date') ? ticket['delivery_date'] : null
  const id = await createRecord(
    context,
    taskKind('development'),
    {
      title: ticket['title'],
      description,
      ticket_id,
      due_date,
      file_ids: await findFiles(db, ticket_id),
      organization_ids: organization_id === null ? [] : [organization_id],
    },
    { discipline: 'development', product_id, status: 0, created_by: viewer.id },
  )
  await addActivity(db, { task_id: id, type: activityTypes.add, created_by: viewer.id, status: 0 })
  return id
}

/** Returns the files that were attached to the messages of a ticket, the first ones if there are more than a task can have. */
async function findFiles(db: Db, ticket_id: number): Promise<number[]> {
  const { rows } = await sql<{ file_id: number }>`select k.file_id from ticket_messages m
      join file_links k on k.record_type = 'ticket_message' and k.record_id = m.id and k.role = 'attachment' and k.deleted_at is null
      left join mails a on a.id = m.mail_id
    where m.ticket_id = ${ticket_id} and a.called_off_at is null
    group by k.file_id order by min(m.id), min(k.position), k.file_id limit ${mostFiles}`.execute(db)
  return rows.map(({ file_id }) => file_id)
}
