import { sql, type Kysely, type Transaction } from 'kysely'
import type { FileKind } from '#shared/file-kinds.ts'
import type { FileRef, RecordFile } from '#shared/files.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Database } from '#server/db/tables.ts'
import type { Files } from '#server/files/files.ts'
import { HttpError } from '#server/http/errors.ts'
import type { RecordKind } from '#server/record/rows.ts'
import type { SignedIn } from '#server/http/session.ts'
import { processImage } from '#server/files/image-queue.ts'
import type { Links } from '#server/files/signed-links.ts'
import { createQueue } from '#server/jobs/queue.ts'
import { widePictureOf, type ReceivedFile } from '#server/files/inspect-file.ts'

/*
 * Files attached to records: `files` contains the stored files, `file_links` the records they are attached
 * to.
 */

/** A record, and the role that a file has on it. */
export interface FileOwner {
  type: string
  id: number
  /** Defaults to `attachment`; other roles include image, icon, and inline. */
  role?: string
}

/** The part of a write's context that storing files needs. */
interface Writing {
  db: Transaction<Database>
  /** Undefined if a gateway sends the file. */
  viewer: SignedIn | undefined
  onRollback: (action: () => void) => void
}

/** The part of a write's context that detaching files needs. */
interface Attaching {
  db: Transaction<Database>
  viewer: Pick<Viewer, 'id'> | undefined
}

export const columns = ['id', 'name', 'kind', 'bytes', 'small_name'] as const

interface FileRow {
  id: number
  name: string
  kind: string
  bytes: number
  small_name: string | null
}

export const toRef = (links: Links, { small_name, ...row }: FileRow): FileRef => ({
  id: row.id,
  name: row.name,
  kind: row.kind as FileKind,
  bytes: row.bytes,
  ...links({ ...row, small_name }),
})

/**
 * Gives uploaded files their final names and inserts their rows; a rollback removes the files. The files are
 * not attached to a record yet.
 */
export async function storeFiles(
  store: Files,
  { db, viewer, onRollback }: Writing,
  received: readonly ReceivedFile[],
): Promise<FileRow[]> {
  if (!received.length) return []
  const keep = async (path: string, ending: string) => {
    const name = await store.rename(path, ending)
    onRollback(() => void store.remove(name).catch(() => {}))
    return name
  }
  const keepOther = async (path: string | null, ending: string) => (path === null ? null : keep(path, ending))
  // All are awaited, also when one fails: the rollback then removes every renamed file.
  const named = await Promise.allSettled(
    received.flatMap(({ path, small, wide, original, ending }) => [
      keep(path, `.${ending}`),
      keepOther(small, '.webp'),
      keepOther(wide, '.webp'),
      keepOther(original, '.heic'),
    ]),
  )
  const names = named.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  // Once for all, because each sync waits for the disk while the transaction holds its locks.
  await store.syncNames()
  return db
    .insertInto('files')
    .values(
      received.map(({ name, kind, mime, bytes, sha256, width, height }, index) => ({
        stored_name: names[index * 4]!,
        small_name: names[index * 4 + 1]!,
        wide_name: names[index * 4 + 2]!,
        original_name: names[index * 4 + 3]!,
        name,
        kind,
        mime,
        bytes,
        sha256,
        width,
        height,
        uploaded_by: viewer?.id ?? null,
      })),
    )
    .returning(columns)
    .execute()
}

/** Keeps simultaneous requests for an image from creating its wide version more than once. */
const oneByOne = createQueue()

/**
 * Returns the name of an image's wide version, creating it if the image was uploaded before wide versions
 * existed. Null if it has none; the original is then sent.
 */
export async function wideNameOf(store: Files, db: Kysely<Database>, id: number): Promise<string | null> {
  return oneByOne(async () => {
    const file = await db
      .selectFrom('files')
      .select(['stored_name', 'wide_name'])
      .where('id', '=', id)
      .executeTakeFirst()
    const path = file && store.pathOf(file.stored_name)
    if (path === undefined || file!.wide_name !== null) return file?.wide_name ?? null
    const made = await processImage(() => widePictureOf(store, path))
    if (!made) return null
    const wide_name = await store.finalize(made.path, '.webp')
    const { numUpdatedRows } = await db
      .updateTable('files')
      .set({ wide_name })
      .where('id', '=', id)
      .where('wide_name', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return wide_name
    // Another process has already stored it, or the image is gone.
    await store.remove(wide_name)
    return null
  })
}

/**
 * Attaches files to a record: those uploaded with the request, and those that are staged or already attached
 * to a record that the user can see. Returns the IDs of all of them.
 * @throws HttpError 422 at `file_ids.N` for a file that no longer exists or that the user cannot see.
 */
export async function attachFiles(
  store: Files,
  context: Writing,
  {
    files = [],
    file_ids = [],
  }: { files?: readonly ReceivedFile[]; file_ids?: readonly number[] | undefined },
  { type, id, role = 'attachment' }: FileOwner,
): Promise<number[]> {
  const { db, viewer } = context
  const wanted = [...new Set(file_ids)]
  await assertReadable(store, context, file_ids)
  const ids = [...wanted, ...(await storeFiles(store, context, files)).map((row) => row.id)]
  if (!ids.length) return ids
  const { last } = await placed(db, type, [id])
    .where('role', '=', role)
    .select(sql<number>`coalesce(max(position), -1)`.as('last'))
    .executeTakeFirstOrThrow()
  await db
    .insertInto('file_links')
    .values(
      ids.map((file_id, index) => ({
        file_id,
        record_type: type,
        record_id: id,
        role,
        position: last + 1 + index,
        created_by: viewer?.id ?? null,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return ids
}

/**
 * @param held files that are already attached
 * @throws HttpError 422 at `field.N` for a file that no longer exists or that the user cannot see.
 */
async function assertReadable(
  store: Files,
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  file_ids: readonly number[],
  { field = 'file_ids', held = [] }: { field?: string; held?: readonly number[] } = {},
): Promise<void> {
  const asked = [...new Set(file_ids)].filter((one) => !held.includes(one))
  if (!asked.length) return
  const there = viewer ? await readable(store, db, asked, viewer) : new Set<number>()
  const errors = asked.flatMap((one) =>
    there.has(one)
      ? []
      : [[`${field}.${file_ids.indexOf(one)}`, ['This file is no longer available. Choose it again.']]],
  )
  if (errors.length)
    throw new HttpError(422, 'A file is no longer available. Choose it again.', {
      errors: Object.fromEntries(errors) as Record<string, string[]>,
    })
}

/**
 * Returns the files for a record's file field (`files` of its `RecordKind`): those that the user chose, and
 * those uploaded with the request, which are stored. Undefined if the request has neither.
 * @param id undefined if the record has not been created yet
 * @throws HttpError 422 at `field.N` for a file that no longer exists or that the user cannot see, unless it
 * is or was on this record.
 */
export async function chooseFiles(
  store: Files,
  context: Writing,
  { type, files: fields }: Pick<RecordKind, 'type' | 'files'>,
  field: string,
  {
    files = [],
    file_ids,
  }: { files?: readonly ReceivedFile[] | undefined; file_ids?: readonly number[] | undefined },
  id?: number,
): Promise<number[] | undefined> {
  if (!files.length && file_ids === undefined) return undefined
  const links =
    id === undefined
      ? []
      : await context.db
          .selectFrom('file_links')
          .select('file_id')
          .where('record_type', '=', type)
          .where('record_id', '=', id)
          .where('role', '=', fields![field]!.role)
          .execute()
  await assertReadable(store, context, file_ids ?? [], { field, held: links.map(({ file_id }) => file_id) })
  const stored = await storeFiles(store, context, files)
  return [...new Set(file_ids), ...stored.map((row) => row.id)]
}

const placed = (db: Kysely<Database>, type: string, ids: readonly number[]) =>
  db
    .selectFrom('file_links')
    .where('record_type', '=', type)
    .where('record_id', 'in', [...ids])
    .where('file_links.deleted_at', 'is', null)

/** Returns the files of several records, grouped by record and in order. */
export async function filesOf(
  db: Kysely<Database>,
  type: string,
  ids: readonly number[],
  links: Links,
  role?: string,
): Promise<Map<number, RecordFile[]>> {
  const found = new Map<number, RecordFile[]>(ids.map((id) => [id, []]))
  if (!ids.length) return found
  let query = placed(db, type, ids).innerJoin('files', 'files.id', 'file_id')
  if (role !== undefined) query = query.where('role', '=', role)
  const rows = await query
    .select([
      'files.id',
      'files.name',
      'files.kind',
      'files.bytes',
      'files.small_name',
      'record_id',
      'role',
      'label',
    ])
    .orderBy('record_id')
    .orderBy('role')
    .orderBy('position')
    .orderBy('file_links.id')
    .execute()
  for (const { record_id, role: its, label, ...row } of rows)
    found.get(record_id)!.push({ ...toRef(links, row), role: its, label })
  return found
}

/**
 * Detaches some or all files from a record; they stay attached to other records. Returns how many were
 * detached.
 */
export async function detachFiles(
  { db, viewer }: Attaching,
  { type, id, role }: FileOwner,
  file_ids?: readonly number[],
): Promise<number> {
  if (file_ids?.length === 0) return 0
  let update = db
    .updateTable('file_links')
    .set({ deleted_at: sql<string>`now()`, deleted_by: viewer?.id ?? null })
    .where('record_type', '=', type)
    .where('record_id', '=', id)
    .where('deleted_at', 'is', null)
  if (role !== undefined) update = update.where('role', '=', role)
  if (file_ids) update = update.where('file_id', 'in', [...file_ids])
  const { numUpdatedRows } = await update.executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Sets the images attached to a record's rich text to those it now contains (`imagesIn`). */
export async function setInlineImages(
  store: Files,
  context: Writing,
  place: FileOwner,
  images: readonly number[],
): Promise<void> {
  const inline = { ...place, role: place.role ?? 'inline' }
  const before = await placed(context.db, inline.type, [inline.id])
    .where('role', '=', inline.role)
    .select('file_id')
    .execute()
  const held = new Set(before.map((row) => row.file_id))
  const gone = [...held].filter((id) => !images.includes(id))
  await detachFiles(context, inline, gone)
  await attachFiles(store, context, { file_ids: images.filter((id) => !held.has(id)) }, inline)
}

/** Reattaches the images of rich text that was reverted to an earlier state, no matter who uploaded them. */
export async function putBackImages(
  context: Attaching,
  { type, id }: FileOwner,
  images: readonly number[],
): Promise<void> {
  const held = (
    await placed(context.db, type, [id]).where('role', '=', 'inline').select('file_id').execute()
  ).map((row) => row.file_id)
  await detachFiles(
    context,
    { type, id, role: 'inline' },
    held.filter((file_id) => !images.includes(file_id)),
  )
  await sql`update file_links set deleted_at = null, deleted_by = null where id in (select max(id) from file_links
    where record_type = ${type} and record_id = ${id} and role = 'inline' and file_id = any(${images.filter((one) => !held.includes(one))}::int[]) group by file_id)`.execute(
    context.db,
  )
}

/** Returns the records that a file is attached to. */
export const whereUsed = (
  db: Kysely<Database>,
  file_id: number,
): Promise<{ type: string; id: number; role: string; label: string }[]> =>
  db
    .selectFrom('file_links')
    .select(['record_type as type', 'record_id as id', 'role', 'label'])
    .where('file_id', '=', file_id)
    .where('deleted_at', 'is', null)
    .orderBy('file_links.id')
    .execute()

/**
 * Returns which of these files a viewer can see: their own files that were never attached, and files of
 * records that they can see.
 */
export async function readable(
  store: Files,
  db: Kysely<Database>,
  ids: readonly number[],
  viewer: Viewer,
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('files')
    .leftJoin('file_links', (join) =>
      join.onRef('file_links.file_id', '=', 'files.id').on('file_links.deleted_at', 'is', null),
    )
    .select(['files.id', 'uploaded_by', 'record_type', 'record_id'])
    .select(sql<boolean>`exists(select from file_links d where d.file_id = files.id)`.as('was_attached'))
    .where('files.id', 'in', [...ids])
    .execute()
  const may = new Set<number>()
  const checks = new Map<string, boolean>()
  const mayRead = async (type: string, id: number): Promise<boolean> => {
    const key = `${type} ${id}`
    const check = checks.get(key) ?? (await store.readerOf(type)?.(db, id, viewer)) ?? false
    checks.set(key, check)
    return check
  }
  for (const { id, uploaded_by, record_type, record_id, was_attached } of rows) {
    if (may.has(id)) continue
    const isTheirs =
      record_type === null || record_id === null
        ? uploaded_by === viewer.id && !was_attached
        : await mayRead(record_type, record_id)
    if (isTheirs) may.add(id)
  }
  return may
}
