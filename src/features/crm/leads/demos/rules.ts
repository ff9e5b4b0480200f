/** Pure rules of demos that server and browser both read (docs/product.md#demos). */

/** Where one demo stands: the codes of a lead's demo_status. */
export const demoStatuses = { 0: 'Called off', 1: 'Requested', 2: 'Scheduled', 3: 'Completed' } as const
export type DemoStatus = keyof typeof demoStatuses

/** What can follow a status. */
export const nextDemoStatuses = {
  0: [1, 2],
  1: [0, 2, 3],
  2: [0, 3],
  3: [1, 2],
} as const satisfies Record<DemoStatus, readonly DemoStatus[]>

interface Demo {
  status: number
  final_date: string | null
}

/** Why a demo cannot take a status; undefined where it can. */
export function whyNotDemoStatus(demo: Demo, status: number): string | undefined {
  if (demo.status === status) return `This demo is ${demoStatuses[status as DemoStatus].toLowerCase()} already.`
  const next: readonly number[] = nextDemoStatuses[demo.status as DemoStatus]
  if (!next.includes(status))
    return `A demo that is ${demoStatuses[demo.status as DemoStatus].toLowerCase()} cannot become ${demoStatuses[status as DemoStatus].toLowerCase()}.`
  if (status === 2 && demo.final_date === null) return 'A demo is scheduled once it has its final date.'
  return status === 1 && demo.final_date !== null ? 'A demo with a final date is scheduled, not requested.' : undefined
}

/** What comes first says where the lead's demo stands: what is agreed, what is asked for, what is done. */
const order = [2, 1, 3] as const

/** The demo_status of a lead by its demos; undefined for a lead without any, which keeps its own. */
export function demoStatusOfLead(demos: readonly { status: number }[]): DemoStatus | undefined {
  if (demos.length === 0) return undefined
  return order.find((status) => demos.some((demo) => demo.status === status)) ?? 0
}

/** The longest time that the schedule is asked for at once. */
export const scheduleDaysAtMost = 62
