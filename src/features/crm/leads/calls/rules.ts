/** Pure rules for calls with leads, shared by the server and the browser (docs/product.md#calls). */

/** How a call ended. */
export const callOutcomes = { 1: 'Reached', 2: 'No answer', 3: 'Left voicemail', 4: 'Wrong number' } as const
export type CallOutcome = keyof typeof callOutcomes
/** The outcome of a call in which both spoke to each other. */
export const reached = 1 satisfies CallOutcome

export const callDirections = { out: 'Outgoing', in: 'Incoming' } as const
export type CallDirection = keyof typeof callDirections

/** Longest call that can be logged, in minutes. */
export const mostMinutes = 600

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
  const last = calls.findIndex(({ outcome }) => outcome === reached)
  return (last === -1 ? calls : calls.slice(0, last)).filter(({ direction }) => direction === 'out').length
}
