import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Days } from '#shared/trend.ts'
import type { SupportReport } from '#features/crm/support/report.contract.ts'
import { countReplies } from '#features/crm/support/server/ticket-events.ts'
import type { Db } from '#server/db/db.ts'
import { dayEnd, dayStart } from '#server/record/list.ts'

type Replies = SupportReport['replies']

/** Returns how many replies were sent, and to how many tickets, by person and by all together. */
export async function findReplies(
  db: Db,
  scope: RawBuilder<unknown>,
  { from, to }: Days,
  viewer: Viewer,
): Promise<{ all: Replies; people: Map<number, Replies> }> {
  const sent = countReplies(scope, dayStart(from, viewer), dayEnd(to, viewer))
  // The condition is outside, so that the planner doesn't fear that it costs more than the join.
  const { rows } = await sql<Replies & { person: number | null }>`with sent as materialized (${sent})
    select person, sum(count)::integer as count, count(*)::integer as tickets from sent where count > 0 group by person
    union all select null, coalesce(sum(count), 0)::integer, count(distinct ticket_id)::integer from sent where count > 0`.execute(
    db,
  )
  const of = new Map(rows.map(({ person, ...replies }) => [person, replies]))
  return {
    all: of.get(null)!,
    people: new Map(
      [...of].flatMap(([person, replies]) => (person === null ? [] : [[person, replies] as const])),
    ),
  }
}

interface Numbers {
  answered: ReadonlyMap<number | null, number>
  solved: ReadonlyMap<number | null, number>
  /** Median number of seconds until the first answer. */
  medians: ReadonlyMap<number | null, number>
  replies: ReadonlyMap<number, Replies>
  rated: readonly { id: number | null; good: number; bad: number }[]
}

/**
 * Returns the numbers of each person, and in a last row those of no one, if any. A reader who isn't an admin gets only their own.
 */
export async function findPeople(
  db: Db,
  { answered, solved, medians, replies, rated }: Numbers,
  viewer: Viewer,
): Promise<SupportReport['people']> {
  const ratings = new Map(rated.map(({ id, good, bad }) => [id, { good, bad }]))
  const all = new Set<number | null>(
    [answered, solved, replies, ratings].flatMap((numbers) => [...numbers.keys()]),
  )
  const shown = [...all].filter((id) => isAdminRole(viewer.role_id) || id === viewer.id)
  const ids = shown.filter((id) => id !== null)
  const people =
    ids.length === 0
      ? []
      : await db.selectFrom('staff').select(['id', 'name']).where('id', 'in', ids).execute()
  return [...people, ...(shown.includes(null) ? [{ id: null, name: 'Unassigned' }] : [])]
    .map(({ id, name }) => ({
      id,
      name,
      answered: answered.get(id) ?? 0,
      solved: solved.get(id) ?? 0,
      first_response: medians.get(id) ?? null,
      replies: (id !== null && replies.get(id)) || { count: 0, tickets: 0 },
      ...(ratings.get(id) ?? { good: 0, bad: 0 }),
    }))
    .toSorted(
      (one, two) =>
        Number(one.id === null) - Number(two.id === null) ||
        two.answered - one.answered ||
        two.solved - one.solved ||
        (one.id ?? 0) - (two.id ?? 0),
    )
}
