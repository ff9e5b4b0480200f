import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { mailInvitation } from '#features/admin/staff/server/invitations.queries.ts'
import { cast } from '#server/db/seed/cast.ts'

/** Saves a profile of the cast with some values changed; returns the reply. */
async function save({ as }: TestApp, by: string, role: number, values: object) {
  const { user_name, first_name, last_name, email } = cast[role]!
  return as(by).post('/admin/users/update-admin-user', {
    id: as(role as 2).id,
    user_name,
    first_name,
    last_name,
    email,
    role_id: role,
    ...values,
  })
}
const turn = ({ as }: TestApp, by: string, { operation }: { operation: { id: number } }, way = 'undo') =>
  as(by).post(`/admin/operations/${operation.id}/${way}`)
/** Returns an admin user of the cast as the list shows them, without their sessions, which no undo restores. */
const find = async ({ as }: TestApp, user_name: string) => {
  const {
    session_count: _count,
    last_seen: _seen,
    ...person
  } = (await as('super_admin').get('/admin/users/get-all-users'))['data'].find(
    (one: { user_name: string }) => one.user_name === user_name,
  )
  return person
}

test('a changed profile, role, products, and teams are undone and redone as one operation', async () => {
  const started = await startTestApp()
  const { db } = started
  const team = await db.selectFrom('teams').select('id').orderBy('id').executeTakeFirstOrThrow()
  const before = await find(started, 'crm')
  const done = await save(started, 'admin', 2, {
    first_name: 'Martina',
    role_id: 4,
    product_ids: [2],
    team_ids: [team.id],
  })
  expect(done).toMatchObject({ status: 200, operation: { summary: 'Edited: 1 admin user' } })
  const after = await find(started, 'crm')
  expect(after).toMatchObject({ role_id: 4, products: [2], teams: [{ id: team.id }] })
  expect(await turn(started, 'admin', done as never)).toMatchObject({ status: 200, undone: 1 })
  expect(await find(started, 'crm')).toEqual({ ...before, version: expect.any(Number) })
  expect(await turn(started, 'admin', done as never, 'redo')).toMatchObject({ status: 200, redone: 1 })
  expect(await find(started, 'crm')).toEqual({ ...after, version: expect.any(Number) })
})

test('users undo a change of their own profile, and no one else’s', async () => {
  const started = await startTestApp()
  const own = await save(started, 'crm', 2, { last_name: 'Newname' })
  const byAdmin = await save(started, 'admin', 3, { last_name: 'Newname' })
  expect((await turn(started, 'crm', byAdmin as never)).status).toBe(404)
  expect((await turn(started, 'crm', own as never)).status).toBe(200)
  expect(await find(started, 'crm')).toMatchObject({ last_name: cast[2]!.last_name })
})

test('undoing a role ends the sessions that the role began with, like setting it', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const done = await save(started, 'admin', 2, { role_id: 6 })
  await db.updateTable('sessions').set({ ended_at: null }).where('staff_id', '=', as('crm').id).execute()
  expect((await as('crm').get('/auth/admin-user')).status).toBe(200)
  expect((await turn(started, 'admin', done as never)).status).toBe(200)
  expect((await as('crm').get('/auth/admin-user')).status).toBe(401)
})

test('undoing products tells the user’s tabs, and only users with these products can do it', async () => {
  const started = await startTestApp()
  const { as, db, live } = started
  const done = await save(started, 'super_admin', 2, { product_ids: [1] })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 4)
    .execute()
  expect((await turn(started, 'admin', done as never)).status).toBe(403)
  expect(await find(started, 'crm')).toMatchObject({ products: [1] })
  const told = () =>
    live.filter(({ channel, event }) => channel === `private-staff.${as('crm').id}` && event === 'rights')
      .length
  const before = told()
  expect((await turn(started, 'super_admin', done as never)).status).toBe(200)
  expect(told()).toBe(before + 1)
})

test('undoing a role asks what setting it asks', async () => {
  const started = await startTestApp()
  const { as, db } = started
  // An admin can't undo that a Super Admin was demoted, nor change a Super Admin.
  await db.updateTable('staff').set({ role_id: 0 }).where('id', '=', as('crm').id).execute()
  const demoted = await save(started, 'super_admin', 2, {})
  expect((await turn(started, 'admin', demoted as never)).status).toBe(403)
  expect((await turn(started, 'super_admin', demoted as never)).status).toBe(200)
  const renamed = await save(started, 'super_admin', 2, { role_id: 0, last_name: 'Newname' })
  expect((await turn(started, 'admin', renamed as never)).status).toBe(403)
  // A user can't undo a change of their own role.
  await db.updateTable('staff').set({ role_id: 1 }).where('id', '=', as('crm').id).execute()
  const own = await save(started, 'super_admin', 2, { role_id: 0 })
  await db.updateTable('sessions').set({ ended_at: null }).where('staff_id', '=', as('crm').id).execute()
  expect((await turn(started, 'crm', own as never)).status).toBe(403)
  // An admin who is one no longer can't undo what they did as one.
  const mine = await save(started, 'admin', 3, { last_name: 'Newname' })
  await db.updateTable('staff').set({ role_id: 12 }).where('id', '=', as('admin').id).execute()
  expect((await turn(started, 'admin', mine as never)).status).toBe(403)
  expect((await turn(started, 'super_admin', mine as never)).status).toBe(200)
})

test('undoing an email ends open links and leaves out an email that is taken', async () => {
  const started = await startTestApp()
  const { app, as, db, clock } = started
  const link = async () => {
    const url = await db
      .transaction()
      .execute((tx) => mailInvitation(app, tx, as('crm').id, 'forgotten', clock.now()))
    return { token: new URL(url).searchParams.get('invitation') }
  }
  const done = await save(started, 'admin', 2, { email: 'new@example.com' })
  const open = await link()
  expect((await turn(started, 'admin', done as never)).status).toBe(200)
  expect((await as(undefined).post('/auth/invitation', open)).status).toBe(404)
  expect((await turn(started, 'admin', done as never, 'redo')).status).toBe(200)
  await db.updateTable('staff').set({ email: cast[2]!.email }).where('id', '=', as('qa').id).execute()
  expect(await turn(started, 'admin', done as never)).toMatchObject({
    undone: 0,
    skipped: [expect.stringContaining('Another admin user has this email now.')],
  })
})

test('passwords and pictures are neither in operations nor readable in the history', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const body = { oldPassword: 'demo-password', newPassword: 'a-new-password', id: as('crm').id }
  expect(await as('crm').post('/admin/users/reset-user-password', body)).toMatchObject({ flag: false })
  const { id } = await as('admin').post('/admin/admin-users/create', {
    user_name: 'noor',
    first_name: 'Noor',
    last_name: 'Visser',
    email: 'noor@example.com',
    role_id: 2,
    product_ids: [1],
  })
  const history = (of: number) => as('admin').get(`/admin/records/staff/${of}/history`)
  const changes = (await history(as('crm').id))['data'][0].changes
  expect(changes).toEqual([{ field: 'password', before: '•••', after: '•••' }])
  const fields = (await history(id))['data'][0].changes.map(({ field }: { field: string }) => field)
  expect(fields).toContain('email')
  expect(fields).not.toContain('password_hash')
  expect(await db.selectFrom('operations').select('id').execute()).toEqual([])
})

test('the history of admin users is for roles 0 and 1 with the list, and notes on them are too', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = as('crm')
  await save(started, 'admin', 2, { last_name: 'Newname' })
  expect(await as('admin').get(`/admin/records/staff/${id}/history`)).toMatchObject({
    status: 200,
    hidden: false,
    data: [{ operation: { way: 'undo' } }],
  })
  await as('super_admin').post('/admin/roles/change-permissions', {
    role_id: 12,
    grant: ['admin_users_list'],
  })
  expect(await as('qa').get(`/admin/records/staff/${id}/history`)).toMatchObject({ hidden: true, data: [] })
  expect((await as('qa').post(`/admin/general/notes/staff/${id}`, { note: 'x' })).status).toBe(403)
  expect((await as('crm').get(`/admin/records/staff/${id}/history`)).status).toBe(403)
})

test('admin users have no trash: they are deactivated, which asks for a new assignee', async () => {
  const started = await startTestApp()
  const { as } = started
  const ids = [as('crm').id]
  const calls = (who: string) => [
    as(who).get('/admin/records/staff/trash'),
    as(who).post('/admin/records/staff/trash', { ids }),
    as(who).post('/admin/records/staff/restore', { ids }),
  ]
  for (const answer of await Promise.all(calls('admin')))
    expect(answer).toMatchObject({
      status: 404,
      message: 'Admin users can’t be moved to the trash. Deactivate them instead.',
    })
  for (const { status } of await Promise.all(calls('crm'))) expect(status).toBe(403)
  expect((await as('crm').get('/auth/admin-user')).status).toBe(200)
})

test('a deactivated admin user is not edited', async () => {
  const started = await startTestApp()
  const { as } = started
  await as('admin').post(`/admin/admin-users/${as('qa').id}/deactivate`)
  expect(await save(started, 'admin', 12, { last_name: 'Newname' })).toMatchObject({
    status: 404,
    message: 'Admin user not found.',
  })
})
