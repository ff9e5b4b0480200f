import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Notice } from '#features/panel/notices/contract.ts'
import type { Db } from '#server/db/db.ts'
import { canOpen } from '#server/record/readers.ts'
import type { RecordKind } from '#server/record/rows.ts'

/** Number of notices loaded at a time. */
const noticesAtOnce = 30

/** SQL condition for the viewer's notices `n` of records that they can still open, but not of deleted notes. */
const ofViewer = (kinds: readonly RecordKind[], viewer: Viewer) =>
  sql`n.staff_id = ${viewer.id} and not n.withdrawn and ${canOpen(kinds, viewer, { type: 'n.record_type', id: 'n.record_id' })}`

/** Returns the viewer's notices, newest first, and whether there are more. */
export async function findNotices(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  { unread, before }: { unread: 0 | 1; before?: number | undefined },
): Promise<{ data: Notice[]; more: boolean }> {
  const { rows } = await sql<Notice>`select n.id, n.kind, s.name as who, n.record_type, n.record_id, n.anchor,
      n.title, n.words, n.created_at, n.read_at, exists (select from muted_records m
        where m.staff_id = n.staff_id and m.record_type = n.record_type and m.record_id = n.record_id) as muted
    from notices n join staff s on s.id = n.by_staff_id
    where ${ofViewer(kinds, viewer)} and ${unread ? sql`n.read_at is null` : sql`true`}
      and ${before === undefined ? sql`true` : sql`n.id < ${before}`}
    order by n.id desc limit ${noticesAtOnce + 1}`.execute(db)
  return { data: rows.slice(0, noticesAtOnce), more: rows.length > noticesAtOnce }
}

export async function countUnread(db: Db, kinds: readonly RecordKind[], viewer: Viewer): Promise<number> {
  const { rows } = await sql<{ unread: number }>`select count(*)::int as unread from notices n
    where n.read_at is null and ${ofViewer(kinds, viewer)}`.execute(db)
  return rows[0]!.unread
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
