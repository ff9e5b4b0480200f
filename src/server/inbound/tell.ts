import { sql } from 'kysely'
import type { App } from '#server/app.ts'
import type { FiledEmail, Receiving } from '#server/inbound/inbox.ts'
import { idOf, type RecordKind } from '#server/record/rows.ts'

interface Told {
  kind: RecordKind
  id: number
  email: FiledEmail
  /** The author of the email that it answers. */
  staff_id: number | null
}

/** Sends a notice about an email to the author of the one that it answers or, if there is none, to the record's assignee. */
export async function tellAboutEmail(
  app: App,
  { db, viewer, afterCommit }: Receiving,
  { kind, id, email, staff_id }: Told,
): Promise<void> {
  const { assignee = 'null::int' } = app.inbox.placeOf(kind.type)
  const who = email.from_name || email.from_address || 'Someone'
  const words = `${who}: ${email.subject || '(no subject)'}`
  const { rows } = await sql<{ staff_id: number }>`
    insert into notices (kind, staff_id, by_staff_id, record_type, record_id, anchor, title, words)
    select 'email_received', s.id, s.id, ${kind.type}, ${id}, ${`received-${email.id}`}, left(${sql.raw(kind.name)}, 300), left(${words}, 500)
    from ${sql.table(kind.table)} r join staff s on s.id = coalesce(${staff_id}::int, ${sql.raw(assignee)})
    where r.${sql.ref(idOf(kind))} = ${id} and s.banned_at is null and s.deleted_at is null and s.id is distinct from ${viewer?.id ?? null}
      and not exists (select from notices n where n.staff_id = s.id and n.record_type = ${kind.type} and n.record_id = ${id} and n.created_at = now())
      and not exists (select from muted_records u where u.staff_id = s.id and u.record_type = ${kind.type} and u.record_id = ${id})
    returning staff_id`.execute(db)
  for (const row of rows) afterCommit(() => app.live.publish(`private-staff.${row.staff_id}`, 'notices', {}))
}
