import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { cast } from '#server/db/seed/cast.ts'
import { endSnoozes } from '#features/crm/support/server/snoozes.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

const inQueue = async (client: ReturnType<TestApp['as']>, queue: string): Promise<number[]> =>
  (await client.get(`${support}/ticket?queue=${queue}`))['data'].map((row: { id: number }) => row.id)

const countsOf = async (client: ReturnType<TestApp['as']>) => (await client.get(`${support}/queues`))['data']

test('each call of the desk admits the roles with its permission', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  const calls = [
    ['GET', 'queues', undefined, 'all_tickets_list'],
    ['GET', 'assignable', undefined, 'all_tickets_view'],
    [
      'POST',
      'change-tickets',
      { selection: { ids: [id] }, change: { kind: 'priority', priority: 2 } },
      'all_tickets_view',
    ],
    ['POST', `ticket/${id}/unread`, {}, 'all_tickets_view'],
    ['POST', `ticket/${id}/follow`, { follow: true }, 'all_tickets_view'],
    ['POST', `ticket/${id}/snooze`, { until: null }, 'all_tickets_view'],
    ['POST', `ticket/${id}/unsnooze`, {}, 'all_tickets_view'],
  ] as const
  for (const role of [...roleIds, undefined])
    for (const [method, path, body, permission] of calls) {
      const { status } = await as(role).send(method, `${support}/${path}`, body)
      const may = role !== undefined && defaultGrants[role].includes(permission)
      expect([path, role, status]).toEqual([path, role, may ? 200 : role === undefined ? 401 : 403])
    }
})

test('tickets of other products are hidden from the desk calls, and are left out of a bulk change', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db, {}, [2])
  const { id } = await enterTicket(db, { organization_id: org })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 2)
    .execute()
  for (const path of ['unread', 'unsnooze'])
    expect((await as('support').post(`${support}/ticket/${id}/${path}`)).status).toBe(404)
  expect(
    (
      await as('support').post(`${support}/change-tickets`, {
        selection: { ids: [id] },
        change: { kind: 'priority', priority: 1 },
      })
    ).status,
  ).toBe(404)
})

test('a ticket is assigned, unassigned, and found by its assignee; the new assignee gets a notice', async () => {
  const { as, db, live } = await startTestApp()
  const { id } = await enterTicket(db, { title: 'Labels' })
  await enterTicket(db)
  const assign = (assignee_id: unknown) =>
    as('support').post(`${support}/ticket/${id}/update`, { assignee_id })
  expect(await assign(as('csm').id)).toMatchObject({
    data: { assignee_id: as('csm').id, assignee: expect.any(String) },
  })
  expect(await inQueue(as('csm'), 'mine')).toEqual([id])
  expect(await inQueue(as('support'), 'mine')).toEqual([])
  expect((await as('support').get(`${support}/ticket?assignee=none`))['total']).toBe(1)
  expect((await as('support').get(`${support}/ticket?assignee=${as('csm').id}`))['total']).toBe(1)
  expect((await as('csm').get(`${support}/ticket?assignee=me`))['total']).toBe(1)
  expect((await as('csm').get('/admin/notices'))['data']).toMatchObject([
    { kind: 'assigned', record_type: 'ticket', record_id: id, title: 'Labels' },
  ])
  expect(live).toContainEqual({ channel: `private-staff.${as('csm').id}`, event: 'notices', payload: {} })
  // Saved again, and assigned to oneself: no notice.
  await assign(as('csm').id)
  await assign(as('support').id)
  expect((await as('csm').get('/admin/notices'))['data']).toHaveLength(1)
  expect((await as('support').get('/admin/notices'))['data']).toHaveLength(0)
  expect(await assign('')).toMatchObject({ data: { assignee_id: null, assignee: null } })
})

test('an assignee who chose it gets an email, too, one for each change', async () => {
  const { as, db } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example.com' } })
  const ids = [
    (await enterTicket(db, { title: 'Labels' })).id,
    (await enterTicket(db, { title: 'Scanner' })).id,
  ]
  await as('csm').post('/admin/notices/settings', { emails_assignments: true })
  const change = { kind: 'assign', assignee_id: as('csm').id }
  await as('support').post(`${support}/change-tickets`, { selection: { ids }, change })
  const [mail, ...others] = await db.selectFrom('mails').select(['kind', 'subject', 'html']).execute()
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    kind: 'assigned',
    subject: expect.stringContaining('assigned 2 tickets to you'),
  })
  for (const id of ids)
    expect(mail!.html).toContain(`href="https://panel.example.com/support/ticket/${id}/0"`)
})

test('only an admin user who can open a ticket can be assigned it', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db, {}, [2])
  const { id } = await enterTicket(db, { organization_id: org })
  const assign = (assignee_id: unknown) => as('admin').post(`${support}/ticket/${id}/update`, { assignee_id })
  expect(await assign(as('developer').id)).toMatchObject({
    status: 422,
    errors: { assignee_id: ['Choose an admin user who can open tickets.'] },
  })
  expect((await assign(9999)).status).toBe(422)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('csm').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await assign(as('csm').id)).toMatchObject({
    status: 422,
    errors: { assignee_id: ['The assignee doesn’t have its product.'] },
  })
  expect(
    (await as('admin').get(`${support}/assignable`))['data'].map((one: { id: number }) => one.id),
  ).not.toContain(as('developer').id)
})

test('a reply takes an unassigned ticket, unless the setting is off or it names an assignee; undo gives it back', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db, { sender_email: 'jana@resort.example' })
  const reply = (ticket: number, more = {}) =>
    as('support').post(`${support}/sendReply/${ticket}`, { message: '<p>On it.</p>', ...more })
  const { data } = await reply(id)
  const assigneeOf = async (ticket: number) =>
    (await as('support').get(`${support}/ticket/${ticket}`))['data'].assignee_id
  expect(await assigneeOf(id)).toBe(as('support').id)
  expect((await as('support').post(`/admin/mail/${data.mail_id}/call-off`)).status).toBe(200)
  expect(await assigneeOf(id)).toBeNull()
  const other = await enterTicket(db)
  await reply(other.id, { assignee_id: as('csm').id })
  expect(await assigneeOf(other.id)).toBe(as('csm').id)
  await reply(other.id)
  expect(await assigneeOf(other.id)).toBe(as('csm').id)
  await reply(other.id, { assignee_id: 0 })
  expect(await assigneeOf(other.id)).toBeNull()
  expect((await reply(other.id, { assignee_id: as('developer').id })).status).toBe(422)
  const assigns = async (ticket = id) =>
    (await as('support').get(`${support}/ticket/${ticket}`))['reply_assigns']
  expect(await assigns()).toBe(true)
  const taken = await enterTicket(db, { assignee_id: as('csm').id })
  expect(await assigns(taken.id)).toBe(false)
  await sql`update staff set banned_at = now() where id = ${as('csm').id}`.execute(db)
  expect(await assigns(taken.id)).toBe(true)
  expect((await as('super_admin').post('/admin/settings', { reply_assigns: false })).status).toBe(200)
  expect(await assigns()).toBe(false)
  await reply(other.id)
  expect(await assigneeOf(other.id)).toBeNull()
})

test('read state is each person’s own, beside the desk’s', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Zoe')
  const { data } = await as('support').post(`${support}/ticket`, {
    title: 'By phone',
    message: '<p>It stopped.</p>',
    org_id: org,
    user_id: user,
  })
  expect(await inQueue(as('support'), 'unread')).toEqual([])
  expect(await inQueue(as('csm'), 'unread')).toEqual([data.id])
  expect(await inQueue(as('admin'), 'unread')).toEqual([data.id])
  await as('csm').get(`${support}/get-ticket/${data.id}/${org}`)
  expect(await inQueue(as('csm'), 'unread')).toEqual([])
  expect(await inQueue(as('admin'), 'unread')).toEqual([data.id])
  expect((await as('csm').post(`${support}/ticket/${data.id}/unread`)).status).toBe(200)
  expect((await as('csm').get(`${support}/ticket`))['data'][0]).toMatchObject({
    is_new: true,
    last_words: 'It stopped.',
  })
  expect(await countsOf(as('csm'))).toMatchObject({ unread: 1, unassigned: 1, unanswered: 1, mine: 0 })
})

test('the first words of an email leave out its title and styles, however long', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  const rules = '@font-face{font-family:Calibri;} p.MsoNormal{margin:0;} '.repeat(100)
  const words = async (message: string) => {
    await db
      .updateTable('ticket_messages')
      .set({ message, is_foreign: true })
      .where('ticket_id', '=', id)
      .execute()
    const { unread_tickets } = await as('support').get(`${support}/unread-tickets-count`)
    expect(unread_tickets[0].words).toBe('It stopped.')
    return (await as('support').get(`${support}/ticket`))['data'][0].last_words
  }
  const text = '<p>It stopped.</p>'
  for (const message of [
    text,
    `<title>Email</title><style>${rules}</style>${text}`,
    `${text}<style>p{margin:0}</style>`,
  ])
    expect(await words(message)).toBe('It stopped.')
})

test('tickets are asked for by ID, within the scope of the viewer', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  const { id: other } = await enterTicket(db)
  await enterTicket(db)
  const listed = async (query: string) =>
    (await as('support').get(`${support}/ticket?${query}`))['data'].map((row: { id: number }) => row.id)
  expect(await listed(`ids=${id},${other},999999`)).toEqual(expect.arrayContaining([id, other]))
  expect(await listed(`ids=${id}`)).toEqual([id])
  // Spam leaves the lists, but its row in a list that was open shows how it is now.
  await as('support').post(`${support}/ticket/${id}/spam`, { spam: true })
  expect(await listed('status=0')).not.toContain(id)
  expect(await listed(`ids=${id}`)).toEqual([id])
  expect((await as('support').get(`${support}/ticket?ids=x`)).status).toBe(422)
})

test('a ticket that is opened by everyone and answered by no one stays in Never answered', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  for (const who of ['support', 'csm', 'admin']) await as(who).get(`${support}/get-ticket/${id}/0`)
  expect(await inQueue(as('support'), 'unanswered')).toEqual([id])
  await as('support').post(`${support}/create-ticket/comment`, { ticket_id: id, support_comment: 'Known.' })
  expect(await inQueue(as('support'), 'unanswered')).toEqual([id])
  await as('support').post(`${support}/sendReply/${id}`, { message: '<p>Hello</p>' })
  expect(await inQueue(as('support'), 'unanswered')).toEqual([])
  expect((await as('csm').get(`${support}/ticket`))['data'][0]).toMatchObject({
    last_by_admin: true,
    last_words: 'Hello',
  })
})

test('snoozing hides a ticket from the user’s queues until the time or the next message', async () => {
  const { as, db, clock, app } = await startTestApp({ now: new Date().toISOString() })
  const inAnHour = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const { id } = await enterTicket(db, { staff_id: as('adh').id })
  await as('support').post(`${support}/ticket/${id}/update`, { assignee_id: as('support').id })
  const snooze = (until: string | null) => as('support').post(`${support}/ticket/${id}/snooze`, { until })
  expect((await snooze('2026-03-16T09:00:00.000Z')).status).toBe(422)
  expect((await snooze(inAnHour)).status).toBe(200)
  expect(await inQueue(as('support'), 'mine')).toEqual([])
  expect((await as('support').get(`${support}/ticket`))['data'][0]).toMatchObject({ is_snoozed: true })
  clock.advance(3_600_001)
  await endSnoozes(app)
  expect(await inQueue(as('support'), 'mine')).toEqual([id])
  expect(await inQueue(as('support'), 'unread')).toEqual([id])
  const { rows } = await db
    .selectFrom('notices')
    .selectAll()
    .execute()
    .then((found) => ({ rows: found }))
  expect(rows).toMatchObject([{ kind: 'snooze_ended', staff_id: as('support').id, record_id: id }])
  await snooze(null)
  expect(await inQueue(as('support'), 'mine')).toEqual([])
  await as('adh').post(`${support}/requests/${id}/reply`, { message: '<p>Any news?</p>' })
  expect(await inQueue(as('support'), 'mine')).toEqual([id])
})

test('followers get a notice of each message and comment, but not of what they wrote', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db, { staff_id: as('adh').id })
  for (const who of ['support', 'csm']) await as(who).post(`${support}/ticket/${id}/follow`, { follow: true })
  await as('adh').post(`${support}/requests/${id}/reply`, { message: '<p>Any news?</p>' })
  await as('support').post(`${support}/create-ticket/comment`, { ticket_id: id, support_comment: 'Known.' })
  const kinds = async (who: string) =>
    (await as(who).get('/admin/notices'))['data'].map((one: { words: string }) => one.words)
  expect(await kinds('csm')).toEqual([
    expect.stringContaining('commented: Known.'),
    expect.stringContaining('wrote.'),
  ])
  expect(await kinds('support')).toEqual([expect.stringContaining('wrote.')])
  await as('csm').post(`${support}/ticket/${id}/follow`, { follow: false })
  await as('support').post(`${support}/sendReply/${id}`, { message: '<p>Soon</p>' })
  expect(await kinds('csm')).toHaveLength(2)
})

test('many tickets are changed in one operation that can be undone; those that the assignee cannot open are named', async () => {
  const { as, db } = await startTestApp()
  const org = await enterOrganization(db, {}, [2])
  const [one, two] = [
    await enterTicket(db, { title: 'One' }),
    await enterTicket(db, { title: 'Two', organization_id: org }),
  ]
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('csm').id)
    .where('product_id', '=', 2)
    .execute()
  const tag_id = (
    await db.insertInto('ticket_tags').values({ name: 'devices' }).returning('id').executeTakeFirstOrThrow()
  ).id
  const change = (what: object, selection: object = { ids: [one.id, two.id] }) =>
    as('support').post(`${support}/change-tickets`, { selection, change: what })
  const row = async (id: number) => (await as('support').get(`${support}/ticket/${id}`))['data']

  const tagged = await change({ kind: 'tags', tag_id, add: true })
  expect(tagged).toMatchObject({ message: 'Tag devices added: 2 tickets.', left_out: [] })
  expect((await as('support').get(`${support}/ticket?tag=${tag_id}`))['total']).toBe(2)
  await as('support').post(`/admin/operations/${tagged['operation'].id}/undo`)
  expect((await row(one.id)).tag_ids).toEqual([])

  for (const [what, expected] of [
    [{ kind: 'status', status: 4 }, { status: 4 }],
    [{ kind: 'category', category: 2 }, { category: 2 }],
    [{ kind: 'priority', priority: 1 }, { priority: 1 }],
    [{ kind: 'delivery', delivery_date: '2026-04-01' }, { delivery_date: '2026-04-01' }],
  ] as const) {
    expect((await change(what)).status).toBe(200)
    expect(await row(one.id)).toMatchObject(expected)
  }
  const assigned = await change({ kind: 'assign', assignee_id: as('csm').id })
  expect(assigned).toMatchObject({
    message: expect.stringContaining('1 left out: The assignee doesn’t have its product.'),
    left_out: [{ id: two.id, title: 'Two' }],
  })
  expect(await row(two.id)).toMatchObject({ assignee_id: null })
  for (const bad of [
    { kind: 'status', status: 99 },
    { kind: 'tags', tag_id: 999, add: true },
    { kind: 'assign', assignee_id: as('developer').id },
    { kind: 'priority', priority: 9 },
  ])
    expect([bad.kind, (await change(bad)).status]).toEqual([bad.kind, 422])
  expect((await change({ kind: 'priority', priority: 4 }, { filters: {}, total: 3 })).status).toBe(409)
  expect((await change({ kind: 'priority', priority: 4 }, { filters: {}, total: 2 })).status).toBe(200)
})

test('deactivating someone hands over the tickets they are assigned', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  await as('support').post(`${support}/ticket/${id}/update`, { assignee_id: as('csm').id })
  const { status } = await as('super_admin').post(`/admin/admin-users/${as('csm').id}/deactivate`, {
    to: as('support').id,
  })
  expect(status).toBe(200)
  expect(await inQueue(as('support'), 'mine')).toEqual([id])
})

test('an open ticket whose delivery date has passed is due and overdue', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  await db.updateTable('tickets').set({ delivery_date: '2020-01-01' }).where('id', '=', id).execute()
  expect(await inQueue(as('support'), 'due')).toEqual([id])
  expect((await as('support').get(`${support}/ticket?overdue=1`))['total']).toBe(1)
  await as('support').post(`${support}/change-ticket-status/${id}/4`)
  expect(await inQueue(as('support'), 'due')).toEqual([])
  expect((await as('support').get(`${support}/ticket?overdue=1`))['total']).toBe(0)
})

test('emails that wait to be sorted are counted for those who can sort them', async () => {
  const { as, db } = await startTestApp()
  const count = async (who: string) => (await as(who).get(`${support}/queues`))['unsorted']
  expect(await count('support')).toBe(0)
  for (const [at, state] of ['unsorted', 'unsorted', 'done'].entries())
    await db
      .insertInto('received_mails')
      .values({ kind: 'message', message_id: `${at}@new.example`, state })
      .execute()
  expect(await count('support')).toBe(2)
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', cast.find(({ user_name }) => user_name === 'support')!.role_id)
    .where('permission', '=', 'all_tickets_view')
    .execute()
  expect(await count('support')).toBeNull()
})

test('saved views are counted as queues: own and shared ones, within the user’s products, up to the cap', async () => {
  const { as, db } = await startTestApp()
  for (const priority of [1, 1, 3]) await enterTicket(db, { priority })
  await enterTicket(db, { priority: 1, organization_id: await enterOrganization(db, {}, [2]) })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 2)
    .execute()
  const save = (who: string, name: string, address: object, shared = false) =>
    as(who).post('/admin/views', { list: 'tickets', path: '/support', name, shared, address })
  await save('support', 'On fire', { priority: 1, page: 3, layout: 'table' })
  await save('support', 'Roofs', { search: 'roof' })
  await save('support', 'Broken', { priority: 'very' })
  await save('csm', 'All on fire', { priority: 1 }, true)
  await save('csm', 'Only mine', { priority: 1 })
  const viewsOf = async (who: string) =>
    (await as(who).get(`${support}/queues`))['views'].map((one: { name: string; count: number | null }) => [
      one.name,
      one.count,
    ])
  expect(await viewsOf('support')).toEqual([
    ['Broken', null],
    ['On fire', 2],
    ['Roofs', null],
    ['All on fire', 2],
  ])
  expect(await viewsOf('csm')).toEqual([
    ['All on fire', 3],
    ['Only mine', 3],
  ])
  await sql`insert into tickets (title, priority) select 'One of many', 1 from generate_series(1, 1000)`.execute(
    db,
  )
  expect(await viewsOf('csm')).toContainEqual(['Only mine', 1001])
  expect(await countsOf(as('csm'))).toMatchObject({ unassigned: 1001, unanswered: 1001, mine: 0 })
})
