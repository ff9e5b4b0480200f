import { expect, test } from 'vitest'
import { endpoints } from '#app/server/features.ts'
import { sendSample } from '#app/testing/sample-request.testing.ts'
import { client, startTestApp } from '#app/testing/start.testing.ts'
import {
  defaultGrants,
  isAdminRole,
  mayOpen,
  permissions,
  roleIds,
  roles,
  type Permission,
} from '#shared/access.ts'
import { allows, type Access, type Input, type Viewer } from '#shared/endpoint.ts'

/* Security review page: lists every endpoint, who can call it, and which roles can call it in a new panel. */

const nothing: Input = { params: {}, query: {}, body: {} }
const viewerOf = (role: (typeof roleIds)[number]): Viewer => ({
  id: 1,
  role_id: role,
  permissions: new Set(defaultGrants[role]),
  products: [1, 2, 3, 4],
})
const inWords = (access: Access) =>
  typeof access === 'string' ? access : 'anyOf' in access ? access.anyOf.join(' | ') : `(${access.says})`

test('endpoint × access × role matches the reviewed snapshot', () => {
  const rows = endpoints
    .map(({ method, path, access }) => {
      const allowed = roleIds.filter((role) => allows(access, viewerOf(role), nothing))
      return `${method.padEnd(6)} ${path.padEnd(48)} ${inWords(access).padEnd(70)} ${allowed.length === 14 ? 'all' : allowed.join(' ')}`
    })
    .sort((a, b) => (a.slice(7) < b.slice(7) ? -1 : 1))
  expect(`\n${rows.join('\n')}\n`).toMatchSnapshot()
})

test('the default grants of each role match the reviewed snapshot', () => {
  const table = permissions.map(
    (name) =>
      `${name.padEnd(46)} ${roleIds.map((role) => (defaultGrants[role].includes(name) ? String(role).padStart(2) : ' ·')).join(' ')}`,
  )
  expect(`\n${table.join('\n')}\n`).toMatchSnapshot()
})

test('every endpoint refuses callers without a session, and without its permission', async () => {
  const { as, db } = await startTestApp()
  // A signed-in user whose role has no permissions at all.
  await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  for (const endpoint of endpoints) {
    const { method, path, access } = endpoint
    const address = path.replace(/\{[^}]+\}/g, '1')
    if (access === 'public') continue
    expect([path, (await as(undefined).send(method, address)).status]).toEqual([path, 401])
    if (access === 'signed-in') continue
    // If access depends on the input, send valid input.
    const isDecided = typeof access === 'object' && 'allows' in access
    // If access depends only on the role or the ID, this role may be allowed.
    if (
      isDecided &&
      access.permissions.length === 0 &&
      access.allows({ id: as('designer').id, role_id: 13, permissions: new Set(), products: [] }, nothing)
    )
      continue
    const reply = isDecided
      ? await sendSample(as('designer'), endpoint)
      : await as('designer').send(method, address)
    expect([path, reply.status]).toEqual([path, 403])
  }
})

test('another product is refused wherever a contract names one', async () => {
  const { as, db } = await startTestApp()
  const foreign = 4
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', foreign)
    .execute()
  let places = 0
  for (const endpoint of endpoints) {
    if (!Array.isArray(endpoint.product)) continue
    for (const place of endpoint.product as string[]) {
      const reply = await sendSample(as('admin'), endpoint, { place, value: foreign })
      expect([endpoint.path, place, reply.status, reply['message']]).toEqual([
        endpoint.path,
        place,
        403,
        'You don’t have access to this product.',
      ])
      // For the caller's own product, the response is not a denial: the request succeeds, or the record does
      // not exist.
      const own = await sendSample(as('admin'), endpoint, { place, value: 1 })
      expect([endpoint.path, place, own.status]).not.toEqual([endpoint.path, place, 403])
      places += 1
    }
  }
  expect(places).toBeGreaterThan(10)
})

test('a revoked permission stops on the next request, a granted one works on it', async () => {
  const { as } = await startTestApp()
  expect(await as('crm').get('/admin/users/lead-options')).toMatchObject({ status: 200 })
  const change = (body: object) =>
    as('super_admin').post('/admin/roles/change-permissions', { role_id: 2, ...body })
  await change({ revoke: ['lead_list', 'lead_create', 'lead_edit'] })
  expect(await as('crm').get('/admin/users/lead-options')).toMatchObject({ status: 403 })
  await change({ grant: ['lead_list'] })
  expect(await as('crm').get('/admin/users/lead-options')).toMatchObject({ status: 200 })
})

test('the grants in the database apply, not those in the code', async () => {
  const { app, as, db } = await startTestApp()
  await db.insertInto('role_permissions').values({ role_id: 12, permission: 'admin_users_list' }).execute()
  expect(await client(app, as('qa').token).get('/admin/users/get-all-users')).toMatchObject({ status: 200 })
})

const guarded: Record<string, readonly number[]> = {
  '/dashboard': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  '/': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  '/demo-leads': [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13],
  '/demo-leads/aalto-linen/482': [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13],
  '/demo-leads-x': [0, 1, 3, 4, 7, 8, 9, 10, 11, 13],
  '/on-boarding': [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 13],
  '/common/development/task': [0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13],
  '/common/designer/task': [0, 1, 3, 4, 7, 8, 9, 10, 11, 13],
  '/development-tasks/schedular': [0, 1, 3, 4, 7, 8, 9, 10, 11, 12, 13],
  '/users': [0, 1, 3, 4, 7, 8, 9, 10, 11, 13],
}
test.each(Object.entries(guarded))(
  'the guard opens %s to exactly the roles of the specification',
  (path, allowed) => {
    expect(roleIds.filter((role) => mayOpen(role, path))).toEqual(allowed)
  },
)

test('roles 0 and 1 have every permission, and only they manage roles', () => {
  expect(defaultGrants[0]).toEqual(permissions)
  expect(defaultGrants[1]).toEqual(permissions)
  expect(roleIds.filter(isAdminRole)).toEqual([0, 1])
  expect(new Set<Permission>(permissions).size).toBe(89)
  expect(Object.values(roles).map(({ name }) => name)).toEqual([
    'Super Admin',
    'Admin',
    'CRM',
    'Editor',
    'Support',
    'Data Entry',
    'Digital Marketing',
    'ADH',
    'Development Lead',
    'Developer',
    'CSM',
    'ADH Helper',
    'QA',
    'Designer',
  ])
})
