import type { Db } from '#server/db/db.ts'

interface Entered {
  created_at: string
  /** Times of answers, with their author. */
  answers?: readonly (readonly [at: string, staff_id: number])[]
  /** Status changes, in order. */
  changes?: readonly (readonly [at: string, from: number, to: number])[]
  category?: number
  organization_id?: number | null
  assignee_id?: number | null
}

/** Enters a ticket with its first message, answers, and changes of status, in the order in which they are given. */
export async function enter(
  db: Db,
  {
    created_at,
    answers = [],
    changes = [],
    category = 1,
    organization_id = null,
    assignee_id = null,
  }: Entered,
): Promise<number> {
  const { id } = await db
    .insertInto('tickets')
    .values({
      title: 'The scanner stopped',
      created_at,
      last_message_at: answers.at(-1)?.[0] ?? created_at,
      category,
      organization_id,
      assignee_id,
      status: changes.at(-1)?.[2] ?? 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const said = [[created_at, null] as const, ...answers]
  for (const [at, staff_id] of said)
    await db
      .insertInto('ticket_messages')
      .values({
        ticket_id: id,
        sent_by_admin: staff_id !== null,
        staff_id,
        message: '<p>Hi</p>',
        created_at: at,
      })
      .execute()
  for (const [changed_at, from_status, to_status] of changes)
    await db
      .insertInto('ticket_status_changes')
      .values({ ticket_id: id, from_status, to_status, assignee_id, changed_at })
      .execute()
  return id
}

/** A generator of pseudo-random numbers below `below`, the same in each run. */
export function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Enters tickets with random events around the beginning and the end of the period. */
export async function enterMany(
  db: Db,
  staff: readonly number[],
  organizations: readonly number[],
): Promise<void> {
  const random = numbers(7)
  const start = Date.parse('2026-03-01T00:00:00Z')
  for (let index = 0; index < 60; index += 1) {
    let at = start + random(20 * 24) * 3_600_000
    const next = () => {
      at += (1 + random(50)) * 1_800_000
      return new Date(at).toISOString()
    }
    let status = 0
    const changes = Array.from({ length: random(5) }, () => {
      const to = [0, 3, 4, 5].filter((one) => one !== status)[random(3)]!
      const change = [next(), status, to] as const
      status = to
      return change
    })
    const person = staff[random(staff.length)]!
    await enter(db, {
      created_at: new Date(start + random(10 * 24) * 3_600_000 - 5 * 86_400_000).toISOString(),
      answers: Array.from({ length: random(3) }, () => [next(), person] as const),
      changes,
      category: 1 + random(3),
      organization_id: random(3) === 0 ? null : organizations[random(organizations.length)]!,
      assignee_id: person,
    })
  }
}
