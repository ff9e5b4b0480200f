import { reachedOutcome } from '#features/crm/leads/rules.ts'

/** Pure rules for calls with leads, shared by the server and the browser (docs/product.md#calls). */

/** How a call ended. */
export const callOutcomes = { 1: 'Reached', 2: 'No answer', 3: 'Left voicemail', 4: 'Wrong number' } as const
export type CallOutcome = keyof typeof callOutcomes

export const callDirections = { out: 'Outgoing', in: 'Incoming' } as const
export type CallDirection = keyof typeof callDirections

/** Longest call that can be logged, in minutes. */
export const mostMinutes = 600

const minuteMs = 60_000

/** Returns whether a call that started at a moment can still be going on. */
export const isRunning = (started_at: string, now: number): boolean =>
  started_at !== '' && now - Date.parse(started_at) < mostMinutes * minuteMs

/** Returns how long a call took that ends now: a minute that began counts. */
export const minutesSince = (started_at: string, now: number): number =>
  Math.min(mostMinutes, Math.max(1, Math.ceil((now - Date.parse(started_at)) / minuteMs)))

/** Formats the time since a call started, such as `04:12` or `1:04:12`. */
export function timerText(started_at: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(started_at)) / 1000))
  const two = (count: number) => String(count).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours === 0 ? '' : `${hours}:`}${two(minutes)}:${two(seconds % 60)}`
}

interface Call {
  direction: CallDirection
  outcome: number
  minutes: number | null
}

/** Returns `12 min · Reached`; calls from the lead are named. */
export const callWords = ({ direction, outcome, minutes }: Call): string =>
  [
    ...(direction === 'in' ? [callDirections.in] : []),
    ...(minutes === null ? [] : [`${minutes} min`]),
    callOutcomes[outcome as CallOutcome],
  ].join(' · ')

/** Returns why a person can't change or delete a call; undefined if they can. */
export const whyNotChangeCall = (
  { called_by }: { called_by: number },
  { id }: { id: number },
): string | undefined =>
  called_by === id ? undefined : 'Only the person who logged this call can change it.'

/** Returns how many times in a row the lead was called without being reached; the calls are newest first. */
export function attemptsWithoutAnswer(calls: readonly { direction: string; outcome: number }[]): number {
  const last = calls.findIndex(({ outcome }) => outcome === reachedOutcome)
  return (last === -1 ? calls : calls.slice(0, last)).filter(({ direction }) => direction === 'out').length
}
