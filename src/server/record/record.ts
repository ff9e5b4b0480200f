import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import { capitalize } from '#shared/capitalize.ts'
import { recordTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, notFound } from '#server/http/errors.ts'
import { nameClashes } from '#server/record/clashes.ts'
import { mergeAddedFiles, nameFiles, writeFiles } from '#server/record/file-fields.ts'
import { beginOperation, storeChanges, type RecordChange } from '#server/record/operations.ts'
import {
  findRecords,
  liveName,
  productsBefore,
  type StoredRecord,
  type RecordKind,
  type Row,
  type Writing,
} from '#server/record/rows.ts'
import {
  audited,
  changedFields,
  completeMaps,
  findConflicts,
  toColumns,
  withEntries,
} from '#server/record/values.ts'
import { insertRows, writeLinks, writeRows, writeWhatFits } from '#server/record/write.ts'

/*
 * What all record types have in common: get, lock, create, and change with conflict detection, as operations
 * that can be undone. Each type's `RecordKind` describes its specifics; its table has the columns
 * version, updated_at, deleted_at, and deleted_by.
 */

/** Returns the capitalized name of a record type. */
export const nameOfType = ({ type }: Pick<RecordKind, 'type'>) => {
  const { one } = recordTypes[type]
  return capitalize(one)
}

/**
 * Returns a record.
 * @throws HttpError 404 if it doesn't exist for the viewer or is in the trash.
 */
export async function getRecord<Values extends Row>(
  db: Db,
  kind: RecordKind<Values>,
  id: number,
  viewer: Viewer,
): Promise<StoredRecord<Values>> {
  const [row] = await findRecords(db, kind, [id], viewer)
  if (!row) throw notFound(`${nameOfType(kind)} not found.`)
  return row
}

/** Locks a record for a change, so that other changes to it wait. */
export async function lockRecord<Values extends Row>(
  db: Db,
  kind: RecordKind<Values>,
  id: number,
  viewer: Viewer,
): Promise<StoredRecord<Values>> {
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
  creating: Creating,
  kind: RecordKind,
  values: Row,
  own: Row = {},
): Promise<number> {
  const [id] = await createRecords(creating, kind, [values], own)
  return id!
}

type Creating = Pick<Writing, 'db' | 'audit' | 'changed'> & { viewer?: Viewer | undefined }

/**
 * Creates records as `createRecord` does; returns their IDs in the same order.
 * @param own values of all of them for columns that users don't set
 */
export async function createRecords(
  { db, audit, changed, viewer }: Creating,
  kind: RecordKind,
  records: readonly Row[],
  own: Row = {},
): Promise<number[]> {
  const rows = records.map((values) => ({ ...pickGiven(values, kind.columns), ...own }))
  const ids = await insertRows(db, kind, rows)
  const linked = records.map((values) => pickLinks(kind, values))
  const patches = ids.map((id, index) => ({ id, patch: linked[index]! }))
  await writeLinks(db, kind, patches)
  await writeFiles(db, kind, patches, viewer?.id)
  const named = await nameFiles(db, kind, linked)
  for (const [index, id] of ids.entries())
    audit({ target: kind.type, id, after: audited(kind, { ...rows[index], ...named[index] }) })
  changed(liveName(kind), ids)
  return ids
}

const pickGiven = (values: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]))

/** Returns the links and files that are given; a new record has none to remove, so an empty list is none. */
const pickLinks = (kind: RecordKind, values: Row): Row =>
  pickGiven(
    values,
    Object.keys({ ...kind.links, ...kind.files }).filter(
      (name) => !(Array.isArray(values[name]) && values[name].length === 0),
    ),
  )

export interface Stated {
  version?: number | undefined
  base?: Record<string, unknown> | undefined
}

interface ChangeOptions<Values extends Row = Row> {
  stated?: Stated
  /**
   * Returns the current record as it appears in responses, for inclusion in a 409. By default, the stored
   * columns are used.
   */
  current?: () => Promise<unknown>
  /** Description of the operation, shown for undo, such as `Status set to Active`. */
  summary?: string
  /** Kind of operation; defaults to `edit`. */
  kind?: string
  /** Permission that the operation requires in addition to its endpoint's access, depending on what changes. */
  needs?: string | ((changes: Row) => string)
  /**
   * Called with the locked record and the fields that would change, under their column names; returns further
   * values to set. Throws to refuse the change.
   */
  amend?: (before: StoredRecord<Values>, changes: Row) => Promise<Row | undefined> | Row | undefined
  /** The operation that the change belongs to; null if the caller stores the change itself. */
  within?: number | null
}

/** A record before and after a change. */
export interface Changed<Values extends Row = Row> {
  before: StoredRecord<Values>
  after: StoredRecord<Values>
  operation: OperationRef | null
}

/**
 * Changes the fields of a record that differ. If `version` is stale, the change is merged unless another user
 * has changed the same fields since `base`, the values that the viewer saw. Files added by both users are all
 * kept.
 * @throws HttpError 404; 409 with `current` and `clashes` if another user changed the same field, or if
 * `version` is stale and there is no `base`.
 */
export async function changeRecord<Values extends Row>(
  writing: Writing,
  kind: RecordKind<Values>,
  id: number,
  values: Row,
  options: ChangeOptions<Values> = {},
): Promise<Changed<Values>> {
  const before = await lockRecord(writing.db, kind, id, writing.viewer)
  return changeLocked(writing, kind, before, values, options)
}

/** Changes a record that is already locked; see `changeRecord`. */
export async function changeLocked<Values extends Row>(
  writing: Writing,
  kind: RecordKind<Values>,
  before: StoredRecord<Values>,
  values: Row,
  options: ChangeOptions<Values> = {},
): Promise<Changed<Values>> {
  kind.authorize?.('change', before, writing.viewer)
  const merged = await mergeStale(writing, kind, before, toColumns(kind, values), options)
  const sent = completeMaps(kind, before, merged)
  const wanted = changedFields(kind, before, sent)
  const more = await options.amend?.(before, wanted)
  const { needs, within, kind: what = 'edit', summary = 'Edited' } = options
  const { changes, operation } = await applyChanges(writing, kind, [before], () => ({ ...sent, ...more }), {
    kind: what,
    summary,
    needs: typeof needs === 'function' ? needs({ ...wanted, ...more }) : needs,
    within,
  })
  const [change] = changes
  const after = change ? { ...before, ...change.after, version: before.version + 1 } : before
  return { before, after, operation }
}

/**
 * Returns the values to write. If the record has changed since the version that the viewer saw, files that
 * both users added are combined.
 * @throws HttpError 409 if another user changed the same field, or if there is no `base`.
 */
async function mergeStale(
  { db, viewer }: Pick<Writing, 'db' | 'viewer'>,
  kind: RecordKind,
  before: StoredRecord,
  values: Row,
  { stated = {}, current }: Pick<ChangeOptions, 'stated' | 'current'>,
): Promise<Row> {
  if (stated.version === undefined || stated.version === before.version) return values
  const base = stated.base && toColumns(kind, stated.base)
  const merged = mergeAddedFiles(kind, before, values, base)
  const rest = Object.fromEntries(Object.entries(values).filter(([field]) => !(field in merged)))
  const clashes = findConflicts(
    withEntries(kind, before, rest),
    withEntries(kind, rest),
    base && withEntries(kind, base, rest),
  )
  if (base && !clashes.length) return { ...values, ...merged }
  throw new HttpError(409, `Someone else changed this ${recordTypes[kind.type].one} after you opened it.`, {
    current: { ...fileFieldsOf(kind, before), ...(((await current?.()) ?? before) as Row) },
    clashes: await nameClashes(db, kind, { id: before.id, viewer }, clashes),
  })
}

/**
 * Changes many records in a single transaction and operation. Skips records that don't exist for the viewer
 * and those whose values would not change. Use `changeInBulk` for records that a user has selected.
 * @throws HttpError 404 if none of them exists for the viewer.
 */
export async function changeRecords<Values extends Row>(
  writing: Writing,
  kind: RecordKind<Values>,
  ids: readonly number[],
  summary: string,
  patchOf: (row: StoredRecord<Values>) => Row,
): Promise<{ changed: number[]; operation: OperationRef | null }> {
  await sql`set local statement_timeout = '30s'`.execute(writing.db)
  const rows = await findRecords(writing.db, kind, ids, writing.viewer, { lock: true })
  if (!rows.length) throw notFound(`${nameOfType(kind)} not found.`)
  for (const row of rows) kind.authorize?.('change', row, writing.viewer)
  const { changes, operation } = await applyChanges(writing, kind, rows, patchOf, { kind: 'change', summary })
  return { changed: changes.map(({ id }) => id), operation }
}

/**
 * Moves records to the trash in a single transaction and operation. Use `trashInBulk` for records that a user
 * has selected.
 * @throws HttpError 404 if the viewer can't access any of them, 403 if one of them can't be removed.
 */
export async function trashRecords(
  writing: Writing,
  kind: RecordKind,
  ids: readonly number[],
): Promise<OperationRef> {
  const { db, viewer } = writing
  const rows = await findRecords(db, kind, ids, viewer, { lock: true })
  if (!rows.length) throw notFound(`${nameOfType(kind)} not found.`)
  for (const row of rows) kind.authorize?.('remove', row, viewer)
  const patch = { deleted_at: new Date().toISOString(), deleted_by: viewer.id }
  const act = { kind: 'delete', summary: 'Moved to trash' }
  return (await applyChanges(writing, kind, rows, () => patch, act)).operation!
}

/** The operation that changes belong to. */
interface Act {
  kind: string
  summary: string
  needs?: string | undefined
  /** An operation that has begun already; null if the caller stores the changes itself. */
  within?: number | null | undefined
  /** Leaves out records whose change violates a constraint, instead of throwing. */
  allowPartial?: boolean
}

/**
 * Changes locked records and stores their previous values with an operation; records whose values would not
 * change are skipped. `refused` has the reasons for the records that `allowPartial` left out, by ID.
 */
export async function applyChanges<Values extends Row>(
  writing: Pick<Writing, 'db' | 'called' | 'audit' | 'changed'> & { viewer: Pick<Viewer, 'id'> },
  kind: RecordKind<Values>,
  rows: readonly StoredRecord<Values>[],
  patchOf: (row: StoredRecord<Values>) => Row,
  { within, allowPartial = false, ...act }: Act,
): Promise<{ changes: RecordChange[]; refused: Map<number, string>; operation: OperationRef | null }> {
  const { db, viewer, called, changed } = writing
  const wanted = rows.flatMap((row): RecordChange[] => {
    const after = changedFields(kind, row, patchOf(row))
    const names = Object.keys(after)
    if (!names.length) return []
    const before = Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
    return [{ id: row.id, before, after, version_before: row.version }]
  })
  const nothing = { changes: [], refused: new Map<number, string>(), operation: null }
  if (!wanted.length) return nothing
  const patches = wanted.map(({ id, after }) => ({ id, patch: after }))
  const left = await productsBefore(db, kind, patches)
  const refused = allowPartial
    ? await writeWhatFits(db, kind, patches, viewer.id)
    : (await writeRows(db, kind, patches, viewer.id), nothing.refused)
  const changes = wanted.filter(({ id }) => !refused.has(id))
  if (!changes.length) return { ...nothing, refused }
  const operation_id =
    within === undefined
      ? await beginOperation(db, { type: kind.type, staff_id: viewer.id, called, ...act })
      : within
  const operation =
    operation_id === null
      ? null
      : await storeChanges(
          db,
          operation_id,
          changes.map((change) => ({ ...change, of: kind.type })),
        )
  await auditChanges(writing, kind, changes)
  const trashed = changes.flatMap(({ id, after }) => (after['deleted_at'] ? [id] : []))
  if (trashed.length) await kind.trash?.onTrash?.(writing, trashed)
  changed(
    liveName(kind),
    changes.map(({ id }) => id),
    left,
  )
  return { changes, refused, operation }
}

async function auditChanges(
  { db, audit }: Pick<Writing, 'db' | 'audit'>,
  kind: RecordKind,
  changes: readonly RecordChange[],
): Promise<void> {
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
    audit({ target: kind.type, id, before: audited(kind, was[at]!), after: audited(kind, is[at]!) })
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
  return storeChanges(db, operation_id, changes)
}

/** Stores with an operation that it created these records. */
export const storeCreated = (
  db: Db,
  operation_id: number,
  { type }: RecordKind,
  ids: readonly number[],
): Promise<OperationRef> =>
  storeChanges(
    db,
    operation_id,
    ids.map((id) => ({ of: type, id, before: null, after: {}, version_before: 0 })),
  )

/** Stores a separate operation for a created record, so that its creation can be undone. */
export const operationOfCreated = async (
  { db, viewer, called }: Pick<Writing, 'db' | 'viewer' | 'called'>,
  kind: RecordKind,
  id: number,
): Promise<OperationRef> => {
  const act = { type: kind.type, kind: 'edit', summary: 'Created' }
  return storeCreated(db, await beginOperation(db, { ...act, staff_id: viewer.id, called }), kind, [id])
}

/** Returns a record's file fields, used as the base for the next attempt after a conflict. */
const fileFieldsOf = (kind: RecordKind, row: Row): Row =>
  Object.fromEntries(Object.keys(kind.files ?? {}).map((field) => [field, row[field]]))
