import { sql, type RawBuilder } from 'kysely'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { isNumber, parseSearch, type SearchState } from '#features/crm/support/search-syntax.ts'
import { isOpen, isSnoozed, isAmongUnread } from '#features/crm/support/server/conditions.ts'
import { unpreparedMark } from '#server/db/connection.ts'
import { dayStart, phoneForms, wordsOf } from '#server/record/list.ts'

/* The search for tickets `t`. Case and accents don't matter, nor does the order of the words. */

/** Returns the ticket number that a search consists of (`145` or `#145`). */
export function numberIn(search: string): number | undefined {
  const number = /^#?(\d{1,9})$/.exec(search.trim())?.[1]
  return number === undefined ? undefined : Number(number)
}

/**
 * How the words of a search are looked for: all tickets that have them are found first, or each ticket is checked, which
 * is faster for a page if many have them. `none` leaves the words out.
 */
export type WordSearch = 'found' | 'each' | 'none'

/** Every word is in the title, the sender, the organization, a message, a comment, or the name of a file. */
export function matchesTicketSearch(
  search: string,
  viewer: Viewer,
  by: WordSearch = 'found',
): RawBuilder<unknown> {
  const number = numberIn(search)
  const { words, from, org, is, status, tag, before, after } = parseSearch(search)
  const parts = [
    ...(by === 'none' || words.length === 0 ? [] : [hasWords(words, viewer, by)]),
    ...from.map((word) => isAnyOf('t.id', fromRequester(word))),
    ...org.map((word) => isAnyOf('t.organization_id', organizationsWith(word))),
    ...is.map((state) => inState[state](viewer)),
    ...status.map((name) => sql`t.status = any(array(${named('ticket_statuses', name)}))`),
    ...tag.map((name) =>
      isAnyOf(
        't.id',
        sql`select l.ticket_id from ticket_tag_links l where l.tag_id in (${named('ticket_tags', name)})`,
      ),
    ),
    ...(after === undefined ? [] : [sql`t.created_at >= ${dayStart(after, viewer)}`]),
    ...(before === undefined ? [] : [sql`t.created_at < ${dayStart(before, viewer)}`]),
  ]
  if (!parts.length) return sql`true`
  const all = sql.join(parts, sql` and `)
  // Plan the query for each search, because the rarity of its words decides whether an index is worth using.
  return sql`(${number === undefined ? all : sql`t.id = ${number} or ${all}`} ${sql.raw(unpreparedMark)})`
}

/** Each word is somewhere in the ticket, or all of them are its requester’s phone number. */
function hasWords(words: readonly string[], viewer: Viewer, by: WordSearch): RawBuilder<unknown> {
  const each = wordsIn(words).map((word) =>
    by === 'each' ? hasWord(word, viewer) : isAnyOf('t.id', ticketsWith(word, viewer)),
  )
  if (each.length === 0) return sql`true`
  const all = sql.join(each, sql` and `)
  const number = words.join(' ')
  return words.length > 1 && isNumber(number)
    ? sql`(${all} or ${isAnyOf('t.id', fromRequester(number))})`
    : all
}

const wordsIn = (words: readonly string[]) => wordsOf(words.join(' ')).filter(Boolean)

/** Returns the word of a search that has one only; undefined for a ticket number, which is found by itself. */
export function onlyWordOf(search: string): string | undefined {
  const words = wordsIn(parseSearch(search).words)
  return words.length === 1 && numberIn(search) === undefined ? words[0] : undefined
}

/** The entries of a list whose name begins like this. */
const named = (list: 'ticket_statuses' | 'ticket_tags', name: string) =>
  sql`select e.id from ${sql.table(list)} e where starts_with(search_text(e.name), search_text(${name}))`

const contains = (text: RawBuilder<unknown>, word: string) => sql`${text} like search_pattern(${word})`

/** Like `contains`, for a text with phone numbers, which are found in any format. */
const containsNumber = (text: RawBuilder<unknown>, word: string) =>
  isNumber(word)
    ? sql`(${sql.join(
        [word, ...phoneForms(word)].map((form) => contains(text, form)),
        sql` or `,
      )})`
    : contains(text, word)

/**
 * Returns whether a column has one of these IDs. The array is made once, before tickets are read: for a subquery with
 * `in`, a database without statistics chooses to run it for each ticket.
 */
const isAnyOf = (column: string, ids: RawBuilder<unknown>) => sql`${sql.ref(column)} = any(array(${ids}))`

const ticketsWhere = (condition: RawBuilder<unknown>) =>
  sql`select s.id from tickets s where s.deleted_at is null and ${condition}`

/** Those in the trash included, so that an index alone can be read; the list leaves them out. */
const ticketsOf = (column: string, ids: RawBuilder<unknown>) =>
  sql`select s.id from tickets s where ${isAnyOf(`s.${column}`, ids)}`

const organizationsWith = (word: string) =>
  sql`select o.organization_id from organizations o where o.deleted_at is null and ${contains(sql`o.search`, word)}`
const usersWith = (word: string) =>
  sql`select u.id from customer_users u where u.deleted_at is null and ${containsNumber(sql`u.search`, word)}`
const staffWith = (word: string) =>
  sql`select p.id from staff p where ${contains(sql`search_text(p.name || ' ' || p.email::text)`, word)}`
const filesWith = (word: string) =>
  sql`select f.id from files f where ${contains(sql`search_text(f.name)`, word)}`

const fromRequester = (word: string) => sql`${ticketsWhere(containsNumber(sql`s.sender_search`, word))}
  union all ${ticketsOf('customer_user_id', usersWith(word))}
  union all ${ticketsOf('staff_id', staffWith(word))}`

/** The beginning of a word, for a text search; null if the word has no letters or digits. */
const prefix = (word: string) =>
  sql`(select string_agg(quote_literal(part) || ':*', ' & ')
    from unnest(tsvector_to_array(to_tsvector('simple', search_text(${word})))) part)::tsquery`

/** The tickets that have a word anywhere. Only staff of the desk find tickets by internal comments. */
export function ticketsWith(word: string, viewer: Viewer): RawBuilder<unknown> {
  const comments = sql` union all select c.ticket_id from ticket_comments c where c.deleted_at is null and c.words @@ ${prefix(word)}
    union all select c.ticket_id from file_links k join ticket_comments c on c.id = k.record_id
      where k.record_type = 'ticket_comment' and c.deleted_at is null and ${isAnyOf('k.file_id', filesWith(word))}`
  return sql`${ticketsOf('organization_id', organizationsWith(word))}
    union all ${ticketsWhere(contains(sql`s.search`, word))}
    union all ${fromRequester(word)}
    union all select m.ticket_id from ticket_messages m where m.words @@ ${prefix(word)}
    union all select m.ticket_id from file_links k join ticket_messages m on m.id = k.record_id
      where k.record_type = 'ticket_message' and ${isAnyOf('k.file_id', filesWith(word))}${can(viewer, 'all_tickets_view') ? comments : sql``}`
}

/** Whether a ticket `t` has a word anywhere, as `ticketsWith` finds it. A limit keeps each subquery to this ticket. */
function hasWord(word: string, viewer: Viewer): RawBuilder<unknown> {
  const any = (rows: RawBuilder<unknown>) => sql`(select true ${rows} limit 1)`
  const hasFile = (table: 'ticket_message' | 'ticket_comment') =>
    any(sql`from ${sql.table(`${table}s`)} m join file_links k on k.record_type = ${sql.lit(table)} and k.record_id = m.id
      where m.ticket_id = t.id ${table === 'ticket_comment' ? sql`and m.deleted_at is null` : sql``} and ${isAnyOf('k.file_id', filesWith(word))}`)
  const parts = [
    contains(sql`t.search`, word),
    containsNumber(sql`t.sender_search`, word),
    any(sql`from organizations o where o.organization_id = t.organization_id and o.deleted_at is null
      and ${contains(sql`o.search`, word)}`),
    any(sql`from customer_users u where u.id = t.customer_user_id and u.deleted_at is null
      and ${containsNumber(sql`u.search`, word)}`),
    isAnyOf('t.staff_id', staffWith(word)),
    any(sql`from ticket_messages m where m.ticket_id = t.id and m.words @@ ${prefix(word)}`),
    hasFile('ticket_message'),
    ...(can(viewer, 'all_tickets_view')
      ? [
          any(sql`from ticket_comments c where c.ticket_id = t.id and c.deleted_at is null
            and c.words @@ ${prefix(word)}`),
          hasFile('ticket_comment'),
        ]
      : []),
  ]
  return sql`(${sql.join(parts, sql` or `)})`
}

const inState: Record<SearchState, (viewer: Viewer) => RawBuilder<unknown>> = {
  open: () => isOpen,
  unread: isAmongUnread,
  mine: ({ id }) => sql`t.assignee_id = ${id}`,
  unassigned: () => sql`t.assignee_id is null`,
  overdue: () => sql`${isOpen} and t.delivery_date < current_date`,
  snoozed: isSnoozed,
}
