import type { OperationRef } from '#shared/record.contract.ts'
import { storePartChanges, trackParts, type Parts } from '#server/record/parts.ts'
import { getRecord, lockRecord, storeOperation } from '#server/record/record.ts'
import type { RecordKind, StoredRecord, Writing } from '#server/record/rows.ts'
import { changedFields } from '#server/record/values.ts'

interface Work {
  /** Description of the operation, shown for undo. */
  summary: string
  parts: readonly Parts[]
  /** Other records that the work can change, such as the lead of an onboarding. */
  also?: readonly { kind: RecordKind; id: number }[]
}

/**
 * Runs `work`, which changes a record and its parts, as an operation that can be undone. The operation is
 * null if nothing has changed.
 * @throws HttpError 404 if the record doesn't exist for the viewer.
 */
export async function asOperation<Result>(
  writing: Writing,
  kind: RecordKind,
  id: number,
  { summary, parts, also = [] }: Work,
  work: () => Promise<Result>,
): Promise<{ result: Result; operation: OperationRef | null }> {
  const { db, viewer } = writing
  const records = [{ kind, id }, ...also]
  const held = []
  for (const one of records) held.push(await lockRecord(db, one.kind, one.id, viewer))
  const { result, changes } = await trackParts(db, parts, work)
  const patches = []
  for (const [at, one] of records.entries())
    patches.push(...changeOf(one.kind, held[at]!, await getRecord(db, one.kind, one.id, viewer)))
  if (!changes.length && !patches.length) return { result, operation: null }
  const operation = await storeOperation(
    writing,
    { type: kind.type, kind: 'edit', summary, needs: '' },
    patches,
  )
  await storePartChanges(db, operation.id, { type: kind.type, id }, changes)
  return { result, operation }
}

function changeOf(kind: RecordKind, held: StoredRecord, now: StoredRecord) {
  if (now.version === held.version) return []
  const changes = Object.entries(changedFields(kind, held, now))
  // Rows that move between records are parts here, and restored as such.
  const after = Object.fromEntries(changes.filter(([name]) => !kind.links?.[name]?.moves))
  const names = Object.keys(after)
  if (!names.length) return []
  const before = Object.fromEntries(names.map((name) => [name, held[name] ?? null]))
  return [{ of: kind.type, id: held.id, before, after, version_before: held.version }]
}
