import { sql } from 'kysely'
import type { BoardFilters } from '#features/crm/support/lanes.contract.ts'
import { wordSearchOf } from '#features/crm/support/server/count-found.queries.ts'
import { matching } from '#features/crm/support/server/filters.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import { selectRows, withWords, type SelectedRow } from '#features/crm/support/server/ticket-rows.ts'
import { cardLimits, cardsPerPage } from '#shared/board.contract.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { Row } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

interface Card {
  list_id?: number | undefined
  before?: number | undefined
  list_card_title?: string | undefined
  list_card_desc?: string | undefined
}

/** If the positions of two cards are closer together than this, the cards in the list are renumbered. */
const smallestGap = 1e-6

/**
 * Returns the columns that place a ticket's card before another one or, by default, at the end of its list. A
 * ticket without a list is placed in the first list unless a list is given.
 */
export async function placeCard(
  db: Db,
  held: Row,
  { list_id, before = 0, list_card_title, list_card_desc }: Card,
): Promise<Row> {
  const lists = await db.selectFrom('board_lists').select('id').orderBy('position').orderBy('name').execute()
  const list = list_id ?? (held['list_id'] as number | null) ?? lists[0]?.id
  if (list === undefined || !lists.some(({ id }) => id === list))
    throw invalid('list_id', 'This list doesn’t exist.')
  // Lock the list so that two users can't place cards in it at the same time.
  await sql`select pg_advisory_xact_lock(hashtext(${`board list ${list}`}))`.execute(db)
  const place = async () => {
    const { rows } = await sql<{
      place: number
      gap: number | null
    }>`select case when ${before} = 0 or b.id is null
      then coalesce((select max(card_position) from tickets where list_id = ${list} and deleted_at is null), 0) + 1
      else (b.card_position + coalesce((select max(card_position) from tickets where list_id = ${list} and deleted_at is null and card_position < b.card_position
        and id <> ${held['id']}), b.card_position - 2)) / 2 end as place,
      b.card_position - (select max(card_position) from tickets where list_id = ${list} and deleted_at is null and card_position < b.card_position
        and id <> ${held['id']}) as gap
    from (select 1) one left join tickets b on b.id = ${before} and b.list_id = ${list}`.execute(db)
    return rows[0]!
  }
  let found = await place()
  if (found.gap !== null && found.gap < smallestGap) {
    const isInList = sql`r.list_id = ${list} and r.deleted_at is null`
    const position = sql`(select n.place from (select t.id, row_number() over (order by t.card_position, t.id) as place
      from tickets t where t.list_id = ${list} and t.deleted_at is null) n where n.id = r.id)`
    await touchRecords({ db }, ticketKind, isInList, { card_position: position }, { keepsVersion: true })
    found = await place()
  }
  return {
    list_id: list,
    card_position: found.place,
    list_card_title: list_card_title ?? (held['list_card_title'] || held['title']),
    ...(list_card_desc === undefined ? {} : { list_card_desc }),
  }
}

/** Lane of tickets without a card. Its cards are returned only on request, because the lane starts folded. */
const off = 0

/** Returns the lists of the board with the first of their cards, and how many tickets match the filters. */
export async function findBoard(db: Db, { pages, ...filters }: BoardFilters, viewer: Viewer) {
  const lists = await db
    .selectFrom('board_lists')
    .select(['id', 'name'])
    .orderBy('position')
    .orderBy('name')
    .execute()
  const limits = cardLimits(pages)
  const words = await wordSearchOf(db, filters.search, viewer)
  const cardsOf = (lane: number, most: number) => {
    const [isInLane, order] =
      lane === off
        ? [sql`t.list_id is null`, sql`t.last_message_at desc, t.id desc`]
        : [sql`t.list_id = ${lane}`, sql`t.card_position, t.id`]
    return sql`(select ${lane}::int as lane, t.* from tickets t
      where ${matching(filters, viewer, false, true, words)} and ${isInLane} order by ${order} limit ${most})`
  }
  const wanted = [
    ...lists.map(({ id }) => cardsOf(id, limits.get(id) ?? cardsPerPage)),
    ...(limits.has(off) ? [cardsOf(off, limits.get(off)!)] : []),
  ]
  const [cards, totals] = await Promise.all([
    wanted.length
      ? sql<
          SelectedRow & { lane?: number }
        >`${selectRows(viewer, sql`(${sql.join(wanted, sql` union all `)})`, sql`, t.lane`)}
          order by t.lane, case when t.lane = ${off} then t.last_message_at end desc, t.card_position, t.id`.execute(
          db,
        )
      : { rows: [] },
    sql<{ lane: number; total: number }>`select coalesce(t.list_id, ${off}) as lane, count(*)::int as total
      from tickets t where ${matching(filters, viewer)} group by 1`.execute(db),
  ])
  const laneOf = ({ id, name }: { id: number; name: string }) => ({
    id,
    name,
    total: totals.rows.find(({ lane }) => lane === id)?.total ?? 0,
    cards: cards.rows.filter(({ lane }) => lane === id).map(({ lane: _, ...card }) => withWords(card)),
  })
  return {
    data: lists.map(laneOf),
    others: laneOf({ id: off, name: 'Not on the board' }),
    total: totals.rows.reduce((sum, { total }) => sum + total, 0),
  }
}
