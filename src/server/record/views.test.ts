import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'

test('a shared view is shown to users who can open its list, because it has search words', async () => {
  const { as } = await startTestApp()
  const address = { search: 'Aalto Linen' }
  for (const list of ['leads', 'a list that does not exist'])
    expect(
      await as('crm').post('/admin/views', {
        list,
        path: '/demo-leads',
        name: 'Aalto',
        shared: true,
        address,
      }),
    ).toMatchObject({ status: 200 })
  const listsOf = async (who: string | 6) =>
    (await as(who).get('/admin/views'))['data'].map(({ list }: { list: string }) => list)
  expect(await listsOf('crm')).toEqual(['leads', 'a list that does not exist'])
  expect(await listsOf(6)).toEqual(['leads'])
  expect(await listsOf('editor')).toEqual([])
})

test("a shared view of a record type's list is shown to the roles that can read its records", async () => {
  const { as } = await startTestApp()
  const needs = { contracts: 'contract_list', event: 'event' } as const
  for (const list of Object.keys(needs))
    await as('admin').post('/admin/views', { list, path: `/${list}`, name: list, shared: true, address: {} })
  for (const role of roleIds) {
    const { data } = await as(role).get('/admin/views')
    const allowed = Object.entries(needs).filter(([, key]) => defaultGrants[role].includes(key))
    expect([role, data.map(({ list }: { list: string }) => list)]).toEqual([
      role,
      allowed.map(([list]) => list),
    ])
  }
})

test('a user saves up to 50 views per list, and their shared views never hide those of others', async () => {
  const { as, db } = await startTestApp()
  const save = (name: string) =>
    as('editor').post('/admin/views', {
      list: 'contracts',
      path: '/contracts',
      name,
      shared: true,
      address: {},
    })
  const viewsOf = async () =>
    (await as('admin').get('/admin/views?list=contracts'))['data'] as { name: string }[]
  const view = { list: 'contracts', path: '/contracts', shared: true, address: '{}' }
  const staff_id = as('editor').id
  await db
    .insertInto('saved_views')
    .values(Array.from({ length: 49 }, (_, at) => ({ ...view, staff_id, name: `A ${at}` })))
    .execute()
  expect(await save('A 49')).toMatchObject({ status: 200 })
  expect(await save('A 50')).toMatchObject({ status: 422, errors: { name: [expect.stringContaining('50')] } })
  expect(await save('A 49')).toMatchObject({ status: 200 })
  await db
    .insertInto('saved_views')
    .values(Array.from({ length: 451 }, (_, at) => ({ ...view, staff_id, name: `Earlier ${at}` })))
    .execute()
  await as('admin').post('/admin/views', { list: 'contracts', path: '/contracts', name: 'Z', address: {} })
  expect((await viewsOf()).at(-1)).toMatchObject({ name: 'Z' })
})
