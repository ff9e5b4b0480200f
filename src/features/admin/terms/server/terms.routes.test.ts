import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { addDays } from '#shared/dates.ts'

const store = (who: TestClient, values: object) => who.post('/admin/termsandconditions/store', values)

test('each save is a new version; the list says which is in effect and which will be', async () => {
  const { as } = await startTestApp()
  expect(
    await store(as('admin'), { value: '<p onclick="x()">One<script>alert(1)</script></p>' }),
  ).toMatchObject({
    status: 200,
    data: { id: 1, value: '<p>One</p>', effective_on: '2026-03-16', state: 'in force' },
  })
  await store(as('admin'), { value: '<p>Two</p>', effective_on: '2026-03-17' })
  expect(await store(as('admin'), { value: '<p>Three</p>', effective_on: '' })).toMatchObject({
    data: { id: 3, state: 'in force' },
  })
  expect(await as('admin').get('/admin/termsandconditions?page=1')).toMatchObject({
    data: [
      { id: 3, state: 'in force' },
      { id: 2, state: 'to come' },
      { id: 1, state: 'past' },
    ],
    total: 3,
    per_page: 20,
    in_force: { id: 3 },
    versions: expect.arrayContaining([expect.objectContaining({ id: 3 })]),
    next: { id: 2 },
  })
  expect(await as('admin').get('/admin/termsandconditions/show/1')).toMatchObject({
    data: { value: '<p>One</p>', state: 'past' },
  })
  expect(await as('admin').get('/admin/termsandconditions/show/9')).toMatchObject({ status: 404 })
})

test.each<[string, object]>([
  ['effective_on', { value: '<p>One</p>', effective_on: '2026-03-15' }],
  ['effective_on', { value: '<p>One</p>', effective_on: 'tomorrow' }],
  ['value', {}],
  ['value', { value: '<p> &nbsp; </p>' }],
  ['value', { value: '<p>One</p><img data-file-id="1">' }],
])('an invalid %s is 422 at its field: %j', async (field, values) => {
  const { as } = await startTestApp()
  const reply = await store(as('admin'), values)
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
})

test('list and show need term_condition_list, saving needs term_condition_create', async () => {
  const { as, db } = await startTestApp()
  await store(as('admin'), { value: '<p>One</p>' })
  await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  const all = async () => [
    (await as('designer').get('/admin/termsandconditions')).status,
    (await as('designer').get('/admin/termsandconditions/show/1')).status,
    (await store(as('designer'), { value: '<p>Two</p>' })).status,
  ]
  expect(await all()).toEqual([403, 403, 403])
  await db.insertInto('role_permissions').values({ role_id: 13, permission: 'term_condition_list' }).execute()
  expect(await all()).toEqual([200, 200, 403])
  await db
    .insertInto('role_permissions')
    .values({ role_id: 13, permission: 'term_condition_create' })
    .execute()
  expect(await all()).toEqual([200, 200, 200])
})

test('the database itself refuses to change or delete terms', async () => {
  const { as, db } = await startTestApp()
  await store(as('admin'), { value: '<p>One</p>' })
  await expect(db.updateTable('terms').set({ value: 'x' }).execute()).rejects.toThrow('never changed')
  await expect(db.deleteFrom('terms').execute()).rejects.toThrow('never changed')
})

test('on random days the list matches a plain walk through all saves, and no save changes an older version', async () => {
  const { as, clock } = await startTestApp()
  let state = 3
  const below = (most: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % most
  const stored: { id: number; effective_on: string; value: string }[] = []
  let today = '2026-03-16'
  for (let turn = 0; turn < 40; turn += 1) {
    if (below(3) === 0) {
      const days = below(3)
      today = addDays(today, days)
      clock.advance(days * 86_400_000)
    }
    const effective_on = addDays(today, below(4) ? below(9) : 0)
    const { data } = await store(as('admin'), { value: `<p>Text ${turn}</p>`, effective_on })
    stored.push({ id: data.id as number, effective_on, value: `<p>Text ${turn}</p>` })
    let counts: (typeof stored)[number] | undefined
    for (let day = '2026-03-16'; day <= today; day = addDays(day, 1))
      counts = stored.findLast((one) => one.effective_on === day) ?? counts
    expect((await as('admin').get('/admin/termsandconditions'))['in_force']?.id).toBe(counts?.id)
  }
  expect(stored.map(({ id }) => id)).toEqual(stored.map((_one, index) => index + 1))
  for (const { id, effective_on, value } of stored)
    expect((await as('admin').get(`/admin/termsandconditions/show/${id}`))['data']).toMatchObject({
      id,
      effective_on,
      value,
    })
})
