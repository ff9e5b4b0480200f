import type { StepRow } from '#web/list/position/listPosition.ts'

/*
 * A walk through a list: the rows in the order in which the user found them. The list itself changes while the
 * user works through it, because a record that was answered moves to the top or no longer matches the filters;
 * the next record is still the one that was next before.
 */

export interface Placed extends StepRow {
  /** Starts at 1 and counts across all pages. */
  position: number
}

export interface Walk {
  /** Position in the list where the walk is, even if the record itself has moved or left the list. */
  place: number
  queue: readonly StepRow[]
}

export interface Around {
  /** Whether the record is among the known rows. */
  isListed: boolean
  previous: Placed | undefined
  next: Placed | undefined
}

/** Rows on each side of the record that a walk keeps. */
const mostKept = 100

/**
 * Returns the walk, brought up to date with the rows that are now known of the list: rows after its last and
 * before its first are added. Returns the same object if nothing is new.
 */
export function extend(walk: Walk, id: number, known: readonly Placed[]): Walk {
  if (!known.length) return walk
  const { before, after } = sidesOf(walk, id)
  const position = known.find((row) => row.id === id)?.position
  const positionsOf = (rows: readonly StepRow[]) =>
    known.filter((row) => rows.some((one) => one.id === row.id)).map((row) => row.position)
  const ahead = positionsOf(after)
  const behind = positionsOf(before)
  // A record that was answered may be anywhere by now, so what is closest to the walk's place counts.
  const here = [...behind, ...(position === undefined ? [] : [position])]
    .toSorted((one, other) => Math.abs(one - walk.place) - Math.abs(other - walk.place))
    .at(0)
  const last = ahead.length ? Math.max(...ahead) : (here ?? walk.place - 1)
  const first = behind.length ? Math.min(...behind) : (position ?? walk.place)
  const isNew = (row: Placed) => row.id !== id && !walk.queue.some((one) => one.id === row.id)
  const added = {
    before: known.filter((row) => row.position < first && isNew(row)),
    after: known.filter((row) => row.position > last && isNew(row)),
  }
  const following = known.find((row) => row.id === after[0]?.id)
  const preceding = known.find((row) => row.id === before.at(-1)?.id)
  const expected = following ? following.position - 1 : preceding ? preceding.position + 1 : position
  const hasStayed = position !== undefined && position === expected
  const place = hasStayed ? position : walk.place
  if (place === walk.place && !added.before.length && !added.after.length) return walk
  return { place, queue: [...added.before.map(rowOf), ...walk.queue, ...added.after.map(rowOf)] }
}

/**
 * Returns what is around a record in its walk. The next record is one that the list still has; the previous one
 * is where the user came from, even if it no longer matches the filters.
 * @param known undefined while the list loads; until then, the walk's own rows count
 */
export function around(walk: Walk, id: number, known: readonly Placed[] | undefined): Around {
  const { before, after } = sidesOf(walk, id)
  const place = (row: StepRow | undefined, by: 1 | -1): Placed | undefined => {
    if (!row) return undefined
    const position = known?.find((one) => one.id === row.id)?.position
    return { ...row, position: position ?? Math.max(1, walk.place + by) }
  }
  const next = known ? after.find((row) => known.some((one) => one.id === row.id)) : after[0]
  return {
    isListed: !known || known.some((one) => one.id === id),
    previous: place(before.at(-1), -1),
    next: place(next, 1),
  }
}

/** Returns the part of the queue that goes along to a record's page. */
export function queueAround({ queue }: Walk, id: number): readonly StepRow[] {
  const at = queue.findIndex((row) => row.id === id)
  return queue.slice(Math.max(0, at - mostKept), at + mostKept)
}

function sidesOf({ queue }: Walk, id: number) {
  const at = queue.findIndex((row) => row.id === id)
  return { before: queue.slice(0, Math.max(0, at)), after: queue.slice(at + 1) }
}

const rowOf = ({ id, to }: Placed): StepRow => ({ id, to })
