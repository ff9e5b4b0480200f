import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsPath } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/admin/users/export-leads'

test('the export has a column per custom field of its products, last and in their order', async () => {
  const { as, db } = await startTestApp()
  const sites = await addField({ as }, { name: 'Sites', type: 'number' })
  const machine = await addField(
    { as },
    { name: 'Machine', type: 'choices', choices: ['Jensen', 'Elevator 3'] },
  )
  const gone = await addField({ as }, { name: 'Gone', type: 'text' })
  const ends = await addField({ as }, { name: 'Ends', type: 'date' })
  const inHouse = await addField({ as }, { name: 'In house', type: 'yes_no' })
  const others = await addField({ as }, { name: 'Sites', type: 'text' }, 2)
  const beds = await addField({ as }, { name: 'Beds', type: 'number' }, 2)
  await as('admin').send('DELETE', `${fieldsPath}/${gone.id}`)
  const values = (custom_values: object) => ({ custom_values: JSON.stringify(custom_values) })
  await enterLead(db, {
    company_name: 'Aalto',
    ...values({
      [sites.id]: 1200.5,
      [machine.id]: [1, 2],
      [gone.id]: 'Gone',
      [ends.id]: '2026-11-30',
      [inHouse.id]: false,
      [beds.id]: 9,
    }),
  })
  await enterLead(db, {
    company_name: 'Birch',
    lead_for: 2,
    ...values({ [others.id]: 'two', [beds.id]: 640 }),
  })
  await enterLead(db, { company_name: 'Cedar' })
  const exported = async (query: string) => {
    const { text } = await as('crm').get(
      `${path}?column=companyName&direction=asc&fromDate=all&toDate=all${query}`,
    )
    const rows = parse(text, { bom: true })
    const after = rows[0]!.indexOf('Other contacts') + 1
    return rows.map((row) => row.slice(after))
  }
  expect(await exported('')).toEqual([
    ['Sites', 'Machine', 'Ends', 'In house', 'Beds'],
    // The value of another product’s field isn’t shown.
    ['1200.5', 'Jensen, Elevator 3', '2026-11-30', 'No', ''],
    ['two', '', '', '', '640'],
    ['', '', '', '', ''],
  ])
  expect((await exported('&lead_for=1'))[0]).toEqual(['Sites', 'Machine', 'Ends', 'In house'])
})

test('the export has no fields of products that the caller doesn’t have', async () => {
  const { as, db } = await startTestApp()
  await addField({ as }, { name: 'Secret', type: 'text' }, 2)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect((await as('crm').get(path)).text).not.toContain('Secret')
  expect((await as('super_admin').get(path)).text).toContain('Secret')
})
