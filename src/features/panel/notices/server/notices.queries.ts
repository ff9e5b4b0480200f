import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Notice, UnreadRecord } from '#features/panel/notices/contract.ts'
import type { Db } from '#server/db/db.ts'
import { canOpen } from '#server/record/readers.ts'
import type { RecordKind } from '#server/record/rows.ts'

/** Number of notices loaded at a time. */
const noticesAtOnce = 30

/** SQL condition for notices `n` that are the viewer's, but not of deleted notes. */
const own = (viewer: Viewer) => sql`n.staff_id = ${viewer.id} and not n.withdrawn`

/** SQL condition for notices `n` of records that the viewer can still open. */
const opened = (kinds: readonly RecordKind[], viewer: Viewer) =>
  canOpen(kinds, viewer, { type: 'n.record_type', id: 'n.record_id' })

const ofViewer = (kinds: readonly RecordKind[], viewer: Viewer) =>
  sql`${own(viewer)} and ${opened(kinds, viewer)}`

interface Which {
  unread: 0 | 1
  before?: number | undefined
  grouped: 0 | 1
  older_than?: number | undefined
}

/** Returns the viewer's notices, newest first, and whether there are more. */
export async function findNotices(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  { unread, before, grouped, older_than }: Which,
): Promise<{ data: Notice[]; more: boolean }> {
  const wanted = sql`${own(viewer)} and ${unread ? sql`n.read_at is null` : sql`true`}`
  const chosen = grouped
    ? sql`select max(n.id) as id, count(*)::int - 1 as older, bool_and(n.read_at is not null) as is_read
        from notices n where ${wanted} group by n.record_type, n.record_id`
    : sql`select n.id, 0 as older, n.read_at is not null as is_read from notices n where ${wanted}
        and ${older_than === undefined ? sql`true` : isOlderThan(older_than)}`
  const { rows } = await sql<Notice>`select n.id, n.kind, s.name as who, n.record_type, n.record_id, n.anchor,
      n.title, n.words, n.created_at, case when g.is_read then n.read_at end as read_at, exists (select from muted_records m
        where m.staff_id = n.staff_id and m.record_type = n.record_type and m.record_id = n.record_id) as muted, g.older
    from (${chosen}) g join notices n on n.id = g.id join staff s on s.id = n.by_staff_id
    where ${opened(kinds, viewer)} and ${before === undefined ? sql`true` : sql`g.id < ${before}`}
    order by g.id desc limit ${noticesAtOnce + 1}`.execute(db)
  return { data: rows.slice(0, noticesAtOnce), more: rows.length > noticesAtOnce }
}

/** SQL condition for notices `n` that are about the same record as one of the same person's, and older. */
const isOlderThan = (
  id: number,
) => sql`n.id < ${id} and exists (select from notices newer where newer.id = ${id}
  and newer.staff_id = n.staff_id and newer.record_type = n.record_type and newer.record_id = n.record_id)`

/** Returns the records about which the viewer has unread notices. */
export async function findUnread(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
): Promise<UnreadRecord[]> {
  const { rows } = await sql<UnreadRecord>`select n.record_type, n.record_id, n.newest
    from (select n.record_type, n.record_id, max(n.id) as newest from notices n
      where ${own(viewer)} and n.read_at is null group by n.record_type, n.record_id) n
    where ${opened(kinds, viewer)} order by n.newest desc`.execute(db)
  return rows
}

/** Marks a notice as read or unread, or it and the older ones of the same person about the same record. */
export async function markNotices(
  db: Db,
  id: number,
  { read, older }: { read: boolean; older: boolean },
): Promise<void> {
  await sql`update notices n set read_at = ${read ? sql`now()` : null}
    where (n.id = ${id} or ${older ? isOlderThan(id) : sql`false`}) and (n.read_at is null) = ${read}`.execute(
    db,
  )
}

/** Returns one of the viewer's notices; undefined if it is someone else's, or its record can't be opened. */
export async function findNotice(db: Db, kinds: readonly RecordKind[], viewer: Viewer, id: number) {
  const { rows } = await sql<{
    id: number
    record_type: string
    record_id: number
    title: string
  }>`select n.id,
      n.record_type, n.record_id, n.title from notices n where n.id = ${id} and ${ofViewer(kinds, viewer)}`.execute(
    db,
  )
  return rows[0]
}
