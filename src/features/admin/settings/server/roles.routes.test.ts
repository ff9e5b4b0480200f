import { expect, test } from 'vitest'
import { defaultGrants, permissions, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

test.each(roleIds)('role %d reads and changes permissions only as role 0 or 1', async (role) => {
  const { as } = await startTestApp()
  const expected = role === 0 || role === 1 ? 200 : 403
  expect((await as(role).get('/admin/roles')).status).toBe(expected)
  expect(
    (await as(role).post('/admin/roles/change-permissions', { role_id: 9, grant: ['lead_list'] })).status,
  ).toBe(expected)
})

test('the 14 roles come with their permissions and number of users', async () => {
  const { as } = await startTestApp()
  const data = (await as('admin').get('/admin/roles'))['data'] as {
    id: number
    name: string
    people: number
    permissions: string[]
  }[]
  expect(data.map(({ id }) => id)).toEqual([...roleIds])
  for (const role of data)
    expect([...role.permissions].sort()).toEqual([...defaultGrants[role.id as 0]].sort())
  expect(data[2]).toMatchObject({ name: 'CRM', people: 1 })
})

test('a role names the people who have it, without those who are deactivated', async () => {
  const { as } = await startTestApp()
  const developers = async () => (await as('admin').get('/admin/roles'))['data'][9]
  const { id } = as('developer')
  expect(await developers()).toMatchObject({ people: 1, members: [{ id, name: 'Mei Tanaka' }] })
  expect((await as('admin').post(`/admin/admin-users/${id}/deactivate`)).status).toBe(200)
  expect(await developers()).toMatchObject({ people: 0, members: [] })
})

test('a change is stored, audited, and announced to the affected users', async () => {
  const { as, db, live } = await startTestApp()
  const reply = await as('admin').post('/admin/roles/change-permissions', {
    role_id: 12,
    grant: ['lead_list', 'task_issue'],
    revoke: ['view_task'],
  })
  expect(reply).toMatchObject({
    status: 200,
    data: { id: 12, permissions: expect.arrayContaining(['lead_list', 'task_issue']) },
  })
  expect(reply['data'].permissions).not.toContain('view_task')
  expect(await db.selectFrom('audit_log').select(['staff_id', 'target_type', 'target_id']).execute()).toEqual(
    [{ staff_id: as('admin').id, target_type: 'role', target_id: 12 }],
  )
  expect(live).toContainEqual({ channel: `private-staff.${as('qa').id}`, event: 'rights', payload: {} })
  expect(live.some(({ channel }) => channel === `private-staff.${as('crm').id}`)).toBe(false)
})

test('a permission granted and revoked in one request is revoked', async () => {
  const { as } = await startTestApp()
  const reply = await as('admin').post('/admin/roles/change-permissions', {
    role_id: 12,
    grant: ['lead_list'],
    revoke: ['lead_list'],
  })
  expect(reply['data'].permissions).not.toContain('lead_list')
})

test('Super Admin cannot lose a permission, not even in the database', async () => {
  const { as, db } = await startTestApp()
  expect(
    await as('super_admin').post('/admin/roles/change-permissions', { role_id: 0, revoke: ['lead_list'] }),
  ).toMatchObject({
    status: 409,
    message: 'You can’t remove permissions from Super Admin.',
  })
  await expect(db.deleteFrom('role_permissions').where('role_id', '=', 0).execute()).rejects.toThrow(
    'Super Admin keeps every permission.',
  )
  // Control: another role's permissions can be deleted.
  await db.deleteFrom('role_permissions').where('role_id', '=', 1).execute()
  expect((await as('super_admin').get('/admin/roles'))['data'][0].permissions).toHaveLength(
    permissions.length,
  )
})

test.each([
  [{ role_id: 14, grant: ['lead_list'] }, 'role_id'],
  [{ role_id: -1 }, 'role_id'],
  [{ grant: ['lead_list'] }, 'role_id'],
  [{ role_id: 6, grant: ['no_such'] }, 'grant.0'],
  [{ role_id: 6, grant: 'lead_list' }, 'grant'],
  [{ role_id: 6, revoke: [1] }, 'revoke.0'],
])('%j is refused at the field', async (body, field) => {
  const { as, db } = await startTestApp()
  const before = await db
    .selectFrom('role_permissions')
    .selectAll()
    .orderBy('role_id')
    .orderBy('permission')
    .execute()
  expect(await as('admin').post('/admin/roles/change-permissions', body)).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
  expect(
    await db.selectFrom('role_permissions').selectAll().orderBy('role_id').orderBy('permission').execute(),
  ).toEqual(before)
})
