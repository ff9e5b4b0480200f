import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { mostCounted } from '#shared/page.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

/** Creates tickets with a title; every fifth is resolved. */
const createTickets = (db: TestApp['db'], title: string, count: number) =>
  sql`insert into tickets (title, status, last_message_at, created_at)
    select ${title} || ' ' || i, case when i % 5 = 0 then 4 else 0 end, '2026-03-10'::timestamptz - i * interval '1 minute', '2026-03-01'
    from generate_series(1, ${count}::int) i`.execute(db)

test('a search finds the same tickets whether it is counted up to the cap or not', async () => {
  const { as, db } = await startTestApp()
  await createTickets(db, 'Linen', mostCounted + 25)
  const list = async (query: string, who = 'support') => {
    const { data, ...rest } = await as(who).get(`/admin/support/ticket?${query}`)
    return { ...rest, total: rest['total'] as number, ids: (data as { id: number }[]).map(({ id }) => id) }
  }
  const both = async (query: string, who = 'support') => {
    const [exact, capped] = [await list(query, who), await list(`${query}&count=capped`, who)]
    expect([query, capped.ids]).toEqual([query, exact.ids])
    return { exact, capped }
  }
  const more = { total: mostCounted + 1, total_is_capped: true }
  for (const query of [
    'search=lin',
    'search=lin&page=2',
    'search=LÎN&column=id&direction=asc',
    `search=lin&page=${mostCounted / 20}`,
  ]) {
    const { exact, capped } = await both(query)
    expect(capped).toMatchObject(more)
    expect(exact).toMatchObject({ total: mostCounted + 25 })
    expect(exact).not.toHaveProperty('total_is_capped')
  }
  // Beyond the cap, and fewer of them.
  for (const [query, total] of [
    [`search=lin&page=${mostCounted / 20 + 1}`, mostCounted + 25],
    ['search=lin&status=4', 2005],
    ['search=lin is:resolved', 2005],
    ['search=linen 10001', 1],
    ['search=', mostCounted + 25],
    ['search=towels', 0],
  ] as const) {
    const { exact, capped } = await both(query)
    expect([query, exact.total, capped.total]).toEqual([query, total, total])
    expect(capped).not.toHaveProperty('total_is_capped')
  }
  expect((await as('support').get('/admin/support/ticket?search=lin&count=some')).status).toBe(422)
  expect(await as('support').get('/admin/support/ticket-count?search=lin')).toMatchObject({
    total: mostCounted + 25,
  })
})

test('tickets that are checked one after the other are those that have the word anywhere', async () => {
  const { as, db } = await startTestApp()
  await createTickets(db, 'Towels', mostCounted + 1)
  const org = await enterOrganization(db, { name: 'Towel Resort' })
  const user = await enterUser(db, org, 'Jana Towel')
  const enter = async (values: object) =>
    (
      await db
        .insertInto('tickets')
        .values({ title: 'Other', last_message_at: '2026-03-12', ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const [byMessage, byNote, byFile] = [await enter({}), await enter({}), await enter({})]
  const found = [
    byMessage,
    byNote,
    byFile,
    await enter({ organization_id: org }),
    await enter({ customer_user_id: user }),
    await enter({ sender_name: 'Towel & Sons' }),
    await enter({ sender_email: 'desk@towels.example' }),
    await enter({ title: 'Beach TOWELS' }),
  ]
  await enter({})
  await enter({ title: 'Towels in the trash', deleted_at: '2026-03-12', deleted_by: as('support').id })
  const say = async (ticket_id: number, message: string) =>
    db
      .insertInto('ticket_messages')
      .values({ ticket_id, sent_by_admin: false, message, created_at: '2026-03-12' })
      .returning('id')
      .executeTakeFirstOrThrow()
  await say(byMessage, '<p>340 towels</p>')
  await as('support').post('/admin/support/create-ticket/comment', {
    ticket_id: byNote,
    support_comment: 'Known towel problem.',
  })
  const file = await db
    .insertInto('files')
    .values({
      stored_name: `${'a'.repeat(40)}.txt`,
      name: 'towels.txt',
      kind: 'document',
      mime: 'text/plain',
      bytes: 3,
      sha256: Buffer.alloc(32),
      uploaded_by: as('support').id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: message } = await say(byFile, '<p>Attached.</p>')
  await db
    .insertInto('file_links')
    .values({ record_type: 'ticket_message', record_id: message, file_id: file.id, role: 'attachment' })
    .execute()
  await sql`update tickets set last_message_at = '2026-03-12' where id = any(${found}::int[])`.execute(db)
  const { data, total_is_capped } = await as('support').get(
    '/admin/support/ticket?search=tow&count=capped&created_from=2026-03-02',
  )
  // Few tickets are from then, so they were counted, but many more have the word.
  expect(total_is_capped).toBeUndefined()
  expect((data as { id: number }[]).map(({ id }) => id).toSorted((one, two) => one - two)).toEqual(found)
  const first = await as('support').get('/admin/support/ticket?search=tow&count=capped')
  expect(first).toMatchObject({ total: mostCounted + 1, total_is_capped: true })
  expect(
    (first['data'] as { id: number }[])
      .slice(0, found.length)
      .map(({ id }) => id)
      .toSorted((one, two) => one - two),
  ).toEqual(found)
})

test('the palette and the board check tickets one after the other if the word is in most of them', async () => {
  const { as, db } = await startTestApp()
  // A word in five places of each ticket: more than are read.
  await createTickets(db, 'Towels', mostCounted + 1)
  const org = await enterOrganization(db, { name: 'Towel Resort' })
  const user = await enterUser(db, org, 'Jana Towel')
  await sql`update tickets set organization_id = ${org}, customer_user_id = ${user}, sender_name = 'Towel',
    list_id = case when id % 1000 = 0 then 1 end, card_position = id`.execute(db)
  await sql`alter table ticket_messages disable trigger user`.execute(db)
  await sql`insert into ticket_messages (ticket_id, sent_by_admin, message) select id, false, '<p>Towels</p>'
    from tickets, generate_series(1, 2)`.execute(db)
  const newest = await enterTicket(db, { title: 'Towel' })
  await enterTicket(db, { title: 'Other' })
  const palette = (await as('support').get('/admin/support/search?q=tow'))['data'] as { id: number }[]
  expect(palette).toHaveLength(10)
  expect(palette[0]!.id).toBe(newest.id)
  const list = (await as('support').get('/admin/support/ticket?search=tow'))['data'] as { id: number }[]
  expect(palette.map(({ id }) => id)).toEqual(list.slice(0, 10).map(({ id }) => id))
  const board = await as('support').get('/admin/support/board?search=tow')
  const cards = (board['data'] as { total: number; cards: { id: number }[] }[]).map((lane) => [
    lane.total,
    lane.cards.length,
  ])
  expect(cards[0]).toEqual([10, 10])
  // Fewer than the cap because of another filter, although more places have the word than are read.
  const some = await as('support').get('/admin/support/ticket?search=tow&status=4&count=capped')
  const exact = await as('support').get('/admin/support/ticket?search=tow&status=4')
  expect([some.total, some['total_is_capped'], some['data']]).toEqual([2000, undefined, exact['data']])
})

test('the number of tickets is for roles that see their list', async () => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_list')
    const expected = may ? 200 : role === undefined ? 401 : 403
    expect([role, (await as(role).get('/admin/support/ticket-count')).status]).toEqual([role, expected])
  }
})
