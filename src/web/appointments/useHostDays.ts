import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { appointments } from '#shared/appointments.contract.ts'
import type { PlainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { Span } from '#web/appointments/freeTime.ts'
import { browserTimeZone } from '#web/time.ts'

/** The record that a session belongs to. */
export interface AppointmentOf {
  type: 'lead' | 'onboarding'
  id: number
  lead_for: number
  timezone: string
  /** The address of the contact; null or empty if there is none. */
  email: string | null
  assigned_name: string | null
}

/** A session as it is in the form. */
export interface Planned {
  of: AppointmentOf
  /** ID of the session, if it is saved already. */
  saved: number | undefined
  /** Scheduled time, or else the requested one; undefined if there is neither. */
  at: string | undefined
  /** Whether `at` is the scheduled time. */
  isScheduled: boolean
  /** Whether it took place or was canceled. */
  isDone: boolean
  minutes: number
  host_ids: readonly string[]
}

/** Returns what the requests about a session have in common. */
export const hostsOf = ({ saved, host_ids }: Planned) => ({
  ...(host_ids.length > 0 && { host_ids: host_ids.map(Number) }),
  ...(saved !== undefined && { except: saved }),
})

/** Returns the day of each host of a session, and its time and day in the viewer's time zone. */
export function useHostDays(planned: Planned) {
  const { of, at } = planned
  const timezone = browserTimeZone()
  const day = at === undefined ? undefined : wallTime(at, timezone).day
  const params = { type: of.type, id: of.id }
  const may = useMay(appointments.busy, { params, query: { day: day ?? '' } })
  const query = useQuery({
    ...queryOptionsFor(appointments.busy, {
      params,
      query: { day: day ?? '', timezone, ...hostsOf(planned) },
    }),
    enabled: may && day !== undefined,
    placeholderData: keepPreviousData,
  })
  return { query, shown: may && at !== undefined && day !== undefined ? { at, day } : undefined }
}

const dayMinutes = 24 * 60

/** Returns the part of a day that a session takes, by the clock in the viewer's time zone; undefined if there is none. */
export function spanOn(
  day: PlainDate,
  { at, minutes }: { at: string; minutes: number },
  zone = browserTimeZone(),
): Span | undefined {
  const wall = wallTime(at, zone)
  const days = Math.round((Date.parse(wall.day) - Date.parse(day)) / 86_400_000)
  const start = days * dayMinutes + Number(wall.time.slice(0, 2)) * 60 + Number(wall.time.slice(3))
  const [from, until] = [Math.max(0, start), Math.min(dayMinutes, start + minutes)]
  return from < until ? { start: from, minutes: until - from } : undefined
}
