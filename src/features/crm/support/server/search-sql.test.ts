import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

async function withTickets() {
  const started = await startTestApp()
  const { as, db } = started
  const org = await enterOrganization(db, { name: 'Elm Resort' })
  const user = await enterUser(db, org, 'Jana Fontaine')
  const ofJana = await enterTicket(db, { title: 'Labels', organization_id: org, customer_user_id: user })
  const byMail = await enterTicket(db, { title: 'Invoice', sender_email: 'desk@inn.example' })
  await db
    .insertInto('ticket_messages')
    .values({
      ticket_id: byMail.id,
      sent_by_admin: true,
      message: '<p>The <b>Rückgabe</b> of 340 towels</p>',
    })
    .execute()
  await as('support').post('/admin/support/create-ticket/comment', {
    ticket_id: ofJana.id,
    support_comment: 'Known firmware problem.',
  })
  const find = async (search: string, who = 'support'): Promise<number[]> =>
    (await as(who).get(`/admin/support/ticket?column=id&direction=asc&search=${encodeURIComponent(search)}`))[
      'data'
    ].map((row: { id: number }) => row.id)
  return { ...started, find, ofJana: ofJana.id, byMail: byMail.id }
}

test('a ticket is found by what is written in it, who wrote, and their organization', async () => {
  const { find, ofJana, byMail } = await withTickets()
  for (const search of [
    'fontaine',
    'JANA',
    'elm resort',
    'resort labels',
    'firmware',
    'from:jana',
    'org:elm',
    'org:"elm resort"',
  ])
    expect([search, await find(search)]).toEqual([search, [ofJana]])
  for (const search of [
    'towels',
    'tow',
    'ruckgabe',
    'towels invoice',
    'desk@inn',
    'inn.example',
    'from:desk',
    `#${byMail}`,
  ])
    expect([search, await find(search)]).toEqual([search, [byMail]])
  expect(await find('is:open')).toEqual([ofJana, byMail])
  expect(await find('is:snoozed')).toEqual([])
  expect(await find('after:2020-01-01')).toEqual([ofJana, byMail])
  expect(await find('after:2120-01-01')).toEqual([])
  expect(await find('jana towels')).toEqual([])
  expect(await find('from:towels')).toEqual([])
  expect(await find('before:2020-01-01')).toEqual([])
  expect(await find('is:mine')).toEqual([])
  // Tags, and what only looks like an operator, are not words of a message.
  for (const search of ['<b>', "'", '&', '!', ':*', "o'neill", '\\'])
    expect([search, await find(search)]).toEqual([search, []])
})

test('a search is narrowed by status, tag, and snooze', async () => {
  const { as, db, find, ofJana, byMail } = await withTickets()
  const { id } = await db
    .insertInto('ticket_tags')
    .values({ name: 'Linen room' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: waiting } = await db
    .selectFrom('ticket_statuses')
    .select('id')
    .where('name', '=', 'Waiting on customer')
    .executeTakeFirstOrThrow()
  await db.insertInto('ticket_tag_links').values({ ticket_id: byMail, tag_id: id }).execute()
  await db.updateTable('tickets').set({ status: waiting }).where('id', '=', byMail).execute()
  await as('support').post(`/admin/support/ticket/${ofJana}/snooze`, { until: null })
  for (const search of [
    'is:waiting',
    'is:"waiting on"',
    'tag:linen',
    'tag:"LINEN ROOM"',
    'towels tag:linen is:waiting',
  ])
    expect([search, await find(search)]).toEqual([search, [byMail]])
  expect(await find('is:snoozed')).toEqual([ofJana])
  expect(await find('is:snoozed', 'csm')).toEqual([])
  for (const search of ['is:resolved', 'is:%', 'tag:room', 'tag:_'])
    expect([search, await find(search)]).toEqual([search, []])
})

test('a file name finds its ticket', async () => {
  const { as, db, find, byMail } = await withTickets()
  const { id } = await db
    .insertInto('files')
    .values({
      stored_name: `${'a'.repeat(40)}.txt`,
      name: 'Wäschebericht.txt',
      kind: 'document',
      mime: 'text/plain',
      bytes: 3,
      sha256: Buffer.alloc(32),
      uploaded_by: as('support').id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const message = await db
    .selectFrom('ticket_messages')
    .select('id')
    .where('ticket_id', '=', byMail)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('file_links')
    .values({ file_id: id, record_type: 'ticket_message', record_id: message.id, role: 'attachment' })
    .execute()
  expect(await find('waschebericht')).toEqual([byMail])
})

test('a file of an internal comment finds its ticket', async () => {
  const { as, find, ofJana } = await withTickets()
  await as('support').post('/admin/support/create-ticket/comment', undefined, {
    form: {
      ticket_id: String(ofJana),
      support_comment: 'See the log.',
      'attachment[]': { name: 'scanner.txt', bytes: Buffer.from('RFID profile 4.0.2') },
    },
  })
  expect(await find('scanner.txt')).toEqual([ofJana])
})

test('a user without permission to open tickets does not find them by internal comments', async () => {
  const { as, db, find } = await withTickets()
  expect(await find('firmware')).toHaveLength(1)
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 4)
    .where('permission', '=', 'all_tickets_view')
    .execute()
  await db.updateTable('staff').set({ first_name: 'Tom' }).where('id', '=', as('support').id).execute()
  const { status, data } = await as('support').get('/admin/support/ticket?search=firmware')
  expect([status, data]).toEqual([200, []])
})

test('a search answers before the database has statistics on the tables', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db, { name: 'Elm Resort' })
  await sql`insert into organizations (name) select 'Inn ' || n from generate_series(1, 500) n`.execute(db)
  await sql`insert into customer_users (organization_id, first_name) select ${org}, 'User ' || n
    from generate_series(1, 500) n`.execute(db)
  await sql`insert into tickets (title, organization_id) select 'Ticket ' || n, ${org}
    from generate_series(1, 500) n`.execute(db)
  for (const path of ['/admin/support/ticket', '/admin/support/board']) {
    const { status, total } = await as('support').get(`${path}?search=ticket+499`)
    expect([path, status, total]).toEqual([path, 200, 1])
  }
})
