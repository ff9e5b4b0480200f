import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { mostCounted } from '#shared/page.ts'
import { seesAllOrganizations } from '#features/crm/organizations/server/product-sets.queries.ts'
import type { TicketFilters } from '#features/crm/support/contract.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { onlyWordOf, ticketsWith, type WordSearch } from '#features/crm/support/server/search-sql.ts'
import type { Db } from '#server/db/db.ts'

/** A word can be in a ticket this many times, such as in its messages, for its number of tickets to be capped. */
const mostTimes = 5
const mostRead = mostTimes * mostCounted

/** SQL for the first places of a word. */
const placesOf = (word: string, viewer: Viewer) =>
  sql`select p.id from (${ticketsWith(word, viewer)}) p limit ${mostRead}`

/** Returns how the first tickets of a search are found fastest, without counting them. */
export async function wordSearchOf(db: Db, search: string, viewer: Viewer): Promise<WordSearch> {
  const word = onlyWordOf(search)
  if (word === undefined) return 'found'
  const { rows } = await sql<{ read: number }>`select count(*)::int as read
    from (${placesOf(word, viewer)}) places`.execute(db)
  return rows[0]!.read < mostRead ? 'found' : 'each'
}

interface Found {
  /** More than `mostCounted` if there are more than that; undefined if the places that were read don't say. */
  total: number | undefined
  isCapped: boolean
  /** Whether so many tickets have the word that a page of them is found by checking one after the other. */
  isCommon: boolean
}

/** Counts the tickets that a search for one word finds, up to the cap; undefined for another search. */
export async function countFound(
  db: Db,
  filters: Partial<TicketFilters>,
  reader: Viewer,
): Promise<Found | undefined> {
  const word = onlyWordOf(filters.search ?? '')
  if (word === undefined) return undefined
  const viewer = { ...reader, seesAllOrganizations: await seesAllOrganizations(db, reader) }
  const { rows } = await sql<{ read: number; total: number }>`
    with places as materialized (${placesOf(word, viewer)})
    select (select count(*) from places)::int as read, (select count(*) from (
      select from (select distinct id from places) p join tickets t on t.id = p.id
      where ${matching(filters, viewer, false, false, 'none')} limit ${mostCounted + 1}) found)::int as total`.execute(
    db,
  )
  const { read, total } = rows[0]!
  const isCapped = total > mostCounted
  const isWhole = read < mostRead
  return { total: isCapped || isWhole ? total : undefined, isCapped, isCommon: isCapped || !isWhole }
}
