import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import type { Db } from '#server/db/db.ts'

const board = (who: TestClient, query = '') => who.get(`/admin/support/board?${query}`)
const move = (who: TestClient, id: number, body: object) => who.post(`/admin/support/moveCard/${id}`, body)
const ids = (lane: { cards: { id: number }[] }) => lane.cards.map(({ id }) => id)

/** Enters tickets whose cards are in the list 1, in order. */
async function enterCards(db: Db, who: TestClient, ...titles: string[]) {
  const tickets: number[] = []
  for (const title of titles) {
    const { id } = await enterTicket(db, { title })
    await move(who, id, { list_id: 1 })
    tickets.push(id)
  }
  return tickets
}

test('the board has the tickets of the list with the same filters, and tickets without a card are apart', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db)
  const [one, two] = await enterCards(db, as('support'), 'Scanner one', 'Scanner two')
  const off = await enterTicket(db, { title: 'Scanner three', organization_id: org })
  await enterCards(db, as('support'), 'Printer')
  for (const [query, total] of [
    ['', 4],
    ['search=scanner', 3],
    [`organization=${org}`, 1],
    ['organization=0', 3],
    ['status=0', 4],
    ['status=4', 0],
    ['category_search=bill', 0],
    ['unread=0', 0],
  ] as const) {
    const reply = await board(as('support'), query)
    const lanes: { total: number }[] = [...reply['data'], reply['others']]
    expect([query, lanes.reduce((sum, lane) => sum + lane.total, 0)]).toEqual([query, total])
    expect(reply).toMatchObject({ total })
    expect(await as('support').get(`/admin/support/ticket?${query}`)).toMatchObject({ total })
  }
  const narrowed = await board(as('support'), 'search=scanner')
  expect(ids(narrowed['data'][0])).toEqual([one, two])
  // Tickets without a card are counted, and returned only on request.
  expect(narrowed['others']).toMatchObject({ total: 1, cards: [] })
  expect(ids((await board(as('support'), 'search=scanner&pages=0:1'))['others'])).toEqual([off.id])
  expect(await board(as('support'), 'page=2')).toMatchObject({ status: 422 })
  expect(await board(as('support'), 'pages=1')).toMatchObject({ status: 422 })
})

test('a list returns its cards by page, and its total counts all', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db, { title: 'First' })
  await move(as('support'), id, { list_id: 1 })
  await db
    .insertInto('tickets')
    .values(
      Array.from({ length: 90 }, (_, at) => ({ title: `Card ${at}`, list_id: 1, card_position: at + 2 })),
    )
    .execute()
  const lengths = async (query: string) =>
    (await board(as('support'), query))['data'].map(({ cards, total }: any) => [cards.length, total])
  expect((await lengths(''))[0]).toEqual([40, 91])
  expect((await lengths('pages=1:2,2:1'))[0]).toEqual([80, 91])
  expect((await lengths('pages=1:3'))[0]).toEqual([91, 91])
  const { data } = await board(as('support'), 'pages=1:3')
  expect(ids(data[0])[0]).toBe(id)
  expect(data[0].cards.at(-1).title).toBe('Card 89')
})

test('a board shows and counts only tickets of the viewer’s products', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db)
  const { id } = await enterTicket(db, { organization_id: org })
  await move(as('support'), id, { list_id: 2 })
  expect((await board(as('support')))['data'][1]).toMatchObject({ total: 1, cards: [{ id }] })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('support').id).execute()
  const { data, others, total } = await board(as('support'))
  expect([data[1].total, data[1].cards, others.total, total]).toEqual([0, [], 0, 0])
  expect(await board(as('crm'))).toMatchObject({ status: 403 })
})

test('if two users drop the same card, one moves it and the other gets a 409 with the name', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = await enterCards(db, as('super_admin'), 'One', 'Two')
  const { version } = (await board(as('support')))['data'][0].cards[0]
  const [first, second] = await Promise.all([
    move(as('support'), id!, { list_id: 2, version }),
    move(as('admin'), id!, { list_id: 3, version }),
  ])
  expect([first.status, second.status].toSorted()).toEqual([200, 409])
  const [won, lost] = first.status === 200 ? [first, second] : [second, first]
  expect(lost['message']).toMatch(/^[A-Z].* already moved this card to “(Doing|Waiting)”\.$/)
  expect(lost['current']).toMatchObject({ id, list_id: won['data'].list_id })
  expect(await board(as('support'))).toMatchObject({
    data: [
      { cards: [{ id: other }] },
      ...[2, 3].map((list) => (list === won['data'].list_id ? { total: 1 } : { total: 0 })),
      {},
    ],
  })
})

test('a stale drop is refused only for a move by someone else that still stands', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = await enterCards(db, as('super_admin'), 'One', 'Two')
  const { version } = (await board(as('support')))['data'][0].cards[0]
  // Another field changed.
  await as('admin').post(`/admin/support/change-ticket-status/${id}/1`)
  expect(await move(as('support'), id!, { list_id: 2, version })).toMatchObject({ status: 200 })
  // The viewer's own moves don't conflict with each other.
  expect(await move(as('support'), id!, { list_id: 3, version })).toMatchObject({ status: 200 })
  // The order within a list is a move too, unless it is undone.
  const seen = (await board(as('support')))['data'][0].cards[0].version
  const placed = await move(as('admin'), other!, { list_id: 1, before: 0 })
  const sorted = placed['operation'] ?? (await move(as('admin'), other!, { list_id: 2 }))['operation']
  expect(await move(as('support'), other!, { list_id: 4, version: seen })).toMatchObject({ status: 409 })
  await as('admin').post(`/admin/operations/${sorted.id}/undo`)
  expect(await move(as('support'), other!, { list_id: 4, version: seen })).toMatchObject({ status: 200 })
  // A card that was removed.
  const { version: now } = (await as('support').get(`/admin/support/ticket/${id}`))['data']
  await move(as('admin'), id!, { add_trello: 0 })
  expect(await move(as('support'), id!, { list_id: 1, version: now })).toMatchObject({
    status: 409,
    message: expect.stringMatching(/ already removed this card from the board\.$/),
  })
})
