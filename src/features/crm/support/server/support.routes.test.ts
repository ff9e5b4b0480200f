import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { defaultGrants, roleIds, type Permission } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

async function withTicket(options: Parameters<typeof startTestApp>[0] = {}) {
  const started = await startTestApp(options)
  const org = await enterOrganization(started.db)
  const user = await enterUser(started.db, org, 'Zoe')
  const ticket = await enterTicket(started.db, { organization_id: org, customer_user_id: user })
  return { ...started, org, user, ...ticket }
}

const either: Permission[] = ['all_tickets_view', 'support_view']
const calls: readonly (readonly [
  call: string,
  method: string,
  path: string,
  anyOf: readonly Permission[],
])[] = [
  ['list', 'GET', 'ticket', ['all_tickets_list']],
  ['export', 'GET', 'ticket/export', ['all_tickets_list']],
  ['search', 'GET', 'search?q=a', ['all_tickets_list']],
  ['tickets of a user', 'GET', 'user-tickets/999', ['all_tickets_list']],
  ['show', 'GET', 'ticket/999', either],
  ['get-ticket', 'GET', 'get-ticket/999/0', either],
  ['delete', 'DELETE', 'ticket/999', ['all_tickets_delete']],
  ['create', 'POST', 'ticket', ['support_view']],
  ['update', 'POST', 'ticket/999/update', ['all_tickets_view']],
  ['change-ticket-status', 'POST', 'change-ticket-status/999/1', ['all_tickets_view']],
  ['change-ticket-delivery-date', 'POST', 'change-ticket-delivery-date/999', ['all_tickets_view']],
  ['moveCard', 'POST', 'moveCard/999', ['all_tickets_view']],
  ['sendReply', 'POST', 'sendReply/999', ['all_tickets_view']],
  ['resend', 'POST', 'ticket/999/resend/1', ['all_tickets_view']],
  ['ticket-indevelopment', 'POST', 'ticket-indevelopment/999', ['all_tickets_view']],
  ['comment', 'POST', 'create-ticket/comment', ['all_tickets_view']],
  ['taggable', 'GET', 'ticket/999/staff', ['all_tickets_view']],
  ['requesters', 'GET', 'requesters?org_id=999', ['all_tickets_view']],
  ['unread-tickets-count', 'GET', 'unread-tickets-count', ['all_tickets_list']],
  ['board', 'GET', 'board', ['all_tickets_list']],
  ['numbers', 'GET', 'ticket-numbers', ['all_tickets_list']],
  ['requests', 'GET', 'requests', ['support_view']],
  ['one request', 'GET', 'requests/999/0', ['support_view']],
  ['writing on', 'POST', 'requests/999/reply', ['support_view']],
]

test('each call admits the roles with its grants, of all fourteen, and no one without a session', async () => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined])
    for (const [call, method, path, anyOf] of calls) {
      const { status } = await as(role).send(
        method,
        `/admin/support/${path}`,
        method === 'GET' ? undefined : {},
      )
      const may = role !== undefined && anyOf.some((permission) => defaultGrants[role].includes(permission))
      if (may) expect([200, 404, 422], `${call} for ${role}`).toContain(status)
      else expect([call, role, status]).toEqual([call, role, role === undefined ? 401 : 403])
    }
})

test('tickets are listed by each filter, and 0 is a value', async () => {
  const { as, db, org, id } = await withTicket()
  const other = await enterTicket(db, { title: 'Invoice 12' })
  await db.updateTable('tickets').set({ category: 3, status: 4 }).where('id', '=', other.id).execute()
  const ids = async (query: string) =>
    (await as('support').get(`/admin/support/ticket?${query}`))['data'].map((row: { id: number }) => row.id)
  expect(await as('support').get('/admin/support/ticket?page=1')).toMatchObject({ total: 2, per_page: 20 })
  expect(await ids('status=0')).toEqual([id])
  expect(await ids('status=4')).toEqual([other.id])
  expect(await ids('category=3')).toEqual([other.id])
  expect(await ids('category_search=bill')).toEqual([other.id])
  expect(await ids(`organization=${org}`)).toEqual([id])
  expect(await ids('organization=0')).toEqual([other.id])
  expect(await ids('search=SCANNER')).toEqual([id])
  await db.updateTable('tickets').set({ unread_message_id: null }).where('id', '=', id).execute()
  expect(await ids('unread=1')).toEqual([other.id])
  expect(await ids('unread=0')).toEqual([id])
  expect(await as('support').get('/admin/support/search?q=invoice')).toMatchObject({
    data: [{ id: other.id, org_id: 0, requester: '' }],
  })
})

test('a ticket whose number is searched for comes first, before any number of newer ones with these digits', async () => {
  const { as, db, id } = await withTicket()
  for (let count = 0; count < 11; count++) await enterTicket(db, { title: `Invoice ${id}-${count}` })
  const found = async (search: string) =>
    (await as('support').get(`/admin/support/search?q=${search}`))['data'] as { id: number }[]
  const hits = await found(String(id))
  expect([hits.length, hits[0]!.id]).toEqual([10, id])
  expect((await found(`%23${id}`))[0]!.id).toBe(id)
})

test('tickets of a user are those that they opened, also the settled ones, of the caller’s products', async () => {
  const { as, db, org, user, id } = await withTicket()
  const settled = await enterTicket(db, { organization_id: org, customer_user_id: user, title: 'Old' })
  const old = { status: 5, last_message_at: '2026-01-02T00:00:00Z' }
  await db.updateTable('tickets').set(old).where('id', '=', settled.id).execute()
  const colleague = await enterUser(db, org, 'Yan')
  await enterTicket(db, { organization_id: org, customer_user_id: colleague, title: 'Of a colleague' })
  const of = (role: string, of_user: number) => as(role).get(`/admin/support/user-tickets/${of_user}`)
  expect(await of('support', user)).toMatchObject({
    data: [{ id }, { id: settled.id, status: 5 }],
    total: 2,
    open: 1,
  })
  const foreign = await enterOrganization(db, { name: 'Elsewhere' }, [4])
  const stranger = await enterUser(db, foreign, 'Xi')
  await enterTicket(db, { organization_id: foreign, customer_user_id: stranger })
  const products = db.deleteFrom('staff_products').where('product_id', '=', 4)
  await products.where('staff_id', '=', as('support').id).execute()
  expect(await of('support', stranger)).toMatchObject({ data: [], total: 0, open: 0 })
})

test.each([
  ['last_message_at', ['b', 'a', 'c']],
  ['id', ['a', 'b', 'c']],
  ['title', ['c', 'b', 'a']],
  ['status', ['b', 'c', 'a']],
  ['category', ['c', 'a', 'b']],
  ['delivery_date', ['b', 'a', 'c']],
])('sorted by %s, in both directions; empty dates come last', async (column, order) => {
  const { as, db } = await startTestApp()
  const values = {
    a: {
      title: 'Zebra',
      status: 4,
      category: 2,
      delivery_date: '2026-04-02',
      last_message_at: '2026-03-02T00:00:00Z',
    },
    b: {
      title: 'Mangle',
      status: 0,
      category: 3,
      delivery_date: '2026-04-01',
      last_message_at: '2026-03-01T00:00:00Z',
    },
    c: {
      title: 'Apron',
      status: 1,
      category: 1,
      delivery_date: null,
      last_message_at: '2026-03-03T00:00:00Z',
    },
  }
  const names = new Map<number, string>()
  for (const [name, set] of Object.entries(values)) {
    const { id } = await enterTicket(db)
    await db.updateTable('tickets').set(set).where('id', '=', id).execute()
    names.set(id, name)
  }
  const sorted = async (direction: string) =>
    (await as('support').get(`/admin/support/ticket?column=${column}&direction=${direction}`))['data'].map(
      ({ id }: { id: number }) => names.get(id),
    )
  expect(await sorted('asc')).toEqual(order)
  const back = column === 'delivery_date' ? ['a', 'b', 'c'] : order.toReversed()
  expect(await sorted('desc')).toEqual(back)
})

test('the export has the tickets that match the filters, by name', async () => {
  const { as, db } = await withTicket()
  await enterTicket(db, { title: 'Invoice 12' })
  const { text } = await as('support').get('/admin/support/ticket/export?search=scanner')
  const lines = text.replace('\ufeff', '').trim().split('\n')
  expect(lines[0]).toBe(
    'Number,Title,Status,Assignee,Priority,Category,Organization,Requester,Tags,Delivery date,Last message,Created',
  )
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('The scanner stopped,Open,,Medium,General,Aalto Linen,Zoe,')
})

test("a ticket from an unknown address is assigned to an organization; a customer user's ticket has theirs", async () => {
  const { as, db, id: ofUser, org } = await withTicket()
  const { id } = await enterTicket(db, { sender_email: 'desk@inn.example' })
  const foreign = await enterOrganization(db, { name: 'Other' }, [4])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 4)
    .execute()
  const give = (ticket: number, organization_id: number | null) =>
    as('support').post(`/admin/support/ticket/${ticket}/update`, { organization_id })
  for (const none of [foreign, 999])
    expect(await give(id, none)).toMatchObject({
      status: 422,
      errors: { organization_id: ['This organization doesn’t exist.'] },
    })
  const given = await give(id, org)
  expect(given).toMatchObject({ status: 200, data: { org_id: org, organization: 'Aalto Linen' } })
  expect(await as('support').get(`/admin/support/get-ticket/${id}/${org}`)).toMatchObject({ status: 200 })
  await as('support').post(`/admin/operations/${given['operation'].id}/undo`)
  expect(await as('support').get(`/admin/support/ticket/${id}`)).toMatchObject({ data: { org_id: 0 } })
  const own = await enterOrganization(db, { name: 'Baltic Spa' })
  for (const other of [own, null])
    expect(await give(ofUser, other)).toMatchObject({
      status: 422,
      errors: { organization_id: [expect.any(String)] },
    })
  expect(
    await as('editor').post(`/admin/support/ticket/${id}/update`, { organization_id: org }),
  ).toMatchObject({ status: 403 })
})

test("an organization's requesters are its users; a comment can tag the staff with access to the ticket", async () => {
  const { as, db, id, org, user } = await withTicket()
  const foreign = await enterOrganization(db, { name: 'Other' }, [4])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 4)
    .execute()
  expect(await as('support').get(`/admin/support/requesters?org_id=${org}`)).toMatchObject({
    data: [{ id: user, name: 'Zoe' }],
  })
  expect(await as('support').get(`/admin/support/requesters?org_id=${foreign}`)).toMatchObject({
    status: 404,
  })
  const people = (await as('support').get(`/admin/support/ticket/${id}/staff`))['data'].map(
    (one: { id: number }) => one.id,
  )
  expect(people).toContain(as('admin').id)
  expect(people).not.toContain(as('editor').id)
})

test('a ticket of another product does not exist for any call', async () => {
  const { as, db, id, org } = await withTicket()
  await db.deleteFrom('organization_products').where('organization_id', '=', org).execute()
  await db.insertInto('organization_products').values({ organization_id: org, product_id: 4 }).execute()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 4)
    .execute()
  expect(await as('support').get('/admin/support/ticket')).toMatchObject({ total: 0 })
  expect(await as('support').get('/admin/support/unread-tickets-count')).toMatchObject({ ticket_count: 0 })
  for (const [method, path, body] of [
    ['GET', `ticket/${id}`],
    ['GET', `get-ticket/${id}/${org}`],
    ['POST', `change-ticket-status/${id}/1`],
    ['POST', `change-ticket-delivery-date/${id}`, { delivery_date: '2026-04-01' }],
    ['POST', `moveCard/${id}`, { list_id: 1 }],
    ['POST', `sendReply/${id}`, { message: '<p>Hello</p>' }],
    ['POST', 'create-ticket/comment', { ticket_id: id, support_comment: 'Hello' }],
  ] as const)
    expect([path, (await as('support').send(method, `/admin/support/${path}`, body)).status]).toEqual([
      path,
      404,
    ])
})

test("get-ticket marks as read for everyone's bell, ticket/{id} does not; ids that do not belong together are 404", async () => {
  const { as, id, org, message_id } = await withTicket()
  await as('support').get(`/admin/support/ticket/${id}`)
  expect(await as('admin').get('/admin/support/unread-tickets-count')).toMatchObject({
    ticket_count: 1,
    unread_tickets: [
      {
        id: message_id,
        st_id: id,
        title: 'The scanner stopped',
        organization_id: org,
        who: 'Zoe',
        words: expect.stringMatching(/^[^<>]+$/),
      },
    ],
  })
  expect(await as('support').get(`/admin/support/get-ticket/${id}/0`)).toMatchObject({ status: 404 })
  expect(await as('admin').get('/admin/support/unread-tickets-count')).toMatchObject({ ticket_count: 1 })
  const opened = await as('support').get(`/admin/support/get-ticket/${id}/${org}`)
  expect((await as('admin').get('/admin/users/admin-log'))['data'][0]).toMatchObject({
    act: 'Opened',
    area: 'ticket',
    record: id,
    changes: [],
  })
  expect(opened).toMatchObject({
    status: 200,
    data: {
      org_id: org,
      requester: 'Zoe',
      read_to: null,
      messages: [{ id: message_id, sent_by_admin: false }],
    },
  })
  expect(opened.headers['cache-control']).toContain('no-store')
  expect(await as('admin').get('/admin/support/unread-tickets-count')).toMatchObject({
    ticket_count: 0,
    unread_tickets: [],
  })
})

test('a reply is stored with its files, is sent once as an email that can be canceled, and makes a card if the card id is 0', async () => {
  const { as, db, id } = await withTicket()
  const form = {
    message: '<p>Please <b>restart</b> it.<script>x()</script></p>',
    card_id: '0',
    'attachment[]': { name: 'steps.txt', bytes: 'Steps', type: 'text/plain' },
  }
  const sent = await as('support').post(`/admin/support/sendReply/${id}`, undefined, {
    form,
    headers: { 'idempotency-key': 'reply-key-0000001' },
  })
  expect(sent).toMatchObject({
    status: 200,
    message: 'Message has been sent successfully',
    data: { card_id: id },
  })
  await as('support').post(`/admin/support/sendReply/${id}`, undefined, {
    form,
    headers: { 'idempotency-key': 'reply-key-0000001' },
  })
  const mails = await db.selectFrom('mails').selectAll().where('record_type', '=', 'ticket').execute()
  expect(mails).toHaveLength(1)
  expect(mails[0]!.subject).toBe(`Re: The scanner stopped [#${id}]`)
  expect(mails[0]!.html).not.toContain('<script')
  expect(await db.selectFrom('mail_recipients').select(['address', 'state']).execute()).toEqual([
    { address: 'zoe@aalto.example', state: 'held' },
  ])
  expect(await db.selectFrom('mail_attachments').select('name').execute()).toEqual([{ name: 'steps.txt' }])
  const { data } = await as('admin').get(`/admin/support/ticket/${id}`)
  expect(data).toMatchObject({
    card_id: id,
    add_trello: 1,
    list_id: 1,
    list_card_title: 'The scanner stopped',
    unread: false,
  })
  expect(data.messages[1]).toMatchObject({
    sent_by_admin: true,
    mail: { state: 'held' },
    attachments: [{ name: 'steps.txt' }],
  })
  expect((await as(undefined).get(data.messages[1].attachments[0].path.replace('/api', ''))).text).toBe(
    'Steps',
  )
  expect(await as('support').post(`/admin/mail/${sent['data'].mail_id}/call-off`)).toMatchObject({
    status: 200,
  })
  const after = await as('admin').get(`/admin/support/ticket/${id}`)
  expect(after['data'].messages).toHaveLength(1)
  expect(after['data']).toMatchObject({ card_id: 0, list_id: null })
})

test('undoing a reply restores the status, the flag, and the last message, and says what was chosen', async () => {
  const { as, db, id } = await withTicket()
  await db.updateTable('ticket_messages').set({ created_at: '2026-03-01T09:00:00Z' }).execute()
  await db.updateTable('tickets').set({ last_message_at: '2026-03-01T09:00:00Z' }).execute()
  const sent = await as('support').post(`/admin/support/sendReply/${id}`, {
    message: '<p>Try again</p>',
    status: 3,
    customer_feedback: 1,
  })
  const show = async (who: string) => (await as(who).get(`/admin/support/ticket/${id}`))['data']
  const { rows: held } = await sql`select extract(epoch from r.next_try_at - m.created_at)::int as seconds
    from mails m join mail_recipients r on r.mail_id = m.id`.execute(db)
  expect(held).toEqual([{ seconds: 10 }])
  // The rest of the test may take longer than ten seconds.
  await sql`update mail_recipients set next_try_at = now() + interval '1 day'`.execute(db)
  const shown = await show('support')
  expect(shown).toMatchObject({ status: 3, customer_feedback: true })
  expect(shown.messages[1].mail.undo_seconds).toBeGreaterThan(80_000)
  expect(shown.messages[1].mail.undo_seconds).toBeLessThanOrEqual(86_400)
  expect(shown.messages[1].mail.sent_with).toEqual({ status: 3, customer_feedback: true })
  // Only the author can undo the reply.
  expect((await show('admin')).messages[1].mail.undo_seconds).toBeNull()
  expect(await as('support').post(`/admin/mail/${sent['data'].mail_id}/call-off`)).toMatchObject({
    status: 200,
  })
  const after = await show('support')
  expect(after).toMatchObject({
    status: 0,
    customer_feedback: false,
    last_message_at: '2026-03-01T09:00:00.000Z',
  })
  expect(after.messages).toHaveLength(1)
})

test('undoing a reply keeps a status that was set after it', async () => {
  const { as, id } = await withTicket()
  const sent = await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Hi</p>', status: 3 })
  await as('admin').post(`/admin/support/change-ticket-status/${id}/4`)
  await as('support').post(`/admin/mail/${sent['data'].mail_id}/call-off`)
  expect((await as('admin').get(`/admin/support/ticket/${id}`))['data']).toMatchObject({ status: 4 })
})

test('a ticket tells whether emails are sent', async () => {
  const { as, id } = await withTicket()
  expect(await as('support').get(`/admin/support/ticket/${id}`)).toMatchObject({ is_on: false })
})

test('undo and redo of a reply say what they change on the ticket, and that the reply is neither undone nor sent', async () => {
  const { as, db, id } = await withTicket()
  const sent = await as('support').post(`/admin/support/sendReply/${id}`, {
    message: '<p>Done.</p>',
    status: 4,
    customer_feedback: 1,
  })
  const { operation_id } = await db
    .selectFrom('ticket_messages')
    .select('operation_id')
    .where('id', '=', sent['data'].message_id)
    .executeTakeFirstOrThrow()
  const mailIs = (state: string, sent_at: string | null) =>
    db.updateTable('mail_recipients').set({ state, sent_at }).execute()
  const operation = `/admin/operations/${operation_id}`

  await mailIs('sent', '2026-03-16T09:00:00Z')
  expect((await as('support').post(`${operation}/undo`))['message']).toMatch(
    /^Status: Resolved → Open\. Assignee: .+ → Unassigned\. Feedback requested: yes → no\. The reply was already sent\.$/,
  )
  expect((await as('support').post(`${operation}/redo`))['message']).toMatch(
    /^Status: Open → Resolved\. Assignee: Unassigned → .+\. Feedback requested: no → yes\. The reply was already sent\.$/,
  )
  await mailIs('waiting', null)
  expect((await as('support').post(`${operation}/undo`))['message']).toContain(
    'The reply will still be sent.',
  )
})

test('redo of a reply that was canceled does not claim to have sent it', async () => {
  const { as, db, id } = await withTicket()
  const sent = await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Hi</p>', status: 4 })
  const { operation_id } = await db
    .selectFrom('ticket_messages')
    .select('operation_id')
    .where('id', '=', sent['data'].message_id)
    .executeTakeFirstOrThrow()
  await as('support').post(`/admin/mail/${sent['data'].mail_id}/call-off`)
  expect((await as('support').post(`/admin/operations/${operation_id}/redo`))['message']).toMatch(
    /^Status: Open → Resolved\. Assignee: Unassigned → .+\. The reply was canceled and isn’t sent\.$/,
  )
})

test('a reply to a banned user is stored and sent to no one', async () => {
  const { as, db, id } = await withTicket()
  await db
    .updateTable('customer_users')
    .set({ banned_at: '2026-03-16T09:00:00Z', banned_by: 1, ban_reason: 'Spam' })
    .execute()
  expect(
    await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Hello</p>' }),
  ).toMatchObject({ status: 200, data: { mail_id: null } })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
  const { data } = await as('admin').get(`/admin/support/ticket/${id}`)
  expect(data.messages).toHaveLength(2)
  // The composer says why no email is sent, instead of claiming that there is no address.
  expect(data).toMatchObject({ requester_email: null, requester_banned: true })
  await db.updateTable('customer_users').set({ banned_at: null, banned_by: null, ban_reason: '' }).execute()
  expect((await as('admin').get(`/admin/support/ticket/${id}`))['data']).toMatchObject({
    requester_email: expect.any(String),
    requester_banned: false,
  })
})

test('a reply without a card id makes no card; if its author missed a message, it asks first and nothing is sent', async () => {
  const { as, db, id, message_id } = await withTicket()
  await as('support').post(`/admin/support/sendReply/${id}`, {
    message: '<p>One</p>',
    last_message_id: message_id,
  })
  const late = await as('admin').post(`/admin/support/sendReply/${id}`, {
    message: '<p>Two</p>',
    last_message_id: message_id,
  })
  expect(late).toMatchObject({
    status: 409,
    current: { newer: [{ message: '<p>One</p>', sent_by_admin: true }] },
  })
  expect(await db.selectFrom('mails').select('id').execute()).toHaveLength(1)
  expect(await as('admin').get(`/admin/support/ticket/${id}`)).toMatchObject({
    data: { card_id: 0, add_trello: 0 },
  })
  expect(
    await as('admin').post(`/admin/support/sendReply/${id}`, {
      message: '<p>Two</p>',
      last_message_id: late['current'].newer[0].id,
      status: 3,
      customer_feedback: 1,
    }),
  ).toMatchObject({ status: 200 })
  expect(await as('admin').get(`/admin/support/ticket/${id}`)).toMatchObject({
    data: { status: 3, customer_feedback: true },
  })
})

test('the author’s own messages are not newer ones that they have missed', async () => {
  const { as, db, id, message_id } = await withTicket()
  const reply = (role: 'support' | 'admin', message: string) =>
    as(role).post(`/admin/support/sendReply/${id}`, { message, last_message_id: message_id })
  expect((await reply('support', '<p>One</p>')).status).toBe(200)
  expect((await reply('support', '<p>Two</p>')).status).toBe(200)
  // Control: a message of someone else is one, and it alone.
  await db
    .insertInto('ticket_messages')
    .values({ ticket_id: id, sent_by_admin: false, message: '<p>Three</p>' })
    .execute()
  expect(await reply('support', '<p>Four</p>')).toMatchObject({
    status: 409,
    message: expect.stringContaining('sent a new message.'),
    current: { newer: [{ message: '<p>Three</p>' }] },
  })
})

test.each([
  ['blank', '<p> </p>'],
  ['absent', undefined],
])('a reply whose message is %s is 422, and nothing is sent', async (_what, message) => {
  const { as, db, id } = await withTicket()
  expect(await as('support').post(`/admin/support/sendReply/${id}`, { message })).toMatchObject({
    status: 422,
    errors: { message: [expect.any(String)] },
  })
  expect(await db.selectFrom('mails').select('id').execute()).toEqual([])
})

test('status, delivery date, and card change, and the last operation is undone', async () => {
  const { as, id } = await withTicket()
  expect(await as('support').post(`/admin/support/change-ticket-status/${id}/4`)).toMatchObject({
    message: 'Status changed to Resolved.',
    data: { status: 4 },
  })
  const zero = await as('support').post(`/admin/support/change-ticket-status/${id}/0`)
  expect(zero).toMatchObject({ data: { status: 0 } })
  expect(await as('support').post(`/admin/operations/${zero['operation'].id}/undo`)).toMatchObject({
    undone: 1,
  })
  expect(await as('support').post(`/admin/support/change-ticket-status/${id}/99`)).toMatchObject({
    status: 422,
    errors: { status: [expect.any(String)] },
  })
  expect(
    await as('support').post(`/admin/support/change-ticket-delivery-date/${id}`, {
      delivery_date: '2026-04-31',
    }),
  ).toMatchObject({ status: 422 })
  expect(
    await as('support').post(`/admin/support/change-ticket-delivery-date/${id}`, {
      delivery_date: '2026-04-30',
    }),
  ).toMatchObject({
    data: { delivery_date: '2026-04-30', status: 4 },
  })
  expect(await as('support').post(`/admin/support/moveCard/${id}`, { list_id: 99 })).toMatchObject({
    status: 422,
  })
  expect(await as('support').post(`/admin/support/moveCard/${id}`, { list_id: 2 })).toMatchObject({
    data: { list_id: 2, card_id: id },
  })
  expect(await as('support').post(`/admin/support/moveCard/${id}`, { add_trello: 0 })).toMatchObject({
    data: { list_id: null, card_id: 0 },
  })
})

test('a card has its own title and text, and stays in place when they change', async () => {
  const { as, db, id } = await withTicket()
  const other = await enterTicket(db, { title: 'Two' })
  for (const ticket of [id, other.id])
    await as('support').post(`/admin/support/moveCard/${ticket}`, { list_id: 2 })
  expect(
    await as('support').post(`/admin/support/moveCard/${id}`, {
      list_card_title: 'Scanner',
      list_card_desc: 'In hall two',
    }),
  ).toMatchObject({
    message: 'Card saved.',
    data: {
      list_id: 2,
      list_card_title: 'Scanner',
      list_card_desc: 'In hall two',
      title: 'The scanner stopped',
    },
  })
  const lists = (await as('support').get('/admin/support/board'))['data']
  expect(lists[1].cards).toMatchObject([
    { id, list_card_title: 'Scanner' },
    { id: other.id, list_card_title: 'Two' },
  ])
  const third = await enterTicket(db, { title: 'Three' })
  const reply = {
    message: '<p>Yes</p>',
    card_id: 0,
    list_id: 3,
    list_card_title: 'From the reply',
    list_card_desc: 'As told',
  }
  await as('support').post(`/admin/support/sendReply/${third.id}`, reply)
  expect(await as('support').get(`/admin/support/ticket/${third.id}`)).toMatchObject({
    data: { list_id: 3, list_card_title: 'From the reply', list_card_desc: 'As told' },
  })
})

test('cards stay where they were put', async () => {
  const { as, db } = await withTicket()
  const cards = [
    await enterTicket(db, { title: 'One' }),
    await enterTicket(db, { title: 'Two' }),
    await enterTicket(db, { title: 'Three' }),
  ]
  for (const { id } of cards) await as('support').post(`/admin/support/moveCard/${id}`, { list_id: 1 })
  const titles = async () =>
    (await as('support').get('/admin/support/board'))['data'][0].cards.map(
      ({ title }: { title: string }) => title,
    )
  await as('support').post(`/admin/support/moveCard/${cards[2]!.id}`, { list_id: 1, before: cards[1]!.id })
  expect(await titles()).toEqual(['One', 'Three', 'Two'])
  await as('support').post(`/admin/support/moveCard/${cards[1]!.id}`, { list_id: 1, before: cards[0]!.id })
  expect(await titles()).toEqual(['Two', 'One', 'Three'])
})

test('cards that are moved between the same two cards a hundred times keep their order', async () => {
  const { as, db } = await withTicket()
  const last = await enterTicket(db, { title: 'Last' })
  const cards = [await enterTicket(db, { title: 'One' }), await enterTicket(db, { title: 'Two' })]
  for (const { id } of [...cards, last])
    await as('support').post(`/admin/support/moveCard/${id}`, { list_id: 1 })
  const titles = async () =>
    (await as('support').get('/admin/support/board'))['data'][0].cards.map(
      ({ title }: { title: string }) => title,
    )
  for (let at = 0; at < 100; at += 1) {
    await as('support').post(`/admin/support/moveCard/${cards[at % 2]!.id}`, { list_id: 1, before: last.id })
    expect([at, ...(await titles())]).toEqual([at, at % 2 ? 'One' : 'Two', at % 2 ? 'Two' : 'One', 'Last'])
  }
})

test('opening a ticket with nothing unread does not wait for a change of the ticket', async () => {
  const { as, db, id, org } = await withTicket()
  await as('support').get(`/admin/support/get-ticket/${id}/${org}`)
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('tickets').select('id').where('id', '=', id).forUpdate().execute()
    // A request that waited would fail, because the lock is held until it is answered.
    expect(await as('support').get(`/admin/support/get-ticket/${id}/${org}`)).toMatchObject({ status: 200 })
  })
})

test('a ticket goes to development once, and its task shows the conversation', async () => {
  const { as, db, id, org } = await withTicket()
  const first = await as('admin').post(`/admin/support/ticket-indevelopment/${id}`)
  expect(first).toMatchObject({ status: 200, created: true, data: { status: 2 } })
  expect(await as('admin').post(`/admin/support/ticket-indevelopment/${id}`)).toMatchObject({
    created: false,
    task_id: first['task_id'],
  })
  expect(await db.selectFrom('tasks').select(['title', 'ticket_id', 'discipline']).execute()).toEqual([
    { title: 'The scanner stopped', ticket_id: id, discipline: 'development' },
  ])
  expect(await as('admin').get(`/admin/support/ticket/${id}`)).toMatchObject({
    data: { tasks: [{ id: first['task_id'], discipline: 'development' }] },
  })
  expect(await as('super_admin').get(`/common/task/${first['task_id']}`)).toMatchObject({
    data: {
      organization: [{ id: org }],
      ticket: { id, messages: [{ sent_by_admin: false, message: '<p>It shows nothing.</p>' }] },
    },
  })
})

test('a task of a ticket gets its delivery date and files, and the ticket names its status and due date', async () => {
  const { as, db, id } = await withTicket()
  const admin = as('super_admin')
  const file = { name: 'log.txt', bytes: Buffer.from('It stopped.') }
  const staged = await admin.send('POST', '/files/stage', undefined, { form: { file } })
  const file_id = staged['data'].id
  await admin.post(`/admin/support/sendReply/${id}`, { message: '<p>See the file.</p>', file_ids: [file_id] })
  await admin.post(`/admin/support/change-ticket-delivery-date/${id}`, { delivery_date: '2031-05-04' })
  const { task_id } = await admin.post(`/admin/support/ticket-indevelopment/${id}`)
  expect(await admin.get(`/common/task/${task_id}`)).toMatchObject({
    data: { due_date: '2031-05-04', file_ids: [file_id] },
  })
  const task = { id: task_id, status_name: 'Pending', due_date: '2031-05-04' }
  expect((await admin.get(`/admin/support/ticket/${id}`))['data'].tasks).toMatchObject([task])
  expect(await db.selectFrom('tasks').select('id').execute()).toHaveLength(1)
})

test('two users who send a ticket to development at the same time create one task; if it is in the trash, a new one is created', async () => {
  const { as, db, id } = await withTicket()
  const both = await Promise.all(
    ['admin', 'super_admin'].map((who) => as(who).post(`/admin/support/ticket-indevelopment/${id}`)),
  )
  expect(both.map((reply) => reply['created']).toSorted()).toEqual([false, true])
  expect(both[0]!['task_id']).toBe(both[1]!['task_id'])
  expect(await db.selectFrom('tasks').select('id').execute()).toHaveLength(1)
  await as('super_admin').send('DELETE', `/common/task/${both[0]!['task_id']}`)
  const again = await as('admin').post(`/admin/support/ticket-indevelopment/${id}`)
  expect(again).toMatchObject({ created: true })
  expect(again['task_id']).not.toBe(both[0]!['task_id'])
})

test('a comment refers to a lead; users who tag themselves are not notified', async () => {
  const { as, db, id } = await withTicket()
  const lead_id = await enterLead(db)
  const comment = { support_comment: 'Like this one', ticket_id: id, lead_id, tag_user: [as('support').id] }
  expect(await as('support').post('/admin/support/create-ticket/comment', comment)).toMatchObject({
    status: 200,
    data: { lead_id },
  })
  expect((await as('admin').get(`/admin/support/ticket/${id}`))['data'].comments).toMatchObject([
    { lead_id, tag_user: [{ id: as('support').id }] },
  ])
  expect(await as('support').get('/admin/notices')).toMatchObject({ data: [] })
  expect(await db.selectFrom('mails').select('kind').execute()).toEqual([])
})

test('a comment keeps its fields; only staff with access to the ticket can be tagged, and they are notified', async () => {
  const { as, db, id, org, message_id } = await withTicket()
  const comment = (values: object) =>
    as('support').post('/admin/support/create-ticket/comment', {
      support_comment: 'Look here',
      ticket_id: id,
      ...values,
    })
  expect(await comment({ tag_user: [as('editor').id] })).toMatchObject({
    status: 422,
    errors: { tag_user: [expect.any(String)] },
  })
  expect(await comment({ lead_id: 999 })).toMatchObject({ status: 422 })
  const other = await enterTicket(db)
  expect(await comment({ message_id: other.message_id })).toMatchObject({ status: 422 })
  expect(await comment({ tag_user: String(as('admin').id), organization_id: org, message_id })).toMatchObject(
    {
      data: { ticket_id: id, tag_user: [{ id: as('admin').id }], organization_id: org, message_id },
    },
  )
  expect(await as('admin').get('/admin/notices')).toMatchObject({
    data: [{ words: 'Look here', record_type: 'ticket', record_id: id, read_at: null }],
  })
  expect(await as('support').get('/admin/notices')).toMatchObject({ data: [] })
  expect(await db.selectFrom('mails').select('kind').execute()).toEqual([{ kind: 'mention' }])
})

test("staff file and read their own requests; another user's does not exist, and internal comments are hidden", async () => {
  const { as, db } = await withTicket()
  await db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  const filed = await as('editor').post('/admin/support/ticket', {
    title: 'My screen',
    message: '<p>It flickers.</p>',
    org_id: 0,
  })
  expect(filed).toMatchObject({ status: 200, data: { org_id: 0, user_id: 0, unread: true } })
  const { id } = filed['data']
  await as('support').post('/admin/support/create-ticket/comment', {
    ticket_id: id,
    support_comment: 'Between us',
  })
  expect(await as('editor').get('/admin/support/requests')).toMatchObject({ total: 1, data: [{ id }] })
  expect(await as('editor').get(`/admin/support/requests/${id}/0`)).toMatchObject({
    data: { is_own: true, comments: [], messages: [{ message: '<p>It flickers.</p>' }] },
  })
  expect(await as('editor').get(`/admin/support/get-ticket/${id}/0`)).toMatchObject({ status: 200 })
  // A visit by the requester does not mark the ticket as read.
  expect(await as('support').get('/admin/support/unread-tickets-count')).toMatchObject({ ticket_count: 2 })
  const other = await enterTicket(db)
  expect(await as('editor').get(`/admin/support/requests/${other.id}/0`)).toMatchObject({ status: 404 })
  expect(await as('editor').get(`/admin/support/ticket/${other.id}`)).toMatchObject({ status: 403 })
  expect(await as('editor').get('/admin/support/ticket')).toMatchObject({ status: 403 })
})

test('a ticket is filed for a user of the chosen organization only', async () => {
  const { as, db, org, user } = await withTicket()
  const elsewhere = await enterOrganization(db, { name: 'Baltic Spa' })
  const file = (values: object) =>
    as('support').post('/admin/support/ticket', { title: 'Slow', message: '<p>Very</p>', ...values })
  expect(await file({ org_id: elsewhere, user_id: user })).toMatchObject({
    status: 422,
    errors: { user_id: [expect.any(String)] },
  })
  expect(await file({ org_id: 999 })).toMatchObject({ status: 422, errors: { org_id: [expect.any(String)] } })
  expect(await file({ org_id: org, user_id: user, category: 2 })).toMatchObject({
    data: { org_id: org, user_id: user, requester: 'Zoe', category: 2, unread: false },
  })
})

test('tickets that the user cannot delete are left out of a bulk delete, with the reason', async () => {
  const { as, id } = await withTicket()
  const own = await as('support').post('/admin/support/ticket', { title: 'Mine', message: '<p>x</p>' })
  const reply = await as('support').post('/admin/records/ticket/trash', { ids: [id, own['data'].id] })
  expect(reply).toMatchObject({
    status: 200,
    message:
      'Moved to trash: 1 ticket. 1 was left out: Only admins and the requester can move this ticket to trash.',
  })
  expect((await as('admin').get('/admin/records/ticket/trash'))['data']).toMatchObject([{ name: 'Mine' }])
})

test('admins and the requester delete a ticket, with the permission; it is restored from the trash', async () => {
  const { as, id } = await withTicket()
  expect(await as('support').post(`/admin/support/ticket/${id}?_method=DELETE`)).toMatchObject({
    status: 403,
  })
  expect(await as('support').post('/admin/records/ticket/trash', { ids: [id] })).toMatchObject({
    status: 403,
  })
  const own = await as('support').post('/admin/support/ticket', { title: 'Mine', message: '<p>x</p>' })
  expect(await as('support').post(`/admin/support/ticket/${own['data'].id}?_method=DELETE`)).toMatchObject({
    status: 200,
  })
  expect(await as('admin').post(`/admin/support/ticket/${id}`)).toMatchObject({ status: 405 })
  expect(await as('admin').post(`/admin/support/ticket/${id}?_method=DELETE`)).toMatchObject({ status: 200 })
  expect(await as('admin').get('/admin/support/unread-tickets-count')).toMatchObject({ ticket_count: 1 - 1 })
  expect(await as('admin').post('/admin/records/ticket/restore', { ids: [id] })).toMatchObject({
    restored: [id],
  })
})

const secret = 'a-secret-of-thirty-two-characters'
const mail = {
  message_id: '<m1@aalto.example>',
  from: 'Zoe Berg <zoe@aalto.example>',
  subject: 'Help',
  text: 'It stopped.',
}
const bring = ({ as }: TestApp, values: object, sent = secret) =>
  as(undefined).post('/inbound/ticket', { ...mail, ...values }, { headers: { 'x-inbound-secret': sent } })

test('an email opens a ticket once; a reply to ours continues it and reopens it', async () => {
  const started = await withTicket({ env: { INBOUND_SECRET: secret } })
  const { as, db, org } = started
  const opened = await bring(started, {})
  expect(opened).toMatchObject({ status: 200, message: 'Received.' })
  expect(await bring(started, {})).toMatchObject({ message: 'Already received.', id: opened['id'] })
  expect(await as('support').get(`/admin/support/ticket/${opened['id']}`)).toMatchObject({
    data: {
      title: 'Help',
      org_id: org,
      requester: 'Zoe',
      unread: true,
      messages: [{ message: '<p>It stopped.</p>', is_foreign: false }],
    },
  })
  await as('support').post(`/admin/support/sendReply/${opened['id']}`, {
    message: '<p>Try again</p>',
    status: 4,
  })
  const ours = await db
    .selectFrom('mails')
    .select(['message_id', 'in_reply_to'])
    .where('kind', '=', 'ticket-reply')
    .executeTakeFirstOrThrow()
  expect(ours.in_reply_to).toBe('<m1@aalto.example>')
  expect(
    await bring(started, {
      message_id: '<m2@aalto.example>',
      references: `<m1@aalto.example> ${ours.message_id}`,
      html: '<b onclick="x()">Still</b>',
    }),
  ).toMatchObject({
    id: opened['id'],
  })
  expect(await as('support').get(`/admin/support/ticket/${opened['id']}`)).toMatchObject({
    data: { status: 0, unread: true, messages: [{}, {}, { is_foreign: true }] },
  })
})

test.each([
  ['without a configured secret', {}, secret, 404],
  ['with a wrong secret', { INBOUND_SECRET: secret }, 'wrong', 401],
])('%s nothing is accepted', async (_what, env, sent, status) => {
  const started = await startTestApp({ env })
  expect(await bring(started, {}, sent)).toMatchObject({ status })
  expect(await started.db.selectFrom('tickets').select('id').execute()).toEqual([])
})

test('each message says who wrote it: the requester, another sender, an admin user, or an admin user for the requester', async () => {
  const { as, db, user, org } = await withTicket()
  const filed = await as('support').post('/admin/support/ticket', {
    title: 'Called about the scanner',
    message: '<p>It is broken.</p>',
    category: 1,
    org_id: org,
    user_id: user,
  })
  const { id } = filed['data']
  await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>We will see.</p>' })
  await db
    .insertInto('ticket_messages')
    .values([
      {
        ticket_id: id,
        sent_by_admin: false,
        customer_user_id: user,
        message: '<p>Thanks.</p>',
        message_id: '<a@inn.example>',
      },
      {
        ticket_id: id,
        sent_by_admin: false,
        sender_name: 'Zoe',
        sender_email: 'zoe@evil.example',
        message: '<p>Pay.</p>',
        message_id: '<b@evil.example>',
      },
    ])
    .execute()
  const { messages } = (await as('support').get(`/admin/support/ticket/${id}`)).data
  const shown = messages.map(
    ({ author, author_role, author_email, recorded_by }: Record<string, unknown>) => [
      author,
      author_role,
      author_email,
      recorded_by,
    ],
  )
  const me = (await db.selectFrom('staff').select('name').where('role_id', '=', 4).executeTakeFirstOrThrow())
    .name
  expect(shown).toEqual([
    ['requester', null, null, me],
    ['staff', 4, null, null],
    ['requester', null, null, null],
    ['other', null, 'zoe@evil.example', null],
  ])
})

test.each([{ auto_submitted: 'auto-replied; vacation' }, { precedence: 'auto_reply' }])(
  'an automatic reply opens nothing, can be looked up, and is brought in by filing it: %o',
  async (head) => {
    const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
    const { as, db } = started
    expect(await bring(started, head)).toMatchObject({ status: 200, id: null })
    expect(await db.selectFrom('tickets').select('id').execute()).toEqual([])
    const { data } = await as('support').get('/admin/unsorted?state=automatic&search=help')
    expect(data).toMatchObject([
      { kind: 'auto_reply', from_address: 'zoe@aalto.example', subject: 'Help', state: 'automatic' },
    ])
    expect(await as('support').post(`/admin/unsorted/${data[0].id}/file`, { type: 'ticket' })).toMatchObject({
      status: 200,
    })
    expect(await db.selectFrom('tickets').select('title').execute()).toEqual([{ title: 'Help' }])
  },
)

test.each([
  { precedence: 'list' },
  { precedence: 'bulk' },
  { auto_submitted: 'auto-generated' },
  { auto_submitted: 'no' },
])(
  'an email through a group address, a form, or a shop opens a ticket and continues a closed one: %o',
  async (head) => {
    const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
    const { id } = await bring(started, head)
    expect(id).toEqual(expect.any(Number))
    await started.db.updateTable('tickets').set({ status: 4 }).where('id', '=', id).execute()
    const reply = { message_id: '<m2@aalto.example>', in_reply_to: '<m1@aalto.example>', ...head }
    expect(await bring(started, reply)).toMatchObject({ status: 200, id })
    expect(await started.as('support').get(`/admin/support/ticket/${id}`)).toMatchObject({
      data: { status: 0, messages: [{}, {}] },
    })
  },
)

test('an email keeps the people that it was sent to and copied to, and a reply can be copied to them', async () => {
  const started = await startTestApp({
    env: { INBOUND_SECRET: secret, INBOUND_ADDRESS: 'replies@linen.example' },
  })
  const { db, as } = started
  const { id } = await bring(started, {
    to: 'Help <replies+0123456789abcdef0123456789abcdef@linen.example>, ZOE@aalto.example, kim@aalto.example',
    cc: 'Bo <BO@aalto.example>, invalid',
  })
  expect(await db.selectFrom('received_mails').select(['to_addresses', 'cc_addresses']).execute()).toEqual([
    {
      to_addresses: [
        'replies+0123456789abcdef0123456789abcdef@linen.example',
        'zoe@aalto.example',
        'kim@aalto.example',
      ],
      cc_addresses: ['bo@aalto.example'],
    },
  ])
  const messages = async () => (await as('support').get(`/admin/support/ticket/${id}`)).data.messages
  expect(await messages()).toMatchObject([{ others: ['kim@aalto.example', 'bo@aalto.example'] }])

  const reply = (cc: string[]) =>
    as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Done.</p>', cc })
  expect(await reply(['invalid'])).toMatchObject({ status: 422, errors: { 'cc.0': [expect.any(String)] } })
  expect(await reply(['Bo@aalto.example'])).toMatchObject({ status: 200 })
  expect(
    await db.selectFrom('mail_recipients').select(['address', 'is_cc']).orderBy('is_cc').execute(),
  ).toEqual([
    { address: 'zoe@aalto.example', is_cc: false },
    { address: 'bo@aalto.example', is_cc: true },
  ])
  expect(await messages()).toMatchObject([{}, { others: ['bo@aalto.example'] }])
})

test('a reply is not copied to a banned user, and to no one if the requester has no address', async () => {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const { db, as } = started
  const { id } = await bring(started, {})
  const reply = () =>
    as('support').post(`/admin/support/sendReply/${id}`, {
      message: '<p>Done.</p>',
      cc: ['bo@aalto.example'],
    })
  const organization = await enterOrganization(db)
  const user = await enterUser(db, organization, 'Bo')
  await db
    .updateTable('customer_users')
    .set({ email: 'bo@aalto.example', banned_at: '2026-01-01' })
    .where('id', '=', user)
    .execute()
  expect(await reply()).toMatchObject({
    status: 422,
    errors: { cc: ['bo@aalto.example is banned and can’t receive email. Remove this address.'] },
  })
  await db.updateTable('customer_users').set({ banned_at: null }).execute()
  await db.updateTable('tickets').set({ sender_email: null }).execute()
  expect(await reply()).toMatchObject({
    status: 422,
    errors: { cc: ['No one can be copied: the requester has no email address.'] },
  })
})

test('files of an email are kept whatever their type; those of types that aren’t supported can only be downloaded', async () => {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const form = {
    ...mail,
    'attachment[]': [
      { name: 'log.txt', bytes: 'Log', type: 'text/plain' },
      { name: 'x.svg', bytes: '<svg onload="alert(1)"/>', type: 'image/svg+xml' },
      { name: 'page.png', bytes: '<!doctype html><script>alert(1)</script>', type: 'image/png' },
      { name: 'Termin.ics', bytes: 'BEGIN:VCALENDAR', type: 'text/calendar' },
    ],
  }
  expect(
    await started
      .as(undefined)
      .post('/inbound/ticket', undefined, { form, headers: { 'x-inbound-secret': secret } }),
  ).toMatchObject({ message: 'Received.' })
  const { data } = await started.as('support').get('/admin/support/ticket/1')
  expect(data.messages[0]).toMatchObject({
    attachments: [
      { name: 'log.txt', kind: 'document' },
      { name: 'x.svg', kind: 'other' },
      { name: 'page.png', kind: 'other' },
      { name: 'Termin.ics', kind: 'other' },
    ],
    refused_files: [],
  })
  for (const { url } of data.messages[0].attachments.slice(1)) {
    const { headers } = await started.as(undefined).get(url.replace('/api', ''))
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; /),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  }
})

test('an email with more files than are kept names each of the others', async () => {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const files = Array.from({ length: 52 }, (_, index) => ({
    name: `${index}.log`,
    bytes: 'x',
    type: 'text/plain',
  }))
  expect(
    await started.as(undefined).post('/inbound/ticket', undefined, {
      form: { ...mail, 'attachment[]': [...files, { name: 'empty.txt', bytes: '', type: 'text/plain' }] },
      headers: { 'x-inbound-secret': secret },
    }),
  ).toMatchObject({ message: 'Accepted, but 3 of its files couldn’t be saved.' })
  const { data } = await started.as('support').get('/admin/support/ticket/1')
  expect(data.messages[0].attachments).toHaveLength(50)
  expect(data.messages[0].refused_files).toEqual(
    ['50.log', '51.log', 'empty.txt'].map((name) => `${name} wasn’t saved: only the first 50 files are.`),
  )
})
