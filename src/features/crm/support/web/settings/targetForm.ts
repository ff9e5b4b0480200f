import { z } from 'zod'
import { mostHours, ServiceTargets, type StoredTargets } from '#features/crm/support/targets.contract.ts'

/** A target as it is typed: codes and times as text, empty for any or none. */
export interface TargetInput {
  priority: string
  category: string
  organization_id: string
  first_response: string
  next_response: string
  resolution: string
  in_working_hours: string
}
export const timeFields = ['first_response', 'next_response', 'resolution'] as const

export interface Values {
  targets: TargetInput[]
  pauses_while_waiting: string
  reminder_percent: string
  zone: string
  days: { from: string; to: string }[]
  holidays: string[]
}

export const newTarget: TargetInput = {
  priority: '',
  category: '',
  organization_id: '',
  first_response: '',
  next_response: '',
  resolution: '',
  in_working_hours: '1',
}

/** Formats minutes, such as `1 h 30 min`. */
export function hoursText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ')
}

/** Returns the minutes of a text such as `4 h`, `1.5 h`, `30 min`, or `1 h 30 min`; undefined if it is none. */
export function minutesOf(text: string): number | undefined {
  const match = /^(?:(\d+(?:[.,]\d+)?) ?h(?:ours?)?)?(?: ?(\d+) ?m(?:in(?:utes?)?)?)?$/i.exec(text.trim())
  if (!match || text.trim() === '') return undefined
  return Math.round(Number((match[1] ?? '0').replace(',', '.')) * 60) + Number(match[2] ?? 0)
}

export const valuesOf = (stored: StoredTargets): Values => ({
  targets: stored.targets.map((target) => ({
    priority: String(target.priority ?? ''),
    category: String(target.category ?? ''),
    organization_id: String(target.organization_id ?? ''),
    first_response: hoursText(target.first_response ?? 0),
    next_response: hoursText(target.next_response ?? 0),
    resolution: hoursText(target.resolution ?? 0),
    in_working_hours: target.in_working_hours ? '1' : '0',
  })),
  pauses_while_waiting: stored.pauses_while_waiting ? '1' : '0',
  reminder_percent: String(stored.reminder_percent ?? ''),
  zone: stored.zone,
  days: stored.days.map((hours) => hours ?? { from: '', to: '' }),
  holidays: stored.holidays,
})

const orNull = (text: string) => (text === '' ? null : Number(text))
/** Null for no target; any other text stays as it was typed, and is refused. */
const timeOf = (text: string) => (text.trim() === '' ? null : (minutesOf(text) ?? text))

export const toSend = (values: Values) => ({
  targets: values.targets.map((target) => ({
    priority: orNull(target.priority),
    category: orNull(target.category),
    organization_id: orNull(target.organization_id),
    first_response: timeOf(target.first_response),
    next_response: timeOf(target.next_response),
    resolution: timeOf(target.resolution),
    in_working_hours: target.in_working_hours === '1',
  })),
  pauses_while_waiting: values.pauses_while_waiting === '1',
  reminder_percent: values.reminder_percent.trim() === '' ? null : values.reminder_percent.trim(),
  zone: values.zone,
  days: values.days.map((hours) => (hours.from === '' && hours.to === '' ? null : hours)),
  holidays: values.holidays.filter((day) => day !== ''),
})

const notATime = `Enter a time such as 4 h or 30 min, up to ${mostHours} h.`

/** The contract’s rules, and a message for a text that isn’t a time. */
export const FormRules = z.unknown().superRefine((sent, context) => {
  const wrong = new Set<string>()
  const { targets } = sent as ReturnType<typeof toSend>
  for (const [index, target] of targets.entries())
    for (const field of timeFields)
      if (typeof target[field] === 'string') {
        wrong.add(`targets.${index}.${field}`)
        context.addIssue({ code: 'custom', message: notATime, path: ['targets', index, field] })
      }
  for (const { path, message } of ServiceTargets.safeParse(sent).error?.issues ?? [])
    if (!wrong.has(path.join('.'))) context.addIssue({ code: 'custom', message, path: [...path] })
})
