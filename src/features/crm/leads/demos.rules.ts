import { demoStatuses, type DemoStatus } from '#shared/appointments.contract.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'

/** Pure rules for demos, shared by the server and the browser (docs/product.md#demos). */

export const requestedStatus = 1
export const scheduledStatus = 2

/** Allowed status transitions. */
export const nextDemoStatuses = {
  0: [1, 2],
  1: [0, 2, 3],
  2: [0, 3],
  3: [1, 2],
} as const satisfies Record<DemoStatus, readonly DemoStatus[]>

interface Held {
  host_ids: readonly number[]
  /** The lead's assignee. */
  assign_to: number | null
}

/** Returns whether an admin user holds a session: as one of its hosts or, without hosts, as the lead's assignee. */
export const isHeldBy = (staff: number, { host_ids, assign_to }: Held): boolean =>
  host_ids.length > 0 ? host_ids.includes(staff) : assign_to === staff

interface Timed {
  status: number
  final_date: string | null
  minutes: number
}

/** Returns whether the time of a scheduled session is over. */
export const isOver = ({ final_date, minutes }: Timed, now: number): boolean =>
  final_date !== null && Date.parse(final_date) + minutes * 60_000 <= now

/**
 * Returns the next scheduled session, which can have begun; without one, the last whose outcome is missing.
 * @param now in milliseconds
 */
export function nextSessionOf<Session extends Timed>(
  sessions: readonly Session[],
  now: number,
): (Session & { final_date: string }) | undefined {
  const scheduled = sessions
    .filter(
      (one): one is Session & { final_date: string } =>
        one.status === scheduledStatus && one.final_date !== null,
    )
    .toSorted((a, b) => Date.parse(a.final_date) - Date.parse(b.final_date))
  return scheduled.find((one) => !isOver(one, now)) ?? scheduled.at(-1)
}

interface Status {
  id: number
  is_won: boolean
  for_demo: number | null
}

/**
 * Returns the status to offer for a lead whose demo was scheduled or completed: the one that is set up for this, if the
 * lead is in an earlier one. A lead that is won or rejected has none.
 * @param statuses in their order
 */
export function statusAfterDemo<One extends Status>(
  statuses: readonly One[],
  current: number,
  demoStatus: number,
): One | undefined {
  const at = statuses.findIndex(({ id }) => id === current)
  const to = statuses.findIndex(({ for_demo }) => for_demo === demoStatus)
  const isClosed = ({ id, is_won }: One) => is_won || id === rejectedStatus
  if (at < 0 || to <= at || isClosed(statuses[at]!) || isClosed(statuses[to]!)) return undefined
  return statuses[to]
}

interface Demo {
  status: number
  final_date: string | null
}

/** Returns why a demo cannot change to a status; undefined if it can. */
export function whyNotDemoStatus(demo: Demo, status: number): string | undefined {
  const before = demoStatuses[demo.status as DemoStatus].toLowerCase()
  const after = demoStatuses[status as DemoStatus].toLowerCase()
  if (demo.status === status) return `This session is already ${after}.`
  const next: readonly number[] = nextDemoStatuses[demo.status as DemoStatus]
  if (!next.includes(status)) return `A ${before} session can’t be changed to ${after}.`
  if (status === 2 && demo.final_date === null) return 'Set the scheduled time first.'
  return status === 1 && demo.final_date !== null
    ? 'Clear the scheduled time to change this session back to requested.'
    : undefined
}

/** Order of precedence when a lead has several demos: scheduled, requested, completed. */
const order = [2, 1, 3] as const

/**
 * Returns a lead's demo_status based on its demos; undefined if there are no demos, so that the lead keeps
 * its current value.
 */
export function demoStatusOfLead(demos: readonly { status: number }[]): DemoStatus | undefined {
  if (demos.length === 0) return undefined
  return order.find((status) => demos.some((demo) => demo.status === status)) ?? 0
}

/** Longest period that a single schedule request can cover, in days. */
export const scheduleDaysAtMost = 62
