import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import type { TicketRule, TriedTicket } from '#features/crm/support/ticket-rules.contract.ts'

const path = '/admin/support/ticket-rules'
const any: TicketRule = {
  id: null,
  is_on: true,
  words: [],
  in_message: false,
  senders: [],
  category: null,
  organization_id: null,
  new_category: null,
  new_priority: null,
  new_assignee_id: null,
  tag_ids: [],
  mark_spam: false,
}

async function saveRules({ as }: TestApp, ...rules: Partial<TicketRule>[]): Promise<TicketRule[]> {
  const { version } = (await as('admin').get(path))['data']
  const saved = await as('admin').post(path, { version, rules: rules.map((rule) => ({ ...any, ...rule })) })
  expect([saved.status, saved['errors']]).toEqual([200, undefined])
  return saved['data'].rules
}

async function file({ as }: TestApp, values: object = {}): Promise<number> {
  const ticket = { title: 'The scanner stopped', message: '<p>It shows <b>noth</b>ing.</p>', ...values }
  const reply = await as('admin').post('/admin/support/ticket', ticket)
  expect(reply.status).toBe(200)
  return reply['data'].id
}

const sortedOf = async ({ as }: TestApp, id: number) => {
  const { category, priority, tag_ids } = (await as('admin').get(`/admin/support/ticket/${id}`))['data']
  return [category, priority, tag_ids]
}

async function addTags({ db }: TestApp, ...names: string[]): Promise<number[]> {
  const rows = await db
    .insertInto('ticket_tags')
    .values(names.map((name, position) => ({ name, position })))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

test('ticket rules are for roles 0 and 1', async () => {
  const started = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const expected = role === undefined ? 401 : isAdminRole(role) ? 200 : 403
    const as = started.as(role)
    expect([role, (await as.get(path)).status]).toEqual([role, expected])
    expect([role, (await as.post(`${path}/try`, { rules: [] })).status]).toEqual([role, expected])
    const { version } = (await started.as('admin').get(path))['data']
    expect([role, (await as.post(path, { version, rules: [] })).status]).toEqual([role, expected])
  }
})

test('of two admins who change the rules, the second gets a conflict with the rules of the first', async () => {
  const started = await startTestApp()
  await saveRules(started, { words: ['scanner'], new_priority: 1 })
  const late = await started.as('super_admin').post(path, { version: 0, rules: [] })
  expect([late.status, late['current']]).toMatchObject([409, { version: 1, rules: [{ words: ['scanner'] }] }])
  expect((await started.as('super_admin').get(path))['data'].rules).toHaveLength(1)
})

test.each<[Partial<TicketRule>, string, string]>([
  [{ organization_id: 99 }, 'organization_id', 'Choose an existing organization.'],
  [{ category: 99 }, 'category', 'Choose an existing category.'],
  [{ new_category: 99 }, 'new_category', 'Choose an existing category.'],
  [{ tag_ids: [99] }, 'tag_ids', 'Choose existing tags.'],
  [{ new_assignee_id: 99 }, 'new_assignee_id', 'Choose an admin user who can open tickets.'],
  [{ new_priority: null }, 'new_category', 'Choose at least one change.'],
  [
    { mark_spam: true },
    'words',
    'Enter words or senders, or choose an organization. Otherwise, every email is spam.',
  ],
  [
    { mark_spam: true, category: 0 },
    'words',
    'Enter words or senders, or choose an organization. Otherwise, every email is spam.',
  ],
  [{ senders: ['hotel'] }, 'senders', 'Enter email addresses, or domains such as hotel.example.'],
  [{ words: Array.from({ length: 21 }, (_, index) => `word ${index}`) }, 'words', 'Enter at most 20.'],
])('a rule with %j is refused at its field, also when it is tried', async (changed, field, message) => {
  const started = await startTestApp()
  const rules = [
    { ...any, new_priority: 1 },
    { ...any, new_priority: 1, ...changed },
  ]
  const errors = { [`rules.1.${field}`]: [message] }
  for (const [to, body] of [
    [path, { version: 0, rules }],
    [`${path}/try`, { rules }],
  ] as const)
    expect(await started.as('admin').post(to, body)).toMatchObject({ status: 422, errors })
  expect((await started.as('admin').get(path))['data']).toMatchObject({ version: 0, rules: [], matched: [] })
})

test('the first category and the first priority count, and the tags of all rules that fit', async () => {
  const started = await startTestApp()
  const [devices, urgent, other] = await addTags(started, 'devices', 'urgent', 'other')
  await saveRules(
    started,
    { words: ['printer'], new_category: 4, tag_ids: [other!] },
    { words: ['SCÄNNER'], new_category: 3, tag_ids: [devices!] },
    { words: ['unheard of', 'stopped'], new_category: 2, new_priority: 1, tag_ids: [urgent!, devices!] },
    { new_priority: 4 },
  )
  expect(await sortedOf(started, await file(started))).toEqual([3, 1, [devices, urgent]])
  expect(await sortedOf(started, await file(started, { title: 'Hello' }))).toEqual([1, 4, []])
})

test('a rule counts the new tickets of 30 days that it fitted, until its criteria change', async () => {
  const started = await startTestApp()
  const rules = await saveRules(
    started,
    { words: ['scanner'], new_priority: 1 },
    { words: ['printer'], new_priority: 1 },
  )
  const matched = async () => (await started.as('admin').get(path))['data'].matched
  const first = await file(started)
  expect(await matched()).toEqual([1, 0])
  started.clock.advance(20 * 24 * 3600_000)
  await file(started)
  await started.as('admin').post(`${path}/try`, { rules })
  expect(await matched()).toEqual([2, 0])
  // Another order and another change keep the count.
  await saveRules(started, rules[1]!, { ...rules[0]!, new_priority: 2 })
  expect(await matched()).toEqual([0, 2])
  const longAgo = new Date(started.clock.now().getTime() - 31 * 24 * 3600_000).toISOString()
  await started.db
    .updateTable('ticket_rule_matches')
    .set({ matched_at: longAgo })
    .where('ticket_id', '=', first)
    .execute()
  expect(await matched()).toEqual([0, 1])
  await saveRules(started, { ...rules[0]!, words: ['scanner', 'reader'] })
  expect(await matched()).toEqual([0])
})

test('a category that someone chose is kept', async () => {
  const started = await startTestApp()
  await saveRules(started, { new_category: 3, new_priority: 1 })
  expect(await sortedOf(started, await file(started, { category: 2 }))).toEqual([2, 1, []])
})

test('a rule sees the ticket as it was created, so rules trigger neither each other nor themselves', async () => {
  const started = await startTestApp()
  await saveRules(
    started,
    { category: 1, new_category: 3 },
    { category: 3, new_priority: 1 },
    { category: 1, new_category: 2 },
  )
  const [category, priority] = await sortedOf(started, await file(started))
  expect([category, priority === 1]).toEqual([3, false])
})

test('words are searched in the message only if the rule says so, across formatting', async () => {
  const started = await startTestApp()
  await saveRules(started, { words: ['shows nothing'], new_priority: 1 })
  const priorityOf = async () => (await sortedOf(started, await file(started)))[1]
  expect(await priorityOf()).not.toBe(1)
  await saveRules(started, { words: ['shows nothing'], in_message: true, new_priority: 1 })
  expect(await priorityOf()).toBe(1)
})

test('senders are addresses or domains, and organizations are those of the ticket', async () => {
  const started = await startTestApp()
  const org_id = await enterOrganization(started.db)
  const user_id = await enterUser(started.db, org_id, 'Zoe')
  const priorityFor = async (rule: Partial<TicketRule>) => {
    await saveRules(started, { ...rule, new_priority: 1 })
    return (await sortedOf(started, await file(started, { org_id, user_id })))[1] === 1
  }
  expect(await priorityFor({ senders: ['zoe@aalto.example'] })).toBe(true)
  expect(await priorityFor({ senders: ['Aalto.example'] })).toBe(true)
  expect(await priorityFor({ senders: ['@aalto.example'] })).toBe(true)
  expect(await priorityFor({ senders: ['alto.example', 'oe@aalto.example'] })).toBe(false)
  expect(await priorityFor({ organization_id: org_id })).toBe(true)
  expect(await priorityFor({ organization_id: await enterOrganization(started.db, { name: 'B' }) })).toBe(
    false,
  )
})

const secret = 'a-secret-of-thirty-two-characters'

test('an email that opens a ticket is sorted before its targets start and before it is assigned', async () => {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const { as, db } = started
  await saveRules(started, { words: ['it stopped'], in_message: true, new_category: 3, new_priority: 1 })
  const assignment = { id: null, category: 3, organization_id: null, staff_ids: [as('support').id] }
  await as('admin').post('/admin/support/assignment-rules', { version: 0, rules: [assignment] })
  const target = {
    priority: 1,
    category: null,
    organization_id: null,
    first_response: 60,
    next_response: null,
    resolution: null,
    in_working_hours: false,
  }
  const settings = {
    version: 0,
    targets: [target],
    pauses_while_waiting: true,
    reminder_percent: null,
    zone: 'UTC',
    days: Array.from({ length: 7 }, () => null),
    holidays: [],
  }
  expect((await as('admin').post('/admin/support/targets', settings)).status).toBe(200)
  const email = {
    message_id: '<m1@aalto.example>',
    from: 'Zoe Berg <zoe@aalto.example>',
    subject: 'Help',
    text: 'It stopped.',
  }
  const headers = { 'x-inbound-secret': secret }
  const { id } = await as(undefined).post('/inbound/ticket', email, { headers })
  const ticket = await db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(ticket).toMatchObject({ category: 3, priority: 1, assignee_id: as('support').id })
  const clocks = await db
    .selectFrom('ticket_clocks')
    .select(['kind', 'minutes'])
    .where('ticket_id', '=', id)
    .execute()
  expect(clocks).toContainEqual({ kind: 'first_response', minutes: 60 })
  expect((await as('support').get(`/admin/records/ticket/${id}/history`))['data']).toContainEqual(
    expect.objectContaining({ act: 'Sorted by a rule', who: 'System' }),
  )
  // A reply sorts nothing.
  await as('admin').post(`/admin/support/ticket/${id}/update`, { priority: 4, version: ticket.version })
  const reply = { ...email, message_id: '<m2@aalto.example>', references: '<m1@aalto.example>' }
  await as(undefined).post('/inbound/ticket', reply, { headers })
  expect((await sortedOf(started, id))[1]).toBe(4)
})

test('a trial says what saved rules would have done, changes nothing, and has only tickets that the admin sees', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const [devices] = await addTags(started, 'devices')
  const rules: TicketRule[] = [
    { ...any, words: ['scanner'], new_category: 3, tag_ids: [devices!] },
    { ...any, words: ['nothing'], in_message: true, new_priority: 1 },
  ]
  const fitting = await enterTicket(db)
  const chosen = await enterTicket(db, { title: 'Another scanner' })
  await db.updateTable('tickets').set({ category: 2 }).where('id', '=', chosen.id).execute()
  await enterTicket(db, { title: 'In the trash: scanner' })
  await db
    .updateTable('tickets')
    .set({ deleted_at: '2026-03-16T08:00:00Z', deleted_by: 1 })
    .where('title', 'like', 'In the%')
    .execute()
  const organization_id = await enterOrganization(db, {}, [2])
  await enterTicket(db, { organization_id, title: 'A scanner of another product' })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 2)
    .execute()
  const before = await db.selectFrom('tickets').selectAll().orderBy('id').execute()
  const { data, total } = await as('admin').post(`${path}/try`, { rules })
  expect([total, data]).toMatchObject([
    2,
    [
      { id: chosen.id, rules: [0, 1], category: null, kept_category: 2, priority: 1, tag_ids: [devices] },
      { id: fitting.id, rules: [0, 1], category: 3, kept_category: null, priority: 1, tag_ids: [devices] },
    ],
  ])
  expect(await db.selectFrom('tickets').selectAll().orderBy('id').execute()).toEqual(before)

  await saveRules(started, ...rules)
  const [category, priority, tag_ids] = await sortedOf(started, await file(started))
  const tried = (data as TriedTicket[])[1]!
  expect([category, priority, tag_ids]).toEqual([tried.category, tried.priority, tried.tag_ids])
})

test('a rule loses a deleted tag or new category, and is deleted with the category that it is for', async () => {
  const started = await startTestApp()
  const [tag] = await addTags(started, 'devices')
  await saveRules(
    started,
    { category: 5, new_priority: 1 },
    { new_category: 5, new_priority: 2, tag_ids: [tag!] },
  )
  await started.db.deleteFrom('ticket_tags').execute()
  await started.db.deleteFrom('ticket_categories').where('id', '=', 5).execute()
  expect((await started.as('admin').get(path))['data'].rules).toEqual([
    { ...any, id: expect.any(Number), new_priority: 2 },
  ])
})

const assigneeOf = async ({ db }: TestApp, id: number) =>
  (
    await db
      .selectFrom('tickets as t')
      .leftJoin('staff as s', 's.id', 't.assignee_id')
      .select('s.user_name')
      .where('t.id', '=', id)
      .executeTakeFirstOrThrow()
  ).user_name

const assignBy = (started: TestApp, name: string): Partial<TicketRule> => ({
  words: ['scanner'],
  new_assignee_id: started.as(name).id,
})

async function assignInTurn({ as }: TestApp, ...names: string[]): Promise<void> {
  const staff_ids = names.map((name) => as(name).id)
  const rule = { id: null, category: null, organization_id: null, staff_ids }
  const { status } = await as('admin').post('/admin/support/assignment-rules', { version: 0, rules: [rule] })
  expect(status).toBe(200)
}

test('a rule assigns a new ticket before assignment rules do, notifies the assignee, and is in the history', async () => {
  const started = await startTestApp()
  const { as } = started
  await assignInTurn(started, 'csm')
  await saveRules(started, { ...assignBy(started, 'support'), new_priority: 1 }, assignBy(started, 'csm'))
  const id = await file(started)
  expect(await assigneeOf(started, id)).toBe('support')
  expect(await assigneeOf(started, await file(started, { title: 'Hello' }))).toBe('csm')
  expect((await as('support').get(`/admin/records/ticket/${id}/history`))['data']).toContainEqual(
    expect.objectContaining({
      act: 'Sorted by a rule',
      who: 'System',
      changes: [{ field: 'assignee_id', before: null, after: expect.stringMatching(/^[A-Z]/) }],
    }),
  )
  const notices = (await as('support').get('/admin/notices'))['data']
  expect(notices).toMatchObject([{ kind: 'assigned', words: 'A rule assigned this ticket to you.' }])
})

test('an assignee who is away, or who opened the ticket, is skipped: assignment rules apply', async () => {
  const started = await startTestApp()
  const { as } = started
  await saveRules(started, assignBy(started, 'admin'))
  expect(await assigneeOf(started, await file(started))).toBeNull()
  await saveRules(started, assignBy(started, 'support'))
  await as('support').post(`/admin/admin-users/${as('support').id}/away`, { until: '2026-03-17' })
  const alone = await file(started)
  expect(await assigneeOf(started, alone)).toBeNull()
  expect((await as('csm').get(`/admin/records/ticket/${alone}/history`))['data'][0]).toMatchObject({
    act: 'Left unassigned',
    changes: [{ field: 'absent_people', after: expect.stringMatching(/ \(away until 17 Mar 2026\)$/) }],
  })
  await assignInTurn(started, 'csm')
  expect(await assigneeOf(started, await file(started))).toBe('csm')
})

test('the rule of someone who was deactivated stays and is listed as theirs, and assignment rules apply', async () => {
  const started = await startTestApp()
  const { as, db, clock } = started
  const { id: support } = as('support')
  const rules = await saveRules(started, assignBy(started, 'support'))
  const now = clock.now().toISOString()
  await db
    .updateTable('staff')
    .set({ banned_at: now, deleted_at: now, deleted_by: as('admin').id })
    .where('id', '=', support)
    .execute()
  await assignInTurn(started, 'csm')
  expect(await assigneeOf(started, await file(started))).toBe('csm')
  const { people } = (await as('admin').get(path))['data']
  expect(people).toContainEqual(expect.objectContaining({ id: support, is_present: false }))
  expect(people).toContainEqual(expect.objectContaining({ id: as('csm').id, is_present: true }))
  // Such a rule can be saved again, but not given to a new one.
  await saveRules(started, { ...rules[0]!, new_priority: 1 })
  await saveRules(started)
  const { version } = (await as('admin').get(path))['data']
  const again = await as('admin').post(path, { version, rules: [{ ...any, new_assignee_id: support }] })
  expect(again).toMatchObject({
    status: 422,
    errors: { 'rules.0.new_assignee_id': ['Choose an admin user who can open tickets.'] },
  })
})

test('a rule doesn’t assign a ticket whose product its assignee doesn’t have, or that it marks as spam', async () => {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const { as, db } = started
  await saveRules(started, assignBy(started, 'support'))
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 2)
    .execute()
  const org_id = await enterOrganization(db, {}, [2])
  const user_id = await enterUser(db, org_id, 'Zoe')
  expect(await assigneeOf(started, await file(started, { org_id, user_id }))).toBeNull()
  await saveRules(started, { ...assignBy(started, 'support'), mark_spam: true })
  const email = {
    message_id: '<m1@aalto.example>',
    from: 'zoe@aalto.example',
    subject: 'scanner',
    text: 'It.',
  }
  const { id } = await as(undefined).post('/inbound/ticket', email, {
    headers: { 'x-inbound-secret': secret },
  })
  expect(await assigneeOf(started, id)).toBeNull()
})

test('a rule that is off fits no ticket, neither a new one nor in a trial', async () => {
  const started = await startTestApp()
  const rules = await saveRules(started, { ...assignBy(started, 'support'), new_priority: 1, is_on: false })
  const id = await file(started)
  expect([await assigneeOf(started, id), (await sortedOf(started, id))[1]]).toEqual([null, 3])
  expect((await started.as('admin').get(path))['data']).toMatchObject({ rules, matched: [0] })
  const trial = await started.as('admin').post(`${path}/try`, { rules })
  expect(trial).toMatchObject({ data: [], total: 1 })
  await saveRules(started, { ...rules[0]!, is_on: true })
  expect(await assigneeOf(started, await file(started))).toBe('support')
})

test('a trial says who would be assigned, and who would be skipped', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id: support } = as('support')
  const rules = [{ ...any, ...assignBy(started, 'support') }]
  const theirs = await enterTicket(db, { assignee_id: support })
  const own = await enterTicket(db, { staff_id: support })
  const open = await enterTicket(db, { sender_email: 'zoe@aalto.example' })
  expect((await as('admin').post(`${path}/try`, { rules }))['data']).toMatchObject([
    { id: open.id, assignee_id: support, skipped_assignee_id: null },
    { id: own.id, assignee_id: null, skipped_assignee_id: support },
    { id: theirs.id, assignee_id: null, skipped_assignee_id: null },
  ])
})
