import { isPlainDate } from '#shared/dates.ts'

/** What `is:` accepts. */
export const searchStates = ['open', 'unread', 'mine', 'unassigned', 'overdue'] as const
export type SearchState = (typeof searchStates)[number]

/** A search for tickets: words, and conditions such as `from:jana`. */
export interface TicketSearch {
  words: string[]
  /** Words of the requester's name or address. */
  from: string[]
  /** Words of the organization's name. */
  org: string[]
  is: SearchState[]
  /** The ticket was created before this day. */
  before: string | undefined
}

const isState = (value: string): value is SearchState => (searchStates as readonly string[]).includes(value)

/**
 * Reads a search such as `towels from:jana org:"elm resort" is:open before:2026-11-01`. An unknown condition, such as
 * `is:blue`, is a word.
 */
export function parseSearch(search: string): TicketSearch {
  const found: TicketSearch = { words: [], from: [], org: [], is: [], before: undefined }
  for (const [part, name = '', quoted, plain = ''] of search.matchAll(
    /(?:(from|org|is|before):)?(?:"([^"]*)"|(\S+))/gi,
  )) {
    const value = quoted ?? plain
    const words = value.split(/\s+/).filter(Boolean)
    const key = name.toLowerCase()
    if (key === 'from' || key === 'org') found[key].push(...words)
    else if (key === 'is' && isState(value.toLowerCase())) found.is.push(value.toLowerCase() as SearchState)
    else if (key === 'before' && isPlainDate(value)) found.before = value
    else found.words.push(...(key === '' ? words : [part]))
  }
  return found
}
