import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { purgeDeleted } from '#features/crm/leads/custom-fields/server/custom-fields.routes.ts'
import { addField, fieldsPath } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const listPath = '/admin/users/get-demo-requests'

/** Starts with a number field and a lead of product 1 for each of these values. */
async function startWith(...values: number[]) {
  const app = await startTestApp()
  const { id } = await addField(app, { name: 'Sites', type: 'number' })
  for (const sites of values)
    await enterLead(app.db, {
      company_name: `With ${sites}`,
      status: 2,
      custom_values: JSON.stringify({ [id]: sites }),
    })
  return { app, id }
}
const totalOf = async ({ as }: TestApp, filter: string): Promise<number> =>
  (await as('crm').get(`${listPath}?custom_filter=${filter}`))['total']

test('what shares the filters of the list has those by custom fields', async () => {
  const { app, id } = await startWith(4, 5, 6)
  const filter = `custom_filter[]=${id}:in:5..`
  const crm = app.as('crm')
  const board = await crm.get(`/admin/users/lead-board?${filter}`)
  expect(board['total']).toBe(2)
  const csv = await crm.get(`/admin/users/export-leads?${filter}&column=companyName&direction=asc`)
  expect(csv.text.match(/With \d/g)).toEqual(['With 5', 'With 6'])
  const bulk = await crm.post('/admin/users/change-leads', {
    selection: { filters: { custom_filter: [`${id}:in:5..`] }, total: 2 },
    change: { kind: 'status', status: 3 },
  })
  expect(bulk.status).toBe(200)
  const changed = await app.db.selectFrom('leads').select('company_name').where('status', '=', 3).execute()
  expect(changed.map(({ company_name }) => company_name).toSorted()).toEqual(['With 5', 'With 6'])
})

test('a view with a filter by a custom field is saved, and opens after the field was deleted', async () => {
  const { app, id } = await startWith(4, 5)
  const address = { custom_filter: [`${id}:in:5..`, `${id}:has:${'x'.repeat(200)}`] }
  const view = { list: 'leads', path: '/demo-leads', name: 'Large', address }
  expect((await app.as('crm').post('/admin/views', view)).status).toBe(200)
  await app.as('super_admin').send('DELETE', `${fieldsPath}/${id}`)
  const [saved] = (await app.as('crm').get('/admin/views?list=leads'))['data']
  expect(saved.address).toEqual(address)
  expect(await totalOf(app, `${id}:in:5..`)).toBe(1)
})

test('a filter by a deleted field finds leads while its values are kept, and none afterward', async () => {
  const { app, id } = await startWith(4, 5)
  await app.as('super_admin').send('DELETE', `${fieldsPath}/${id}`)
  await purgeDeleted(app.app)
  expect(await totalOf(app, `${id}:in:5..`)).toBe(1)
  await app.db.updateTable('custom_fields').set({ removed_at: '2026-02-10T00:00:00Z' }).execute()
  await purgeDeleted(app.app)
  expect(await totalOf(app, `${id}:in:5..`)).toBe(0)
  expect(await totalOf(app, `${id}:in:..10`)).toBe(0)
})

test('a filter that isn’t one is refused, and one by an unknown field finds nothing', async () => {
  const { app, id } = await startWith(4)
  for (const bad of [
    'sites:in:5..',
    `${id}`,
    `${id}:in:..`,
    `${id}:in:a..b`,
    `${id}:in:2026-02-30..`,
    `${id}:in:1..2026-01-01`,
    `${id}:is:`,
    `${id}:is:x`,
    `${id}:has:`,
    `${id}:empty:1`,
    `0:empty`,
    `${id}:like:x`,
    '%00',
  ]) {
    const { status, errors } = await app.as('crm').get(`${listPath}?custom_filter=${bad}`)
    expect([bad, status, Object.keys(errors)[0]]).toEqual([bad, 422, 'custom_filter.0'])
  }
  expect(await totalOf(app, `999:empty`)).toBe(0)
  expect(await totalOf(app, `999:in:..5`)).toBe(0)
  expect(await totalOf(app, `${id}:in:..5`)).toBe(1)
})

test('leads of products that a user doesn’t have aren’t found by their custom fields', async () => {
  const { app, id } = await startWith(4)
  await app.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', app.as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  expect(await totalOf(app, `${id}:in:..5`)).toBe(0)
  expect((await app.as('qa').get(`${listPath}?custom_filter=${id}:in:..5`)).status).toBe(403)
})
