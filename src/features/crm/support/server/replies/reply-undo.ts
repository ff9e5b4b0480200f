import { sql } from 'kysely'
import type { UndoDirection } from '#shared/operations.ts'
import type { Db } from '#server/db/db.ts'

const namesIn = {
  status: (id: number) => sql`select name from ticket_statuses where id = ${id}`,
  assignee_id: (id: number) => sql`select name from staff where id = ${id}`,
  list_id: (id: number) => sql`select name from board_lists where id = ${id}`,
}

const labels = {
  status: 'Status',
  assignee_id: 'Assignee',
  list_id: 'Board',
  customer_feedback: 'Feedback requested',
} as const

type Values = Readonly<Record<string, unknown>>

async function wordsOf(db: Db, column: keyof typeof labels, value: unknown): Promise<string> {
  if (column === 'customer_feedback') return value === true ? 'yes' : 'no'
  if (value === null || value === undefined) return column === 'assignee_id' ? 'Unassigned' : 'none'
  const { rows } = await sql<{ name: string }>`${namesIn[column](Number(value))}`.execute(db)
  return rows[0]?.name ?? `#${Number(value)}`
}

/**
 * Says what the undo or redo of a reply has changed on its ticket, and what became of the reply itself, which
 * neither sends nor unsends it; undefined if the operation was not a reply.
 */
export async function describeReplyUndo(
  db: Db,
  operation: number,
  way: UndoDirection,
): Promise<string | undefined> {
  const { rows } = await sql<{ before: Values; after: Values; mail: string | null }>`
    select c.before, c.after, case when a.called_off_at is not null then 'canceled' else r.state end as mail
    from ticket_messages m
      join record_changes c on c.operation_id = m.operation_id and c.record_type = 'ticket' and c.record_id = m.ticket_id
      left join mails a on a.id = m.mail_id
      left join lateral (select q.state from mail_recipients q where q.mail_id = m.mail_id order by q.is_cc, q.id limit 1) r on true
    where m.operation_id = ${operation}`.execute(db)
  const reply = rows[0]
  if (!reply) return undefined
  const [from, to] = way === 'undo' ? [reply.after, reply.before] : [reply.before, reply.after]
  const changes: string[] = []
  for (const column of Object.keys(labels) as (keyof typeof labels)[])
    if (column in to && JSON.stringify(from[column]) !== JSON.stringify(to[column]))
      changes.push(
        `${labels[column]}: ${await wordsOf(db, column, from[column])} → ${await wordsOf(db, column, to[column])}`,
      )
  return [...changes, replyWords(reply.mail)].map((words) => `${words}.`).join(' ')
}

function replyWords(mail: string | null): string {
  if (mail === null) return 'The reply stays'
  if (mail === 'canceled') return 'The reply was canceled and isn’t sent'
  if (mail === 'sent') return 'The reply was already sent'
  return mail === 'failed' || mail === 'stopped' ? 'The reply wasn’t sent' : 'The reply will still be sent'
}
