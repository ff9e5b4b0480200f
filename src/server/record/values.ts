import type { Clash } from '#shared/record.contract.ts'
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

type Map = Readonly<Record<string, unknown>>

/**
 * Returns values in which each entry of a map is a separate value.
 * @param like values whose entries are included too, as null if the map doesn't have them
 */
export function withEntries({ maps = {} }: Pick<RecordKind, 'maps'>, row: Row, like: Row = {}): Row {
  const given = Object.entries(maps).filter(([column]) => row[column] !== undefined)
  if (given.length === 0) return row
  const rest = { ...row }
  for (const [column, nameOf] of given) {
    const map = (row[column] ?? {}) as Map
    delete rest[column]
    for (const key of Object.keys({ ...map, ...(like[column] as Map | undefined) }))
      rest[nameOf(key)] = map[key] ?? null
  }
  return rest
}

/** Returns values whose maps have the stored entries too, with those that the values change. */
export function completeMaps({ maps = {} }: Pick<RecordKind, 'maps'>, stored: Row, values: Row): Row {
  const given = Object.keys(maps).filter((column) => values[column] !== undefined)
  return given.length === 0
    ? values
    : {
        ...values,
        ...Object.fromEntries(
          given.map((column) => {
            const map = { ...(stored[column] as Map), ...(values[column] as Map) }
            return [column, Object.fromEntries(Object.entries(map).filter(([, value]) => value !== null))]
          }),
        ),
      }
}

/** Returns a change in human-readable form: trash state as yes or no, without the fields that the panel maintains itself. */
export function audited(kind: RecordKind, row: Row): Row {
  const { deleted_at, deleted_by: _by, ...rest } = row
  const kept = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !kind.history?.unaudited?.includes(name)),
  )
  return {
    ...toWire(kind, withEntries(kind, kept)),
    ...(deleted_at === undefined ? {} : { in_trash: deleted_at !== null }),
  }
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
