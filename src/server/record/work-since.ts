import { sql, type RawBuilder } from 'kysely'
import type { RecordKind } from '#server/record/rows.ts'
import type { Work } from '#server/record/undo-rules.ts'

/*
 * Work on a record since it was created: whatever hangs on it and was added later. The undo of the creation, which would
 * move the record to the trash, leaves such a record where it is.
 */

/** Rows of a table belong to records of every type. Emails count if someone wrote them, and didn’t cancel them. */
function workOfEveryType({ type }: RecordKind, id: RawBuilder<unknown>): Work[] {
  const of = (row: string) =>
    sql`${sql.ref(`${row}.record_type`)} = ${type} and ${sql.ref(`${row}.record_id`)} = ${id}`
  return [
    {
      what: 'a note',
      exists: sql`exists (select from notes n where ${of('n')} and n.created_at > r.created_at)`,
    },
    {
      what: 'an email',
      exists: sql`(exists (select from mails m where ${of('m')} and m.created_at > r.created_at
          and m.staff_id is not null and m.called_off_at is null)
        or exists (select from received_mails v where ${of('v')} and v.received_at > r.created_at))`,
    },
    {
      what: 'a file',
      exists: sql`exists (select from file_links f where ${of('f')} and f.created_at > r.created_at
        and f.deleted_at is null)`,
    },
    {
      what: 'a quick task',
      exists: sql`exists (select from quick_tasks q where q.entity = ${type} and q.entity_id = ${id}
        and q.created_at > r.created_at and q.deleted_at is null)`,
    },
  ]
}

/** SQL over `r` for a sentence about the work on a record since it was created; null if there is none. */
export function workSince(kind: RecordKind): RawBuilder<string | null> {
  const all = [...workOfEveryType(kind, sql.ref(`r.${kind.id ?? 'id'}`)), ...(kind.undo?.work ?? [])]
  const names = all.map(({ what, exists }) => sql`case when ${exists} then ${what}::text end`)
  return sql<string | null>`'It has ' || nullif(concat_ws(', ', ${sql.join(names)}), '') || ' since then.'`
}
