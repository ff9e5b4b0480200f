import type { DemoStatus } from '#shared/appointments.contract.ts'
import type { ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import type { ScheduledStep } from '#features/crm/onboarding/contract.ts'

/** A session or a stage in the schedule. */
export interface ScheduleEntry {
  key: string
  record: { type: 'lead' | 'onboarding'; id: number }
  company: string
  contact: string
  /** Its type, or the name of the stage. */
  name: string
  at: string
  minutes: number
  /** The customer's time zone. */
  timezone: string
  status: DemoStatus
  is_completed: boolean
  led_by: string | null
  product: number
}

export const entryOfDemo = (demo: ScheduledDemo): ScheduleEntry => ({
  key: String(demo.id),
  record: { type: 'lead', id: demo.lead_id },
  company: demo.companyName,
  contact: demo.contactName,
  name: demo.type,
  at: demo.at,
  minutes: demo.minutes,
  timezone: demo.timezone,
  status: demo.status as DemoStatus,
  is_completed: demo.is_completed,
  led_by: demo.led_by,
  product: demo.lead_for,
})

export const entryOfStep = (step: ScheduledStep): ScheduleEntry => ({
  key: `${step.kind}-${step.id}`,
  record: { type: 'onboarding', id: step.onboarding_id },
  company: step.company,
  contact: '',
  name: step.name,
  at: step.at,
  minutes: step.minutes,
  timezone: step.timezone,
  status: step.status as DemoStatus,
  is_completed: step.done,
  led_by: step.led_by,
  product: step.lead_for,
})
