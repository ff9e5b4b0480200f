import type { PlainDate } from '#shared/dates.ts'

/* Determines which version of the terms is current, and how two versions differ. */

export interface TermsVersion {
  id: number
  /** First day on which the version applies. */
  effective_on: PlainDate
}

/**
 * Reports whether `one` takes precedence over `other`: it has the later effective date or, on the same date,
 * the later version number.
 */
const isAfter = (one: TermsVersion, other: TermsVersion) =>
  one.effective_on > other.effective_on || (one.effective_on === other.effective_on && one.id > other.id)

/** Returns the version that applies on a given day; undefined if none applies yet. */
export function inForce<Version extends TermsVersion>(
  versions: readonly Version[],
  day: PlainDate,
): Version | undefined {
  return versions
    .filter(({ effective_on }) => effective_on <= day)
    .reduce<Version | undefined>((best, one) => (best && isAfter(best, one) ? best : one), undefined)
}

/** A version, and the days on which it applies. */
export interface TermsPeriod {
  id: number
  from: PlainDate
  /** First day of the next version; undefined for the last one. */
  until: PlainDate | undefined
}

/** Returns the periods of all versions that apply on some day, oldest first. */
export function periodsOf(versions: readonly TermsVersion[]): TermsPeriod[] {
  const applied = versions
    .filter((one) => !versions.some((other) => other.effective_on === one.effective_on && other.id > one.id))
    .toSorted((a, b) => (a.effective_on < b.effective_on ? -1 : 1))
  return applied.map(({ id, effective_on }, index) => ({
    id,
    from: effective_on,
    until: applied[index + 1]?.effective_on,
  }))
}

export type TermsState = 'in force' | 'to come' | 'past' | 'replaced'

/**
 * Returns a version's state today. `replaced` is a scheduled version whose effective date was taken by a
 * later version.
 */
export function stateOf(
  version: TermsVersion,
  versions: readonly TermsVersion[],
  today: PlainDate,
): TermsState {
  if (versions.some((other) => other.id > version.id && other.effective_on === version.effective_on)) {
    return version.effective_on > today ? 'replaced' : 'past'
  }
  if (version.effective_on > today) return 'to come'
  return inForce(versions, today)?.id === version.id ? 'in force' : 'past'
}

/**
 * The policy of B §6: terms can be updated if the values match (docs/spec-gaps.md G71). No endpoint uses it.
 */
export const mayUpdateTerms = (user: { value: string }, terms: { value: string }): boolean =>
  user.value === terms.value

/** A run of text that is in both versions, only in the newer one, or only in the older one. */
export interface Piece {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Above this number of comparisons, everything between the common start and end counts as replaced. */
const mostCompared = 9_000_000

/** Splits text into words, runs of whitespace, and line breaks. */
const wordsIn = (text: string) => text.match(/\n|[^\S\n]+|[^\s]+/g) ?? []

/** Returns the word-by-word diff of two texts, based on their longest common subsequence. */
export function differences(before: string, after: string): Piece[] {
  const [old, now] = [wordsIn(before), wordsIn(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end))
    end += 1
  const pieces = [
    ...old.slice(0, start).map((text): Piece => ({ kind: 'same', text })),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((text): Piece => ({ kind: 'same', text })),
  ]
  return joined(pieces)
}

function middle(old: readonly string[], now: readonly string[]): Piece[] {
  const removed = (text: string): Piece => ({ kind: 'removed', text })
  const added = (text: string): Piece => ({ kind: 'added', text })
  if (old.length * now.length > mostCompared) return [...old.map(removed), ...now.map(added)]
  const width = now.length + 1
  // Length of the longest common subsequence starting at each position.
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      pieces.push({ kind: 'same', text: old[i]! })
      i += 1
      j += 1
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) {
      pieces.push(removed(old[i]!))
      i += 1
    } else {
      pieces.push(added(now[j]!))
      j += 1
    }
  }
  return [...pieces, ...old.slice(i).map(removed), ...now.slice(j).map(added)]
}

function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const { kind, text } of pieces) {
    const last = result.at(-1)
    if (last?.kind === kind) last.text += text
    else result.push({ kind, text })
  }
  return result
}
