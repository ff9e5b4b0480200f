import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { MentionedRecord } from '#server/record/mentions.ts'
import { findReaders, pageOf, type Reader } from '#server/record/readers.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'

export interface Mentionable extends Reader {
  /** Task that leads to the ticket, for a person who can't open the ticket. */
  task?: MentionedRecord
}

/**
 * Returns the admin users who can be mentioned about a ticket, by name: those who can open it, and those who can
 * open a task of it, such as its developers.
 */
export async function findMentionable(
  { records }: Pick<App, 'records'>,
  db: Db,
  ticket_id: number,
): Promise<Mentionable[]> {
  const tasks = await db
    .selectFrom('tasks')
    .select(['id', 'title', 'discipline'])
    .where('ticket_id', '=', ticket_id)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(mostTasks)
    .execute()
  const found = new Map<number, Mentionable>()
  for (const person of await findReaders(db, ticketKind, ticket_id)) found.set(person.id, person)
  for (const { id, title, discipline } of tasks) {
    const kind = records.get(discipline === 'designer' ? 'designer_task' : 'task')
    const task = { type: kind.type, id, title, path: pageOf(kind, id), anchor: '' }
    for (const person of await findReaders(db, kind, id))
      if (!found.has(person.id)) found.set(person.id, { ...person, task })
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id)
}

/** The newest tasks of a ticket lead to it; a ticket rarely has more than one. */
const mostTasks = 5
