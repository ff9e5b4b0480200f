import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const notices = ({ db }: TestApp) =>
  db.selectFrom('notices').select(['kind', 'staff_id', 'record_id', 'words']).orderBy('id').execute()

test('a new assignee gets one notice for each change, however many leads it has', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const me = as('crm')
  const other = as('admin').id
  const ids = [await enterLead(db), await enterLead(db, { company_name: 'Birch' }), await enterLead(db)]
  const change = (assign_to: number | null, selected = ids) =>
    me.post(`${at}/change-leads`, { selection: { ids: selected }, change: { kind: 'assign', assign_to } })
  const [{ name } = { name: '' }] = await db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', me.id)
    .execute()

  expect((await change(other)).status).toBe(200)
  const first = { kind: 'assigned', staff_id: other, record_id: ids[0] }
  expect(await notices(app)).toEqual([{ ...first, words: `${name} assigned this lead and 2 others to you.` }])
  // The same assignee again, no assignee, and the one who assigns get none.
  await change(other)
  await change(null)
  await change(me.id)
  expect(await notices(app)).toHaveLength(1)
  await me.post(`${at}/update-demo-requests`, { lead_id: ids[1], assign_to: other })
  await me.post(`${at}/update-demo-requests`, { lead_id: ids[1], companyName: 'Birch 2' })
  const { data } = await me.post(`${at}/save-demo-requests`, {
    lead_for: 1,
    companyName: 'New',
    assign_to: other,
  })
  const words = `${name} assigned this lead to you.`
  expect((await notices(app)).slice(1)).toEqual([
    { ...first, record_id: ids[1], words },
    { ...first, record_id: data.lead_id, words },
  ])
})

test('an assignee gets no notice of leads that they can’t open', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const other = as('admin').id
  await db.deleteFrom('staff_products').where('staff_id', '=', other).where('product_id', '=', 2).execute()
  const [own, foreign] = [await enterLead(db), await enterLead(db, { lead_for: 2 })]
  const assign = (ids: number[], assign_to: number) =>
    as('crm').post(`${at}/change-leads`, { selection: { ids }, change: { kind: 'assign', assign_to } })
  await assign([foreign], other)
  await assign([own], as('designer').id)
  expect(await notices(app)).toEqual([])
  await assign([own], other)
  expect(await notices(app)).toMatchObject([{ record_id: own }])
})
