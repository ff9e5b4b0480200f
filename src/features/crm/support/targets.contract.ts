import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { code, plainDay, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { zoneName } from '#shared/zones.ts'
import { priorityCode } from '#features/crm/support/rules.ts'

export const mostTargets = 50
/** Most hours that a service target can have: 100 days around the clock. */
export const mostHours = 2400
const minutes = wholeNumber(1, mostHours * 60, `Enter at most ${mostHours} h.`).nullable()
const time = text(5).regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time as HH:MM.')

/** Criteria that are null fit every ticket; times that are null have no target. Times are in minutes. */
export const ServiceTarget = z
  .object({
    priority: priorityCode.nullable(),
    category: code.nullable(),
    organization_id: recordId.nullable(),
    first_response: minutes,
    next_response: minutes,
    resolution: minutes,
    in_working_hours: z.boolean(),
  })
  .refine((target) => target.first_response ?? target.next_response ?? target.resolution, {
    path: ['first_response'],
    message: 'Enter at least one time.',
  })
export type ServiceTarget = z.output<typeof ServiceTarget>

const Hours = z.object({ from: time, to: time }).refine(({ from, to }) => from < to, {
  path: ['to'],
  message: 'Enter an end time after the start time.',
})

/** `targets` are in order: the first one that fits a ticket applies. */
export const ServiceTargets = z.object({
  targets: z.array(ServiceTarget).max(mostTargets, `Enter at most ${mostTargets} targets.`),
  /** Whether the resolution pauses while a ticket waits for the customer. */
  pauses_while_waiting: z.boolean(),
  /** The assignee gets a notice when so much of a target’s time is used; null for no notice. */
  reminder_percent: wholeNumber(1, 99).nullable(),
  /** Time zone of the working hours. */
  zone: zoneName,
  /** Working hours from Monday to Sunday; null on days off. */
  days: z.array(Hours.nullable()).length(7),
  /** Days without work. */
  holidays: z.array(plainDay).max(366, 'Enter at most 366 holidays.'),
})
export type ServiceTargets = z.output<typeof ServiceTargets>

const version = z.number().int().min(0)
/** 0 until targets are set for the first time. */
const Stored = ServiceTargets.extend({ version })
export type StoredTargets = z.output<typeof Stored>

export const serviceTargets = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/targets',
    shows: ['settings'],
    // The form starts over with the version that it gets.
    live: false,
    summary: 'Get the service targets of tickets and the working hours that they count in.',
    access: adminsOnly,
    response: z.object({ data: Stored }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/support/targets',
    summary:
      'Replace the service targets and the working hours. They apply to clocks that start later. Returns 409 with the current ones if the version is out of date.',
    act: 'Changed service targets',
    access: adminsOnly,
    body: ServiceTargets.extend({ version }),
    response: z.object({ message: z.string(), data: Stored }),
  }),
}
