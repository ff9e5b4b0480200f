import { dayText, isPlainDate } from '#shared/dates.ts'

/** What `is:` accepts besides the names of statuses. */
export const searchStates = ['open', 'unread', 'mine', 'unassigned', 'overdue', 'snoozed'] as const
export type SearchState = (typeof searchStates)[number]

/** A search for tickets: words, and conditions such as `from:jana`. */
export interface TicketSearch {
  words: string[]
  /** Words of the requester's name or address. */
  from: string[]
  /** Words of the organization's name. */
  org: string[]
  is: SearchState[]
  /** Beginnings of the names of statuses. */
  status: string[]
  /** Beginnings of the names of tags. */
  tag: string[]
  /** The ticket was created before this day. */
  before: string | undefined
  /** The ticket was created on this day or later. */
  after: string | undefined
}

const isState = (value: string): value is SearchState => (searchStates as readonly string[]).includes(value)

/** Whether a text can be a phone number, and is too long for the number of a ticket among other words. */
export const isNumber = (text: string): boolean =>
  /^[\d\s()+./-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= fewestDigits
const fewestDigits = 6

interface Part {
  /** The part as it was typed, such as `org:"elm resort"`. */
  text: string
  /** The name of the condition, in lower case; empty for a word. */
  key: string
  value: string
}

const partsOf = (search: string): Part[] =>
  [...search.matchAll(/(?:(from|org|is|tag|before|after):)?(?:"([^"]*)"|(\S+))/gi)].map(
    ([text, name = '', quoted, plain = '']) => ({ text, key: name.toLowerCase(), value: quoted ?? plain }),
  )

/**
 * Reads a search such as `towels from:jana org:"elm resort" is:open is:waiting tag:labels before:2026-11-01`. An unknown
 * condition, such as `color:blue`, is a word.
 */
export function parseSearch(search: string): TicketSearch {
  const found: TicketSearch = {
    words: [],
    from: [],
    org: [],
    is: [],
    status: [],
    tag: [],
    before: undefined,
    after: undefined,
  }
  for (const { text, key, value } of partsOf(search)) {
    const words = value.split(/\s+/).filter(Boolean)
    // A phone number is one word.
    if (key === 'from') found.from.push(...(isNumber(value) ? [value] : words))
    else if (key === 'org') found.org.push(...words)
    else if (key === 'is' && isState(value.toLowerCase())) found.is.push(value.toLowerCase() as SearchState)
    else if (key === 'is' && value !== '') found.status.push(value)
    else if (key === 'tag' && value !== '') found.tag.push(value)
    else if ((key === 'before' || key === 'after') && isPlainDate(value)) found[key] = value
    else found.words.push(...(key === '' ? words : [text]))
  }
  return found
}

/** Texts of conditions, by their names. */
const conditionTexts: Readonly<Record<string, (value: string) => string>> = {
  from: (value) => `From: ${value}`,
  org: (value) => `Organization: ${value}`,
  is: (value) => `Is: ${value.toLowerCase()}`,
  tag: (value) => `Tag: ${value}`,
  before: (value) => `Before ${dayText(value)}`,
  after: (value) => `Since ${dayText(value)}`,
}

/** Returns how a condition reads; one with a date that can't be read says how to write it. */
function textOf({ text, key, value }: Part): string {
  if ((key !== 'before' && key !== 'after') || isPlainDate(value)) return conditionTexts[key]!(value)
  return `“${text}” has no date: write ${key}:2026-12-31`
}

/** Returns a search as its conditions and its words, each with the search without it. */
export function splitSearch(search: string): { text: string; rest: string }[] {
  const parts = partsOf(search)
  const without = (left: (part: Part) => boolean) =>
    parts
      .filter(left)
      .map(({ text }) => text)
      .join(' ')
  const isCondition = ({ key, value }: Part) => key !== '' && value !== ''
  const words = without((part) => !isCondition(part))
  return [
    ...(words === '' ? [] : [{ text: `Search: ${words}`, rest: without(isCondition) }]),
    ...parts
      .filter(isCondition)
      .map((part) => ({ text: textOf(part), rest: without((other) => other !== part) })),
  ]
}
