import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import type { AssignmentRule, StoredRules } from '#features/crm/support/assignment-rules.contract.ts'
import { receiveRaw } from '#server/inbound/receive-raw.ts'

const path = '/admin/support/assignment-rules'
const any = { id: null, category: null, organization_id: null }

const storedIn = async ({ as }: TestApp) => (await as('admin').get(path))['data'] as StoredRules

/** Saves rules as they are, in place of those before. */
async function saveRules(started: TestApp, rules: readonly Partial<AssignmentRule>[]): Promise<StoredRules> {
  const { version } = await storedIn(started)
  const saved = await started.as('admin').post(path, { version, rules })
  expect(saved.status).toBe(200)
  return saved['data'] as StoredRules
}

/** Starts the panel with a rule that assigns every new ticket to these members of the cast in turn. */
async function withRule(names: readonly string[], options: Parameters<typeof startTestApp>[0] = {}) {
  const started = await startTestApp(options)
  await saveRules(started, [{ ...any, staff_ids: names.map((name) => started.as(name).id) }])
  return started
}

const file = async ({ as }: TestApp, values: object = {}, who = 'admin'): Promise<number> => {
  const reply = await as(who).post('/admin/support/ticket', {
    title: 'The scanner stopped',
    message: '<p>It shows nothing.</p>',
    ...values,
  })
  expect(reply.status).toBe(200)
  return reply['data'].id
}

const assigneeOf = async ({ db }: TestApp, id: number) =>
  (
    await db
      .selectFrom('tickets as t')
      .leftJoin('staff as s', 's.id', 't.assignee_id')
      .select('s.user_name')
      .where('t.id', '=', id)
      .executeTakeFirstOrThrow()
  ).user_name

/** Files tickets one after the other, and returns their assignees. */
async function assigneesOf(started: TestApp, count: number, values: object = {}) {
  const names = []
  for (let left = count; left > 0; left--) names.push(await assigneeOf(started, await file(started, values)))
  return names
}

const ban = (
  { db, clock, as }: TestApp,
  name: string,
  banned_at: string | null = clock.now().toISOString(),
) => db.updateTable('staff').set({ banned_at }).where('id', '=', as(name).id).execute()

test('assignment rules are for roles 0 and 1', async () => {
  const started = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const expected = role === undefined ? 401 : isAdminRole(role) ? 200 : 403
    expect([role, (await started.as(role).get(path)).status]).toEqual([role, expected])
    const { version } = await storedIn(started)
    const saved = await started.as(role).post(path, { version, rules: [] })
    expect([role, saved.status]).toEqual([role, expected])
  }
})

test('of two admins who change the rules, the second gets a conflict with the rules of the first', async () => {
  const { as } = await withRule(['support'])
  const late = await as('super_admin').post(path, { version: 0, rules: [] })
  expect([late.status, late['current'].version, late['current'].rules]).toEqual([
    409,
    1,
    [expect.objectContaining({ staff_ids: [as('support').id] })],
  ])
  expect((await as('super_admin').get(path))['data'].rules).toHaveLength(1)
})

test.each([
  [{ organization_id: 99 }, 'organization_id', 'Choose an existing organization.'],
  [{ category: 99 }, 'category', 'Choose an existing category.'],
  [{ staff_ids: [] }, 'staff_ids', 'Choose at least one person.'],
  [{ staff_ids: [9999] }, 'staff_ids', 'Choose admin users who can open tickets.'],
])('a rule with %j is refused at its field', async (changed, field, message) => {
  const started = await startTestApp()
  const rule = { ...any, staff_ids: [started.as('support').id] }
  const body = { version: 0, rules: [rule, { ...rule, ...changed }] }
  const reply = await started.as('admin').post(path, body)
  expect([reply.status, reply['errors']]).toEqual([422, { [`rules.1.${field}`]: [message] }])
  expect(await storedIn(started)).toMatchObject({ version: 0, rules: [] })
})

test('someone who can’t open tickets is not added to a rule, but stays in it after losing the permission', async () => {
  const started = await withRule(['support', 'csm'])
  const { as, db } = started
  const body = (names: string[]) => ({
    version: 1,
    rules: [{ ...any, staff_ids: names.map((name) => as(name).id) }],
  })
  expect(await as('admin').post(path, body(['designer']))).toMatchObject({ status: 422 })
  await db.deleteFrom('role_permissions').where('role_id', '=', 10).execute()
  expect(await as('admin').post(path, body(['csm', 'support']))).toMatchObject({ status: 200 })
  const { people } = await storedIn(started)
  expect(people.find(({ id }) => id === as('csm').id)).toMatchObject({ is_present: false })
})

test('a rule for an organization that the admin can’t see stays, and is not added', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const organization_id = await enterOrganization(db, {}, [2])
  const staff_ids = [as('support').id]
  await saveRules(started, [{ ...any, organization_id, staff_ids }])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 2)
    .execute()
  const { rules } = await saveRules(started, (await storedIn(started)).rules)
  expect(rules).toMatchObject([{ organization_id }])
  const other = await enterOrganization(db, { name: 'Linden' }, [2])
  const body = { version: 2, rules: [{ ...any, organization_id: other, staff_ids }] }
  expect(await as('admin').post(path, body)).toMatchObject({ status: 422 })
})

test('people take turns; one who is deactivated is skipped, and is next when they return', async () => {
  const started = await withRule(['support', 'csm', 'adh'])
  expect(await assigneesOf(started, 4)).toEqual(['support', 'csm', 'adh', 'support'])
  await ban(started, 'csm')
  expect(await assigneesOf(started, 3)).toEqual(['adh', 'support', 'adh'])
  await ban(started, 'csm', null)
  expect(await assigneesOf(started, 3)).toEqual(['csm', 'support', 'adh'])
})

test('the turns survive a change of the rules', async () => {
  const started = await withRule(['support', 'csm'])
  expect(await assigneesOf(started, 1)).toEqual(['support'])
  const [kept] = (await storedIn(started)).rules
  const saved = await saveRules(started, [{ ...any, category: 3, staff_ids: [started.as('adh').id] }, kept!])
  expect(saved.rules.map(({ id }) => id)).toEqual([expect.any(Number), kept!.id])
  expect(await assigneesOf(started, 2)).toEqual(['csm', 'support'])
  expect(await assigneesOf(started, 1, { category: 3 })).toEqual(['adh'])
  await saveRules(started, [])
  expect(await assigneesOf(started, 1)).toEqual([null])
})

test('the first rule that fits applies, even if none of its people is present', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const org_id = await enterOrganization(db)
  const user_id = await enterUser(db, org_id, 'Zoe')
  await saveRules(started, [
    { ...any, category: 3, organization_id: org_id, staff_ids: [as('adh').id] },
    { ...any, organization_id: org_id, staff_ids: [as('csm').id] },
    { ...any, category: 3, staff_ids: [as('super_admin').id] },
  ])
  const ofUser = (category: number) => assigneesOf(started, 1, { org_id, user_id, category })
  expect([await ofUser(3), await ofUser(1)]).toEqual([['adh'], ['csm']])
  expect(await assigneesOf(started, 1, { category: 3 })).toEqual(['super_admin'])
  expect(await assigneesOf(started, 1, { category: 1 })).toEqual([null])
  await ban(started, 'adh')
  expect(await ofUser(3)).toEqual([null])
})

test('someone without the organization’s product, and the requester, are skipped', async () => {
  const started = await withRule(['support', 'csm'])
  const { as, db } = started
  const org_id = await enterOrganization(db, {}, [2])
  const user_id = await enterUser(db, org_id, 'Zoe')
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('support').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await assigneesOf(started, 2, { org_id, user_id })).toEqual(['csm', 'csm'])
  const own = [await file(started, {}, 'support'), await file(started, {}, 'support')]
  expect(await Promise.all(own.map((id) => assigneeOf(started, id)))).toEqual(['csm', 'csm'])
})

test('tickets that arrive at the same time go to different people', async () => {
  const names = ['support', 'csm', 'adh', 'super_admin']
  const started = await withRule(names)
  const ids = await Promise.all(names.map(() => file(started)))
  const assignees = await Promise.all(ids.map((id) => assigneeOf(started, id)))
  expect(assignees.toSorted()).toEqual(names.toSorted())
})

test('the new assignee gets a notice, and the history says that a rule assigned the ticket', async () => {
  const started = await withRule(['support'])
  const { as, live } = started
  const id = await file(started)
  expect((await as('support').get('/admin/notices'))['data']).toMatchObject([
    { kind: 'assigned', record_id: id, words: 'A rule assigned this ticket to you.' },
  ])
  expect(live.filter(({ channel }) => channel === `private-staff.${as('support').id}`)).toMatchObject([
    { event: 'notices' },
  ])
  expect((await as('support').get(`/admin/records/ticket/${id}/history`))['data']).toMatchObject([
    {
      act: 'Assigned by a rule',
      who: 'System',
      changes: [{ field: 'assignee_id', before: null, after: expect.stringMatching(/^[A-Z]/) }],
    },
    { act: 'Created', who: 'Martin Keller' },
  ])
})

test('a request that an admin user opens for themselves is assigned', async () => {
  const started = await withRule(['support'])
  await started.db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  expect(await assigneeOf(started, await file(started, {}, 'editor'))).toBe('support')
})

const secret = 'a-secret-of-thirty-two-characters'
const email = {
  message_id: '<m1@aalto.example>',
  from: 'Zoe Berg <zoe@aalto.example>',
  subject: 'Help',
  text: 'It stopped.',
}

test('an email that opens a ticket is assigned once; a reply and a repeated delivery change nothing', async () => {
  const started = await withRule(['support', 'csm'], { env: { INBOUND_SECRET: secret } })
  const bring = (values: object) =>
    started
      .as(undefined)
      .post('/inbound/ticket', { ...email, ...values }, { headers: { 'x-inbound-secret': secret } })
  const { id } = await bring({})
  expect(await assigneeOf(started, id)).toBe('support')
  await bring({})
  await bring({ message_id: '<m2@aalto.example>', references: '<m1@aalto.example>' })
  const next = await bring({ message_id: '<m3@aalto.example>', subject: 'Another' })
  expect(await assigneeOf(started, id)).toBe('support')
  expect([next['id'] === id, await assigneeOf(started, next['id'])]).toEqual([false, 'csm'])
})

test('an email that a mailbox receives, and one that is filed from Unsorted, are assigned', async () => {
  const started = await withRule(['support', 'csm'])
  const { app, as, db } = started
  await enterUser(db, await enterOrganization(db), 'Zoe')
  const raw = (from: string, id: string) =>
    Buffer.from(
      `From: ${from}\r\nTo: help@panel.example\r\nSubject: Help\r\nMessage-ID: <${id}@x.example>\r\n\r\nHello\r\n`,
    )
  const known = await receiveRaw(app, raw('zoe@aalto.example', 'a'), {})
  expect(known.record).toMatchObject({ type: 'ticket' })
  expect(await assigneeOf(started, known.record!.id)).toBe('support')
  expect(
    (await as('support').get(`/admin/records/ticket/${known.record!.id}/history`))['data'],
  ).toContainEqual(expect.objectContaining({ act: 'Assigned by a rule', who: 'System' }))
  const unknown = await receiveRaw(app, raw('stranger@x.example', 'b'), {})
  expect(unknown.record).toBeNull()
  const filed = await as('admin').post(`/admin/unsorted/${unknown.id}/file`, { type: 'ticket' })
  expect(filed.status).toBe(200)
  expect(await assigneeOf(started, filed['record'].id)).toBe('csm')
})

test('a rule is deleted with its category or organization', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const organization_id = await enterOrganization(db)
  const staff_ids = [as('support').id]
  await saveRules(started, [
    { ...any, category: 5, staff_ids },
    { ...any, organization_id, staff_ids },
    { ...any, staff_ids },
  ])
  expect(await as('admin').post('/admin/lists/ticket_categories/remove', { key: '5' })).toMatchObject({
    status: 200,
  })
  await db.deleteFrom('organization_products').execute()
  await db.deleteFrom('organizations').where('organization_id', '=', organization_id).execute()
  expect((await storedIn(started)).rules).toMatchObject([
    { category: null, organization_id: null, staff_ids },
  ])
})
