import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { client, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, isAdminRole, roleIds } from '#shared/access.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { startMailServer, unfolded } from '#server/mail/mail.testing.ts'
import { staffStates } from '#features/admin/staff/contract.ts'

const path = '/admin/admin-users'
const person = (user_name: string, more: object = {}) => ({
  user_name,
  first_name: 'Noor',
  last_name: 'Visser',
  email: `${user_name}@example.com`,
  role_id: 2,
  product_ids: [1],
  ...more,
})
const tokenIn = (link: string) => new URL(link).searchParams.get('invitation')!
const invite = async ({ as }: TestApp, who = 'admin', more: object = {}) =>
  as(who).post(`${path}/create`, person('noor', more))

test.each([
  ['POST', 'invite', {}],
  ['POST', 'ban', { reason: 'Left' }],
  ['POST', 'deactivate', {}],
  ['GET', 'held', undefined],
  ['GET', 'sessions', undefined],
  ['GET', 'password-link', undefined],
  ['POST', 'sessions/end', {}],
])('%s %s is for roles 0 and 1 with the key', async (method, what, body) => {
  const started = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const { id } = await started.as('super_admin').post(`${path}/create`, person(`noor${role}`))
    const { status } = await started.as(role).send(method, `${path}/${id}/${what}`, body)
    // The new user has no session yet.
    const done = what === 'sessions/end' ? 404 : 200
    expect([role, status]).toEqual([role, role === undefined ? 401 : isAdminRole(role) ? done : 403])
  }
})

test('the list needs its key, and each of its filters its own', async () => {
  const { as, db } = await startTestApp()
  for (const role of roleIds)
    expect([role, (await as(role).get('/admin/users/get-all-users')).status]).toEqual([
      role,
      defaultGrants[role].includes('admin_users_list') ? 200 : 403,
    ])
  await db.insertInto('role_permissions').values({ role_id: 12, permission: 'admin_users_list' }).execute()
  for (const filter of ['search=a', 'role_id=0', 'team_id=1'])
    expect([filter, (await as('qa').get(`/admin/users/get-all-users?${filter}`)).status]).toEqual([
      filter,
      403,
    ])
  const reply = await as('admin').get('/admin/users/get-all-users?role_id=0')
  expect([reply['per_page'], reply['data'].map(({ user_name }: { user_name: string }) => user_name)]).toEqual(
    [300, ['super_admin']],
  )
})

test('an invitation sets the password once; then the user signs in', async () => {
  const started = await startTestApp()
  const { app } = started
  const nobody = client(app, '')
  const { link } = await invite(started)
  const token = tokenIn(link)
  expect(await nobody.post('/auth/invitation', { token })).toMatchObject({
    status: 200,
    data: { user_name: 'noor' },
  })
  expect(await nobody.post('/auth/set-password', { token, password: 'short' })).toMatchObject({ status: 422 })
  expect(await nobody.post('/auth/set-password', { token, password: 'a-good-password' })).toMatchObject({
    status: 200,
    user_name: 'noor',
  })
  expect(await nobody.post('/auth/set-password', { token, password: 'another-password' })).toMatchObject({
    status: 404,
  })
  expect(await nobody.post('/auth/login', { username: 'noor', password: 'a-good-password' })).toMatchObject({
    status: 200,
    user_product: [1],
  })
})

test('an admin user has one status: invited, active, banned, or deactivated', async () => {
  const started = await startTestApp()
  const { as, app } = started
  const { id, link } = await invite(started)
  const statuses = async () => {
    const found = []
    for (const state of [undefined, ...staffStates]) {
      const { data } = await as('admin').get(
        `/admin/users/get-all-users?search=noor${state ? `&state=${state}` : ''}`,
      )
      if (data.length > 0) found.push(state ?? 'current')
    }
    return found
  }
  expect(await statuses()).toEqual(['current', 'invited'])
  await client(app, '').post('/auth/set-password', { token: tokenIn(link), password: 'a-good-password' })
  await client(app, '').post('/auth/login', { username: 'noor', password: 'a-good-password' })
  expect(await statuses()).toEqual(['current', 'active'])
  await as('admin').post(`${path}/${id}/ban`, { reason: 'Left the company' })
  expect(await statuses()).toEqual(['current', 'banned'])
  await as('admin').post(`${path}/${id}/deactivate`)
  expect(await statuses()).toEqual(['deactivated'])
})

test('concurrent uses of a link set one password only', async () => {
  const started = await startTestApp()
  const token = tokenIn((await invite(started))['link'])
  const both = await Promise.all(
    ['first-password', 'other-password'].map((password) =>
      client(started.app, '').post('/auth/set-password', { token, password }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
})

test.each(['late', 'banned', 'replaced'])('a link that is %s opens nothing', async (why) => {
  const started = await startTestApp()
  const { as, app, clock } = started
  const { id, link } = await invite(started)
  if (why === 'late') clock.advance(48 * 3_600_000)
  if (why === 'banned') await as('admin').post(`${path}/${id}/ban`, { reason: 'Wrong person' })
  if (why === 'replaced') await as('admin').post(`${path}/${id}/invite`)
  const token = tokenIn(link)
  expect(await client(app, '').post('/auth/invitation', { token })).toMatchObject({ status: 404 })
  expect(
    await client(app, '').post('/auth/set-password', { token, password: 'a-good-password' }),
  ).toMatchObject({ status: 404 })
})

test('a forgotten password gets a link that no one can read in the outbox; a stranger gets the same answer', async () => {
  const { as, app, db } = await startTestApp()
  const ask = (username: string) => client(app, '').post('/auth/forgot-password', { username })
  const [known, unknown] = [await ask('crm'), await ask('nobody-is-called-this')]
  expect([known.status, known['message']]).toEqual([unknown.status, unknown['message']])
  const findMails = () =>
    db.selectFrom('mails').select(['id', 'text']).where('kind', '=', 'forgotten-password').execute()
  await expect.poll(findMails).toHaveLength(1)
  const [mail] = await findMails()
  expect(mail!.text).toContain('{{link}}')
  expect(await as('super_admin').get(`/admin/mail/${mail!.id}`)).toMatchObject({ status: 404 })
})

test('only a Super Admin creates or changes one, and the last one stays', async () => {
  const started = await startTestApp()
  const { as } = started
  const root = as('super_admin').id
  expect(await invite(started, 'admin', { role_id: 0 })).toMatchObject({ status: 403 })
  for (const [act, body] of [
    ['ban', { reason: 'x' }],
    ['deactivate', {}],
    ['invite', {}],
    ['sessions/end', {}],
  ] as const)
    expect([act, (await as('admin').post(`${path}/${root}/${act}`, body)).status]).toEqual([act, 403])
  expect(await as('super_admin').post(`${path}/${root}/deactivate`)).toMatchObject({ status: 409 })
  const findLast = async () =>
    (await as('admin').get('/admin/users/get-all-users'))['data']
      .filter((one: { last_super_admin: boolean }) => one.last_super_admin)
      .map(({ id }: { id: number }) => id)
  expect(await findLast()).toEqual([root])
  expect(await invite(started, 'super_admin', { role_id: 0 })).toMatchObject({ status: 200 })
  expect(await findLast()).toEqual([])
})

test('deactivating reassigns open work, ends the sessions, and is reverted completely', async () => {
  const { as, db } = await startTestApp()
  const [from, to] = [as('crm'), as('super_admin')]
  const lead = await enterLead(db, { assign_to: from.id })
  await from.post('/common/quick-task', { title: 'Call' })
  const ticket = await enterTicket(db, { staff_id: from.id })
  const settled = await enterTicket(db, { staff_id: from.id })
  await db.updateTable('tickets').set({ status: 5 }).where('id', '=', settled.id).execute()
  expect((await as('admin').get(`${path}/${from.id}/held`))['data']).toEqual({
    lead: 1,
    ticket: 1,
    quick_task: 1,
  })
  expect(await as('admin').post(`${path}/${from.id}/deactivate`)).toMatchObject({
    status: 422,
    errors: { to: [expect.any(String)] },
  })
  await db.deleteFrom('staff_products').where('staff_id', '=', to.id).where('product_id', '=', 1).execute()
  expect(await as('admin').post(`${path}/${from.id}/deactivate`, { to: to.id })).toMatchObject({
    status: 422,
  })
  await db.insertInto('staff_products').values({ staff_id: to.id, product_id: 1 }).execute()
  expect(await as('admin').post(`${path}/${from.id}/deactivate`, { to: to.id })).toMatchObject({
    status: 200,
  })
  const held = async () =>
    (await db.selectFrom('leads').select('assign_to').where('lead_id', '=', lead).executeTakeFirstOrThrow())
      .assign_to
  const asks = async () =>
    (await db.selectFrom('tickets').select('staff_id').orderBy('id').execute()).map(
      ({ staff_id }) => staff_id,
    )
  expect([await asks(), ticket.id < settled.id]).toEqual([[to.id, from.id], true])
  expect([await held(), (await from.get('/auth/admin-user')).status]).toEqual([to.id, 401])
  expect(
    (await as('admin').get('/admin/users/get-all-users?state=deactivated'))['data'].map(
      ({ id }: { id: number }) => id,
    ),
  ).toEqual([from.id])
  expect(await as('admin').post(`${path}/${from.id}/restore`)).toMatchObject({ status: 200 })
  expect([await held(), await asks()]).toEqual([from.id, [from.id, from.id]])
})

test('open work goes only to people who can open it: others for a type can be chosen, or no one', async () => {
  const { as, db } = await startTestApp()
  const [from, developer, support] = [as('csm'), as('developer'), as('support')]
  const assigned = await enterTicket(db, { assignee_id: from.id })
  const asked = await enterTicket(db, { staff_id: from.id })
  const task = await enterTask(db, { assigned_to: from.id })
  const deactivate = (body: object) => as('admin').post(`${path}/${from.id}/deactivate`, body)
  const whose = async () => [
    (await db.selectFrom('tickets').select(['assignee_id', 'staff_id']).orderBy('id').execute()).map(
      ({ assignee_id, staff_id }) => assignee_id ?? staff_id,
    ),
    (await db.selectFrom('tasks').select('assigned_to').where('id', '=', task).executeTakeFirstOrThrow())
      .assigned_to,
  ]
  expect(assigned.id < asked.id).toBe(true)
  const { data, takers } = await as('admin').get(`${path}/${from.id}/held`)
  expect(data).toEqual({ ticket: 2, task: 1 })
  expect(takers.ticket.can_be_unassigned).toBe(true)
  expect([takers.ticket.ids.includes(support.id), takers.ticket.ids.includes(developer.id)]).toEqual([
    true,
    false,
  ])
  expect([takers.task.ids.includes(as('crm').id), takers.task.ids.includes(developer.id)]).toEqual([
    false,
    true,
  ])
  expect(await deactivate({ to: developer.id })).toMatchObject({
    status: 422,
    errors: { to: [expect.stringContaining('can’t open tickets.')] },
  })
  expect(await deactivate({ to: developer.id, others: { ticket: as('designer').id } })).toMatchObject({
    status: 422,
    errors: { 'others.ticket': [expect.stringContaining('can’t open tickets.')] },
  })
  expect(await whose()).toEqual([[from.id, from.id], from.id])
  expect(await deactivate({ to: developer.id, others: { ticket: support.id } })).toMatchObject({
    status: 200,
    message: expect.stringContaining('3 records reassigned.'),
  })
  expect(await whose()).toEqual([[support.id, support.id], developer.id])
  expect((await as('admin').post(`${path}/${from.id}/restore`)).message).toContain('3 records returned.')
  expect(await whose()).toEqual([[from.id, from.id], from.id])
  // Requests keep their requester, because each has one.
  expect(await deactivate({ to: developer.id, others: { ticket: null } })).toMatchObject({
    status: 200,
    message: expect.stringContaining('1 record reassigned. 1 record left unassigned.'),
  })
  expect(await whose()).toEqual([[null, from.id], developer.id])
  expect((await as('admin').post(`${path}/${from.id}/restore`)).message).toContain('2 records returned.')
  expect(await whose()).toEqual([[from.id, from.id], from.id])
})

test('a request goes to anyone who can open their own requests, and a ticket only to people with its product', async () => {
  const { as, db } = await startTestApp()
  const [from, to] = [as('csm'), as('support')]
  const ticket = await enterTicket(db, { assignee_id: from.id, organization_id: await enterOrganization(db) })
  await db.deleteFrom('staff_products').where('staff_id', '=', to.id).execute()
  const deactivate = () => as('admin').post(`${path}/${from.id}/deactivate`, { to: to.id })
  expect(await deactivate()).toMatchObject({
    status: 422,
    errors: { to: [expect.stringContaining('can’t open 1 ticket of this work')] },
  })
  await db
    .updateTable('tickets')
    .set({ assignee_id: null, staff_id: from.id })
    .where('id', '=', ticket.id)
    .execute()
  expect(await deactivate()).toMatchObject({ status: 200 })
})

test('tickets are distributed among several people who can open them, and returned together', async () => {
  const { as, db } = await startTestApp()
  const [from, support, adh] = [as('csm'), as('support'), as('adh')]
  const organization_id = await enterOrganization(db)
  const ids: number[] = []
  for (const values of [{}, {}, {}, { organization_id }])
    ids.push((await enterTicket(db, { assignee_id: from.id, ...values })).id)
  const task = await enterTask(db, { assigned_to: from.id })
  await db.deleteFrom('staff_products').where('staff_id', '=', adh.id).execute()
  const deactivate = (body: object) => as('admin').post(`${path}/${from.id}/deactivate`, body)
  const assignees = async () =>
    (await db.selectFrom('tickets').select('assignee_id').orderBy('id').execute()).map(
      ({ assignee_id }) => assignee_id,
    )
  const to = as('developer').id
  // Other work needs someone.
  expect(await deactivate({ among: { ticket: [support.id] } })).toMatchObject({
    status: 422,
    errors: { to: ['This user has open work. Choose a new assignee.'] },
  })
  expect(await deactivate({ to, among: { ticket: [support.id, as('designer').id] } })).toMatchObject({
    status: 422,
    errors: { 'among.ticket': [expect.stringContaining('can’t open tickets.')] },
  })
  expect(await deactivate({ to, among: { ticket: [adh.id] } })).toMatchObject({
    status: 422,
    errors: { 'among.ticket': [expect.stringContaining('None of these people can open 1 ticket')] },
  })
  expect(await deactivate({ to, among: { ticket: [] } })).toMatchObject({ status: 422 })
  expect(await assignees()).toEqual(ids.map(() => from.id))
  expect(await deactivate({ to, among: { ticket: [adh.id, support.id] } })).toMatchObject({
    status: 200,
    message: expect.stringContaining('5 records reassigned.'),
  })
  expect(await assignees()).toEqual([adh.id, support.id, adh.id, support.id])
  const { assigned_to } = await db
    .selectFrom('tasks')
    .select('assigned_to')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  expect(assigned_to).toBe(to)
  // A ticket that moved on stays with its new assignee.
  await db.updateTable('tickets').set({ assignee_id: support.id }).where('id', '=', ids[0]!).execute()
  expect((await as('admin').post(`${path}/${from.id}/restore`)).message).toContain('4 records returned.')
  expect(await assignees()).toEqual([support.id, from.id, from.id, from.id])
})

test('a quick task can’t be left unassigned', async () => {
  const { as } = await startTestApp()
  await as('crm').post('/common/quick-task', { title: 'Call' })
  expect(
    await as('admin').post(`${path}/${as('crm').id}/deactivate`, { others: { quick_task: null } }),
  ).toMatchObject({ status: 422, errors: { 'others.quick_task': ['This work can’t be left unassigned.'] } })
})

test('a user with very many leads can be deactivated, although reassigning them takes longer than a statement may', async () => {
  const { as, db } = await startTestApp()
  const [from, to] = [as('crm'), as('digital_marketing')]
  await enterLead(db, { assign_to: from.id })
  const columns = 'company_name, lead_for, assign_to'
  await sql`insert into leads (${sql.raw(columns)})
    select ${sql.raw(columns)} from leads, generate_series(2, 2000)`.execute(db)
  // 3 ms per lead instead of more leads: 6 seconds in all, above the limit of 5 seconds.
  await sql`create function sleep() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.003); return new; end $$`.execute(db)
  await sql`create trigger sleep before update on leads for each row execute function sleep()`.execute(db)
  await expect(db.updateTable('leads').set({ version: 1 }).execute()).rejects.toThrow('statement timeout')
  expect(await as('admin').post(`${path}/${from.id}/deactivate`, { to: to.id })).toMatchObject({
    status: 200,
    message: expect.stringContaining('2000 records reassigned'),
  })
  const { count } = await db
    .selectFrom('leads')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('assign_to', '=', to.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(2000)
})

test('a reassigned designer task is a designer task in the log and for open lists, and so is a returned one', async () => {
  const { as, db, live } = await startTestApp()
  const [from, to] = [as('developer'), as('adh')]
  const ids = {
    task: await enterTask(db, { assigned_to: from.id }),
    designer_task: await enterTask(db, { assigned_to: from.id, discipline: 'designer' }),
  }
  const heard = () =>
    live
      .splice(0)
      .flatMap(({ channel, payload }) => {
        const type = /(?:^|[.-])(task|designer_task)$/.exec(channel)?.[1]
        return type ? [[type, payload.ids]] : []
      })
      .toSorted()
  const logged = async () =>
    (
      await db
        .selectFrom('audit_log')
        .select(['target_type', 'target_id'])
        .where('target_type', 'in', ['task', 'designer_task'])
        .orderBy('id')
        .execute()
    ).map(({ target_type, target_id }) => [target_type, target_id])
  live.splice(0)
  const moved = [
    ['task', ids.task],
    ['designer_task', ids.designer_task],
  ]
  const announced = [
    ['designer_task', [ids.designer_task]],
    ['task', [ids.task]],
  ]
  await as('admin').post(`${path}/${from.id}/deactivate`, { to: to.id })
  expect(await logged()).toEqual(moved)
  expect(heard()).toEqual(announced)
  expect((await as('admin').post(`${path}/${from.id}/restore`)).message).toContain('2 records returned')
  expect(await logged()).toEqual([...moved, ...moved])
  expect(heard()).toEqual(announced)
})

test("products and teams are saved with the profile; ones that are not the caller's to give are refused", async () => {
  const { as, db } = await startTestApp()
  const { id } = await as('admin').post(`${path}/create`, person('noor'))
  const body = { ...person('noor'), id }
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  expect(
    await as('admin').post('/admin/users/update-admin-user', { ...body, product_ids: [4] }),
  ).toMatchObject({ status: 403 })
  await as('super_admin').post('/admin/users/update-admin-user', { ...body, product_ids: [2, 4] })
  await as('admin').post('/admin/users/update-admin-user', { ...body, product_ids: [3] })
  const { data } = await as('super_admin').get('/admin/users/get-all-users?search=noor')
  expect(data[0].products).toEqual([3, 4])
  const own = { ...person('crm'), id: as('crm').id, user_name: 'crm' }
  expect(await as('crm').post('/admin/users/update-admin-user', { ...own, product_ids: [1] })).toMatchObject({
    status: 403,
  })
})

test.each(['00', 'all', '-1', '14', '1.5', ''])(
  'a role %j is not an admin user role, in a body or in a filter',
  async (role_id) => {
    const { as, db } = await startTestApp()
    expect(await as('super_admin').post(`${path}/create`, person('noor', { role_id }))).toMatchObject({
      status: 422,
      errors: { role_id: [expect.any(String)] },
    })
    if (role_id !== '')
      expect((await as('admin').get(`/admin/users/get-all-users?role_id=${role_id}`)).status).toBe(422)
    expect(await db.selectFrom('staff').select('id').where('user_name', '=', 'noor').execute()).toEqual([])
  },
)

test('no one promotes themselves, by any call, and an admin creates no Super Admin', async () => {
  const { as, db } = await startTestApp()
  const role = async (who: string) =>
    (await db.selectFrom('staff').select('role_id').where('id', '=', as(who).id).executeTakeFirstOrThrow())
      .role_id
  const change = (who: string, whom: string, role_id: number | string) =>
    as(who).post('/admin/users/update-admin-user', {
      ...person(whom),
      user_name: whom,
      id: as(whom).id,
      role_id,
      product_ids: undefined,
    })
  for (const role_id of [0, '0', 1])
    expect([role_id, (await change('crm', 'crm', role_id)).status]).toEqual([role_id, 403])
  for (const role_id of [0, '0'])
    expect([role_id, (await change('admin', 'admin', role_id)).status]).toEqual([role_id, 403])
  expect((await change('admin', 'crm', 0)).status).toBe(403)
  expect([await role('crm'), await role('admin')]).toEqual([2, 1])
  // Control: a Super Admin can change the role.
  expect((await change('super_admin', 'crm', 4)).status).toBe(200)
  expect(await role('crm')).toBe(4)
})

test('two Super Admins deactivate, ban, and demote each other at the same time: one of them stays', async () => {
  for (const act of ['deactivate', 'ban', 'demote'] as const) {
    const { as, db } = await startTestApp()
    const [one, other] = [as('super_admin'), as('admin')]
    await db.updateTable('staff').set({ role_id: 0 }).where('id', '=', other.id).execute()
    const strike = (who: typeof one, id: number, user_name: string) =>
      act === 'demote'
        ? who.post('/admin/users/update-admin-user', { ...person(user_name), user_name, id, role_id: 2 })
        : who.post(`${path}/${id}/${act}`, act === 'ban' ? { reason: 'x' } : {})
    const both = await Promise.all([strike(one, other.id, 'admin'), strike(other, one.id, 'super_admin')])
    expect([act, both.filter(({ status }) => status === 200).length]).toEqual([act, 1])
    const left = await db
      .selectFrom('staff')
      .select('id')
      .where('role_id', '=', 0)
      .where('banned_at', 'is', null)
      .execute()
    expect([act, left.length]).toEqual([act, 1])
  }
})

test('ten thousand and one members, and invalid ids, are refused', async () => {
  const { as } = await startTestApp()
  expect(
    (
      await as('super_admin').post(
        `${path}/create`,
        person('noor', { team_ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }),
      )
    ).status,
  ).toBe(422)
  expect(
    (await as('super_admin').post(`${path}/create`, person('noor', { product_ids: [99] }))).status,
  ).not.toBe(200)
  for (const id of ['0', 'abc', '00', '99999999999'])
    expect([id, (await as('super_admin').get(`${path}/${id}/held`)).status]).toEqual([id, 404])
})

test("an admin ends one session of a colleague, or all of them; not another user's, and none twice", async () => {
  const { as, app } = await startTestApp()
  const crm = as('crm')
  const signIn = async () =>
    client(
      app,
      (await client(app, '').post('/auth/login', { username: 'crm', password: 'demo-password' }))['token'],
    )
  const [phone, laptop] = [await signIn(), await signIn()]
  const alive = async () =>
    [crm, phone, laptop].map(async (one) => (await one.get('/auth/admin-user')).status)
  const statuses = async () => Promise.all(await alive())
  expect(await statuses()).toEqual([200, 200, 200])
  const open = async (id: number) =>
    (await as('admin').get(`${path}/${id}/sessions`))['data'] as { id: number }[]
  const ofCrm = (await open(crm.id)).map(({ id }) => id)
  expect(ofCrm.length).toBe(3)
  const end = (session_id?: number) =>
    as('admin').post(`${path}/${crm.id}/sessions/end`, session_id === undefined ? {} : { session_id })
  const [foreign] = await open(as('qa').id)
  expect(await end(foreign!.id)).toMatchObject({ status: 404 })
  const last = Math.max(...ofCrm)
  expect(await end(last)).toMatchObject({ status: 200, message: 'Session ended.' })
  expect(await statuses()).toEqual([200, 200, 401])
  expect(await end(last)).toMatchObject({ status: 404 })
  expect(await end()).toMatchObject({ status: 200, message: '2 sessions ended.' })
  expect([await statuses(), await open(crm.id), (await as('qa').get('/auth/admin-user')).status]).toEqual([
    [401, 401, 401],
    [],
    200,
  ])
})

test('with the key users can deactivate themselves, and no one else', async () => {
  const { as } = await startTestApp()
  const [qa, crm] = [as('qa'), as('crm')]
  expect(await qa.post(`${path}/${qa.id}/deactivate`)).toMatchObject({ status: 403 })
  await as('super_admin').post('/admin/roles/change-permissions', {
    role_id: 12,
    grant: ['admin_users_list'],
  })
  expect(await qa.post(`${path}/${crm.id}/deactivate`)).toMatchObject({ status: 403 })
  expect(await qa.post(`${path}/${qa.id}/deactivate`)).toMatchObject({ status: 200 })
  expect([(await qa.get('/auth/admin-user')).status, (await crm.get('/auth/admin-user')).status]).toEqual([
    401, 200,
  ])
})

test('only a Super Admin sees the sessions of a Super Admin', async () => {
  const { as } = await startTestApp()
  const path = `/admin/admin-users/${as('super_admin').id}/sessions`
  expect(await as('admin').get(path)).toMatchObject({ status: 403 })
  expect(await as('super_admin').get(path)).toMatchObject({ status: 200 })
  const link = `/admin/admin-users/${as('super_admin').id}/password-link`
  expect(await as('admin').get(link)).toMatchObject({ status: 403 })
  expect(await as('super_admin').get(link)).toMatchObject({ status: 200, data: null })
})

test('an invitation whose email was not delivered is in the list and the details, until a new one arrives', async () => {
  const server = await startMailServer()
  server.refused.add('noor@example.com')
  const started = await startTestApp({ env: { SMTP_URL: server.url } })
  const { as } = started
  const { id } = await invite(started)
  const link = async () => (await as('admin').get(`${path}/${id}/password-link`))['data']
  const noor = async () => (await as('admin').get('/admin/users/get-all-users?search=noor'))['data'][0]
  await expect.poll(async () => (await link()).state, { timeout: 30_000 }).toBe('failed')
  expect(await link()).toMatchObject({
    last_error: expect.stringContaining('No such mailbox'),
    expires_at: expect.any(String),
  })
  expect(await noor()).toMatchObject({ link_failed: true })

  const { version } = await noor()
  const fixed = { ...person('noor'), email: 'noor.visser@example.com' }
  expect(await as('admin').post('/admin/users/update-admin-user', { id, ...fixed, version })).toMatchObject({
    status: 200,
  })
  expect(await as('admin').post(`${path}/${id}/invite`)).toMatchObject({
    message: 'Invitation sent to noor.visser@example.com.',
  })
  await expect.poll(async () => (await link()).state, { timeout: 30_000 }).toBe('sent')
  expect(await noor()).toMatchObject({ link_failed: false })
  expect(JSON.stringify(await link())).not.toContain('invitation=')

  // Once the link was used, none is open, and the next one is a password link.
  const token = /invitation=([\w-]{43})/.exec(unfolded(server.received.at(-1)!.raw))![1]
  const set = await client(started.app, '').post('/auth/set-password', { token, password: 'a-good-password' })
  expect(set.status).toBe(200)
  expect(await link()).toMatchObject({ state: 'sent', expires_at: null })
})

test('two admins who edit the same profile: different fields are merged, the same field is a conflict', async () => {
  const { as } = await startTestApp()
  const [admin, other] = [as('admin'), as('super_admin')]
  await other.post(`${path}/create`, person('noor', { product_ids: [1] }))
  const find = async () => (await other.get('/admin/users/get-all-users?search=noor'))['data'][0]
  const { id, version } = await find()
  const seen = { ...person('noor'), id, product_ids: [1], team_ids: [] }
  const edit = (who: typeof admin, values: object) =>
    who.post('/admin/users/update-admin-user', { ...seen, ...values, version, base: seen })
  expect(await edit(admin, { last_name: 'Haddad' })).toMatchObject({ status: 200 })
  expect(await edit(other, { product_ids: [1, 2] })).toMatchObject({ status: 200 })
  expect(await find()).toMatchObject({ last_name: 'Haddad', products: [1, 2] })
  expect(await edit(admin, { last_name: 'Aziz' })).toMatchObject({
    status: 409,
    current: { last_name: 'Haddad' },
    clashes: [{ field: 'last_name', yours: 'Aziz', theirs: 'Haddad' }],
  })
  expect(await find()).toMatchObject({ last_name: 'Haddad' })
})

test('the list shows when admin users were last seen, and their sessions, to those who can list the sessions', async () => {
  const { as, db } = await startTestApp()
  await as('crm').get('/auth/admin-user')
  await db
    .updateTable('sessions')
    .set({ ended_at: new Date(0).toISOString() })
    .where('staff_id', '=', as('editor').id)
    .execute()
  await db.insertInto('role_permissions').values({ role_id: 12, permission: 'admin_users_list' }).execute()
  const rowsFor = async (role: 'super_admin' | 'admin' | 'qa') =>
    Object.fromEntries(
      ((await as(role).get('/admin/users/get-all-users'))['data'] as any[]).map((one) => [
        one.user_name,
        [one.session_count, one.last_seen === null ? null : 'seen'],
      ]),
    )
  expect(await rowsFor('super_admin')).toMatchObject({
    crm: [1, 'seen'],
    editor: [0, 'seen'],
    super_admin: [1, 'seen'],
  })
  expect(await rowsFor('admin')).toMatchObject({ crm: [1, 'seen'], super_admin: [null, null] })
  expect(await rowsFor('qa')).toMatchObject({ crm: [null, null], qa: [null, null] })
})
