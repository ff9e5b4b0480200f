import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Clash, OperationRef } from '#shared/record.contract.ts'
import { capitalize } from '#shared/capitalize.ts'
import { recordTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, notFound } from '#server/http/errors.ts'
import { mergeAddedFiles, nameFiles, writeFiles } from '#server/record/file-fields.ts'
import { beginOperation, dropOperation, referenceOf, type RecordChange } from '#server/record/operations.ts'
import {
  audited,
  changedFields,
  findRecords,
  idOf,
  isSame,
  liveName,
  productsBefore,
  writeLinks,
  writeRows,
  writeWhatFits,
  type StoredRecord,
  type RecordKind,
  type Row,
  type Writing,
} from '#server/record/rows.ts'

/*
 * Operations common to all record types: get, lock, create, change with conflict detection, trash, and
 * operations that can be undone. Each type's `RecordKind` describes its specifics; its table has the columns
 * version, updated_at, deleted_at, and deleted_by.
 */

/** Returns the capitalized name of a record type. */
export const nameOfType = ({ type }: RecordKind) => {
  const { one } = recordTypes[type]
  return capitalize(one)
}

/**
 * Returns a record.
 * @throws HttpError 404 if it doesn't exist for the viewer or is in the trash.
 */
export async function getRecord(db: Db, kind: RecordKind, id: number, viewer: Viewer): Promise<StoredRecord> {
  const [row] = await findRecords(db, kind, [id], viewer)
  if (!row) throw notFound(`${nameOfType(kind)} not found.`)
  return row
}

/** Locks a record for a change, so that other changes to it wait. */
export async function lockRecord(
  db: Db,
  kind: RecordKind,
  id: number,
  viewer: Viewer,
): Promise<StoredRecord> {
  const [row] = await findRecords(db, kind, [id], viewer, { lock: true })
  if (!row) throw notFound(`${nameOfType(kind)} not found.`)
  return row
}

export const isVisible = async (db: Db, kind: RecordKind, id: number, viewer: Viewer): Promise<boolean> =>
  (await findRecords(db, kind, [id], viewer)).length > 0

/**
 * Creates a record with the given values, links, and files, using column defaults for the rest; returns its
 * ID.
 */
export async function createRecord(
  {
    db,
    record,
    changed,
    viewer,
  }: Pick<Writing, 'db' | 'record' | 'changed'> & Partial<Pick<Writing, 'viewer'>>,
  kind: RecordKind,
  values: Row,
  own: Row = {},
): Promise<number> {
  const given: Row = {
    ...Object.fromEntries(
      kind.columns.filter((column) => values[column] !== undefined).map((column) => [column, values[column]]),
    ),
    ...own,
  }
  const names = Object.keys(given)
    .map((name) => `"${name}"`)
    .join(', ')
  const { rows } = await sql<{ id: number }>`insert into ${sql.table(kind.table)} (${sql.raw(names)})
    select ${sql.raw(names)} from jsonb_populate_record(null::${sql.table(kind.table)}, ${JSON.stringify(given)}::jsonb) returning ${sql.ref(idOf(kind))} as id`.execute(
    db,
  )
  const { id } = rows[0]!
  const links = Object.fromEntries(
    Object.keys({ ...kind.links, ...kind.files })
      .filter((field) => values[field] !== undefined)
      .map((field) => [field, values[field]]),
  )
  await writeLinks(db, kind, [{ id, patch: links }])
  await writeFiles(db, kind, [{ id, patch: links }], viewer?.id)
  const [named] = await nameFiles(db, kind, [links])
  record({ target: kind.type, id, after: audited(kind, { ...given, ...named }) })
  changed(liveName(kind), [id])
  return id
}

export interface Stated {
  version?: number | undefined
  base?: Record<string, unknown> | undefined
}

interface ChangeOptions {
  stated?: Stated
  /**
   * Returns the current record as it appears in responses, for inclusion in a 409. By default, the stored
   * columns are used.
   */
  current?: () => Promise<unknown>
  /** Description of the operation, shown for undo, such as `Status set to Active`. */
  summary?: string
}

/**
 * Changes the fields of a record that differ. If `version` is stale, the change is merged unless another user
 * has changed the same fields since `base`, the values that the viewer saw. Files added by both users are all
 * kept.
 * @throws HttpError 404; 409 with `current` and `clashes` if another user changed the same field, or if
 * `version` is stale and there is no `base`.
 */
export async function changeRecord(
  writing: Writing,
  kind: RecordKind,
  id: number,
  values: Row,
  options: ChangeOptions = {},
): Promise<{ before: StoredRecord; after: StoredRecord; operation: OperationRef | null }> {
  const { db, viewer } = writing
  const before = await lockRecord(db, kind, id, viewer)
  kind.authorize?.('change', before, viewer)
  const { version, base } = options.stated ?? {}
  let merged: Row = {}
  if (version !== undefined && version !== before.version) {
    merged = mergeAddedFiles(kind, before, values, base)
    const rest = Object.fromEntries(Object.entries(values).filter(([field]) => !(field in merged)))
    const clashes = findConflicts(before, rest, base)
    if (!base || clashes.length)
      throw new HttpError(
        409,
        `Someone else changed this ${recordTypes[kind.type].one} after you opened it.`,
        {
          current: { ...fileFieldsOf(kind, before), ...(((await options.current?.()) ?? before) as Row) },
          clashes: await nameClashes(db, kind, clashes),
        },
      )
  }
  const { changes, operation } = await act(
    writing,
    kind,
    'edit',
    options.summary ?? 'Edited',
    [before],
    () => ({ ...values, ...merged }),
  )
  return { before, after: changes.length ? await getRecord(db, kind, id, viewer) : before, operation }
}

/**
 * Changes many records in a single operation that can be undone. Skips records that don't exist for the
 * viewer and those whose values would not change.
 * @throws HttpError 404 if none of them exists for the viewer.
 */
export async function changeRecords(
  writing: Writing,
  kind: RecordKind,
  ids: readonly number[],
  summary: string,
  patchOf: (row: StoredRecord) => Row,
  { leaveOutRefused = false }: { leaveOutRefused?: boolean } = {},
): Promise<{ changed: number[]; unchanged: number; leftOut: string; operation: OperationRef | null }> {
  await sql`set local statement_timeout = '30s'`.execute(writing.db)
  const found = await findRecords(writing.db, kind, ids, writing.viewer, { lock: true })
  if (!found.length) throw notFound(`${nameOfType(kind)} not found.`)
  const { rows, leftOut } = withoutRefused(kind, 'change', found, writing.viewer)
  if (leftOut && !leaveOutRefused) for (const row of found) kind.authorize?.('change', row, writing.viewer)
  const { changes, operation } = await act(writing, kind, 'change', summary, rows, patchOf)
  const changed = changes.map(({ id }) => id)
  return { changed, unchanged: rows.length - changed.length, leftOut, operation }
}

/**
 * Leaves out the records that the viewer is not allowed to change; `leftOut` states how many were left out
 * and why, as sentences to append to a message, and is empty if none were.
 * @throws HttpError 403 if all of them are rejected.
 */
function withoutRefused(
  kind: RecordKind,
  what: 'change' | 'remove',
  found: readonly StoredRecord[],
  viewer: Viewer,
): { rows: StoredRecord[]; leftOut: string } {
  const counts = new Map<string, number>()
  let first: unknown
  const rows = found.filter((row) => {
    try {
      kind.authorize?.(what, row, viewer)
      return true
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 403) throw error
      first ??= error
      counts.set(error.message, (counts.get(error.message) ?? 0) + 1)
      return false
    }
  })
  if (!rows.length) throw first
  const leftOut = [...counts].map(
    ([why, count]) => ` ${count} ${count === 1 ? 'was' : 'were'} left out: ${why}`,
  )
  return { rows, leftOut: leftOut.join('') }
}

/**
 * Moves records to the trash in a single operation that can be undone.
 * @throws HttpError 404 if the viewer can't access any of them, 403 if none of them can be removed.
 */
export async function trashRecords(
  writing: Writing,
  kind: RecordKind,
  ids: readonly number[],
): Promise<OperationRef> {
  return (await trashAllowed(writing, kind, ids)).operation
}

/** Like `trashRecords`; `leftOut` says which records can't be removed, and why. */
export async function trashAllowed(
  writing: Writing,
  kind: RecordKind,
  ids: readonly number[],
): Promise<{ operation: OperationRef; leftOut: string }> {
  const found = await findRecords(writing.db, kind, ids, writing.viewer, { lock: true })
  if (!found.length) throw notFound(`${nameOfType(kind)} not found.`)
  const { rows, leftOut } = withoutRefused(kind, 'remove', found, writing.viewer)
  const now = new Date().toISOString()
  const { operation } = await act(writing, kind, 'delete', 'Moved to trash', rows, () => ({
    deleted_at: now,
    deleted_by: writing.viewer.id,
  }))
  return { operation: operation!, leftOut }
}

/** Restores records from the trash. A record stays in the trash if its unique name or key is now taken. */
export async function restoreRecords(
  writing: Writing,
  kind: RecordKind,
  ids: readonly number[],
): Promise<{ restored: number[]; kept: number; operation: OperationRef | null }> {
  const rows = await findRecords(writing.db, kind, ids, writing.viewer, { trashed: true, lock: true })
  if (!rows.length) throw notFound(`${nameOfType(kind)} not found.`)
  for (const row of rows) kind.authorize?.('remove', row, writing.viewer)
  const { changes, operation } = await act(
    writing,
    kind,
    'restore',
    'Restored from the trash',
    rows,
    () => ({ deleted_at: null, deleted_by: null }),
    true,
  )
  return { restored: changes.map(({ id }) => id), kept: rows.length - changes.length, operation }
}

/**
 * Changes locked records and stores their previous values with an operation; records whose values would not
 * change are skipped.
 */
async function act(
  { db, viewer, called, record, changed }: Writing,
  kind: RecordKind,
  what: string,
  summary: string,
  rows: readonly StoredRecord[],
  patchOf: (row: StoredRecord) => Row,
  allowPartial = false,
): Promise<{ changes: RecordChange[]; operation: OperationRef | null }> {
  const wanted = rows.flatMap((row): RecordChange[] => {
    const after = changedFields(kind, row, patchOf(row))
    const names = Object.keys(after)
    if (!names.length) return []
    return [
      {
        id: row.id,
        before: Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
        after,
        version_before: row.version,
      },
    ]
  })
  if (!wanted.length) return { changes: [], operation: null }
  const operation_id = await beginOperation(db, {
    type: kind.type,
    kind: what,
    staff_id: viewer.id,
    summary,
    needs: '',
    called,
  })
  const patches = wanted.map(({ id, after }) => ({ id, patch: after }))
  const left = await productsBefore(db, kind, patches)
  const refused = allowPartial
    ? await writeWhatFits(db, kind, patches, viewer.id)
    : (await writeRows(db, kind, patches, viewer.id), new Map<number, string>())
  const changes = wanted.filter(({ id }) => !refused.has(id))
  if (!changes.length) {
    await dropOperation(db, operation_id)
    throw conflict([...refused.values()][0]!)
  }
  await recordChanges(db, kind, operation_id, changes)
  const was = await nameFiles(
    db,
    kind,
    changes.map(({ before }) => before!),
  )
  const is = await nameFiles(
    db,
    kind,
    changes.map(({ after }) => after),
  )
  for (const [at, { id }] of changes.entries())
    record({ target: kind.type, id, before: audited(kind, was[at]!), after: audited(kind, is[at]!) })
  changed(
    liveName(kind),
    changes.map(({ id }) => id),
    left,
  )
  return { changes, operation: await referenceOf(db, operation_id) }
}

interface Kept {
  type: RecordKind['type']
  /** Kind of operation, such as `win`. */
  kind: string
  summary: string
  needs: string
}

/**
 * Stores an operation whose changes to records of several types have already been written, so that it can be
 * undone as a whole.
 */
export async function storeOperation(
  { db, viewer, called }: Pick<Writing, 'db' | 'viewer' | 'called'>,
  { type, ...said }: Kept,
  changes: readonly (RecordChange & { of: RecordKind['type'] })[],
): Promise<OperationRef> {
  const operation_id = await beginOperation(db, { type, staff_id: viewer.id, called, ...said })
  await sql`insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after)
    select ${operation_id}, "of", id, nullif(before, 'null'), after, version_before, version_before + 1
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c("of" text, id int, before jsonb, after jsonb, version_before int)`.execute(
    db,
  )
  await sql`update operations set changed = ${changes.filter(({ of }) => of === type).length} where id = ${operation_id}`.execute(
    db,
  )
  return referenceOf(db, operation_id)
}

async function recordChanges(
  db: Db,
  kind: RecordKind,
  operation_id: number,
  changes: readonly RecordChange[],
): Promise<void> {
  await sql`insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after)
    select ${operation_id}, ${kind.type}, id, nullif(before, 'null'), after, version_before, version_before + 1
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(id int, before jsonb, after jsonb, version_before int)`.execute(
    db,
  )
  await sql`update operations set changed = changed + ${changes.length} where id = ${operation_id}`.execute(
    db,
  )
}

/** Returns a record's file fields, used as the base for the next attempt after a conflict. */
const fileFieldsOf = (kind: RecordKind, row: Row): Row =>
  Object.fromEntries(Object.keys(kind.files ?? {}).map((field) => [field, row[field]]))

/** Returns conflicts with file names in place of file IDs. */
async function nameClashes(db: Db, kind: RecordKind, clashes: readonly Clash[]): Promise<Clash[]> {
  const valuesOf = (side: 'yours' | 'theirs') =>
    Object.fromEntries(clashes.map((clash) => [clash.field, clash[side]]))
  const [yours, theirs] = await nameFiles(db, kind, [valuesOf('yours'), valuesOf('theirs')])
  return clashes.map(({ field }) => ({ field, yours: yours![field], theirs: theirs![field] }))
}

/**
 * Returns the fields whose current value differs from both the sent value and the value in `base`. Without
 * `base`, returns all fields that differ from the sent values.
 */
export function findConflicts(current: Row, sent: Row, base: Row = {}): Clash[] {
  return Object.entries(sent).flatMap(([field, yours]) => {
    if (yours === undefined || !Object.hasOwn(current, field)) return []
    const theirs = current[field]
    const untouched = Object.hasOwn(base, field) && isSame(base[field], theirs)
    return untouched || isSame(yours, theirs) ? [] : [{ field, yours, theirs }]
  })
}
