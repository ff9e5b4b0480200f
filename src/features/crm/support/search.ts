import { isPlainDate } from '#shared/dates.ts'

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
  for (const [part, name = '', quoted, plain = ''] of search.matchAll(
    /(?:(from|org|is|tag|before|after):)?(?:"([^"]*)"|(\S+))/gi,
  )) {
    const value = quoted ?? plain
    const words = value.split(/\s+/).filter(Boolean)
    const key = name.toLowerCase()
    // A phone number is one word.
    if (key === 'from') found.from.push(...(isNumber(value) ? [value] : words))
    else if (key === 'org') found.org.push(...words)
    else if (key === 'is' && isState(value.toLowerCase())) found.is.push(value.toLowerCase() as SearchState)
    else if (key === 'is' && value !== '') found.status.push(value)
    else if (key === 'tag' && value !== '') found.tag.push(value)
    else if ((key === 'before' || key === 'after') && isPlainDate(value)) found[key] = value
    else found.words.push(...(key === '' ? words : [part]))
  }
  return found
}
