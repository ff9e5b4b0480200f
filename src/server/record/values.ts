import type { RecordKind, Row } from '#server/record/rows.ts'

/* The values of a record that a patch changes, and their names in the API and in the history. */

/**
 * Returns the part of a patch that would change a record: columns, links, files, and trash state; everything
 * else is dropped.
 */
export function changedFields(kind: RecordKind, row: Row, patch: Row): Row {
  const known = [
    ...kind.columns,
    ...Object.keys({ ...kind.links, ...kind.files }),
    'deleted_at',
    'deleted_by',
  ]
  return Object.fromEntries(
    Object.entries(patch).flatMap(([name, value]) => {
      if (value === undefined || !known.includes(name)) return []
      const next = kind.links?.[name] ? normalizeIds(value) : value
      return isSame(next, row[name] ?? null) ? [] : [[name, next]]
    }),
  )
}

const renamed = (row: Row, nameOf: ReadonlyMap<string, string>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf.get(name) ?? name, value]))

/** Returns values under their column names. */
export const toColumns = ({ wireNames }: Pick<RecordKind, 'wireNames'>, values: Row): Row =>
  wireNames ? renamed(values, new Map(Object.entries(wireNames))) : values

/** Returns values under their API names. */
export const toWire = ({ wireNames }: RecordKind, values: Row): Row =>
  wireNames
    ? renamed(values, new Map(Object.entries(wireNames).map(([wire, column]) => [column, wire])))
    : values

export const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(normalizeIds(one) ?? null) === JSON.stringify(normalizeIds(other) ?? null)
/** Sorts and deduplicates arrays of IDs, because they are compared as sets. */
const normalizeIds = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'number')
    ? [...new Set(value)].toSorted((a, b) => a - b)
    : value

/** Returns a change in human-readable form: trash state as yes or no, without the fields that the panel maintains itself. */
export function audited(kind: RecordKind, row: Row): Row {
  const { deleted_at, deleted_by: _by, ...rest } = row
  const kept = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !kind.history?.unaudited?.includes(name)),
  )
  return { ...toWire(kind, kept), ...(deleted_at === undefined ? {} : { in_trash: deleted_at !== null }) }
}
