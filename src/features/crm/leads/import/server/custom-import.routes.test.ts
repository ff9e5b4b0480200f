import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsPath } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { runImport } from '#features/crm/leads/import/server/run-import.ts'

/* Columns of a file that map to custom fields. */

const at = '/admin/users/lead-imports'

async function startWithFields() {
  const app = await startTestApp()
  const choices = ['Jensen', 'Elevator 3']
  const ids = {
    machine: (await addField(app, { name: 'Laundry machine', type: 'choice', choices })).id,
    interests: (await addField(app, { name: 'Interests', type: 'choices', choices: ['Lockers', 'Training'] }))
      .id,
    sites: (await addField(app, { name: 'Sites', type: 'number' })).id,
    ends: (await addField(app, { name: 'Contract ends', type: 'date' })).id,
    washes: (await addField(app, { name: 'Washes in house', type: 'yes_no' })).id,
    tender: (await addField(app, { name: 'Tender', type: 'link' })).id,
    beds: (await addField(app, { name: 'Beds', type: 'number' }, 2)).id,
  }
  return { app, ids }
}

const header = 'Company,Key,Laundry machine,Interests,Sites,Contract ends,Washes in house,Tender,Beds'
const upload = async ({ as }: TestApp, rows: readonly string[], first = header) => {
  const bytes = [first, ...rows].join('\n')
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  return (await as('crm').post(at, undefined, { form }))['data']
}
const check = ({ as }: TestApp, { id, mapping }: { id: number; mapping: object }, change: object = {}) =>
  as('crm').post(`${at}/${id}/dry-run`, { ...mapping, ...change })
const reasonsOf = async ({ as }: TestApp, id: number) =>
  (await as('crm').get(`${at}/${id}/rows`))['data'].map((row: { outcome: string; reason: string }) => [
    row.outcome,
    row.reason,
  ])
/** Starts an import and does the work of its job. */
async function run(app: TestApp, id: number) {
  await app.db.updateTable('lead_imports').set({ state: 'running' }).where('id', '=', id).execute()
  await runImport(
    app.db,
    id,
    () => '2026-03-16',
    () => {},
  )
}
const valuesOf = async ({ db }: TestApp) =>
  (await db.selectFrom('leads').select('custom_values').orderBy('lead_id').execute()).map(
    ({ custom_values }) => custom_values,
  )

test('columns with the name of a custom field are that field, and their values are stored by type', async () => {
  const { app, ids } = await startWithFields()
  const data = await upload(app, [
    'Aalto,K1,jensen,Training; lockers,"1,200",31/12/2026,yes,tender.example/7,5',
    'Birch,K2,,,,,,,',
  ])
  expect(data.mapping.columns.slice(2)).toEqual([
    ...[ids.machine, ids.interests, ids.sites, ids.ends, ids.washes, ids.tender].map((id) => `custom_${id}`),
    // Of another product.
    'detail',
  ])
  expect((await check(app, data))['data'].counts).toMatchObject({ create: 2, error: 0 })
  await run(app, data.id)
  expect(await valuesOf(app)).toEqual([
    {
      [ids.machine]: 1,
      [ids.interests]: [1, 2],
      [ids.sites]: 1200,
      [ids.ends]: '2026-12-31',
      [ids.washes]: true,
      [ids.tender]: 'https://tender.example/7',
    },
    {},
  ])
  const found = await app.as('crm').get(`/admin/users/get-demo-requests?custom_filter=${ids.sites}:in:1200..`)
  expect(found['total']).toBe(1)
})

test('each value that doesn’t fit its field is named in the preview', async () => {
  const { app } = await startWithFields()
  const data = await upload(app, ['Aalto,K1,Miele,Lockers,many,31/12/2026,perhaps,ftp://x,'])
  await check(app, data)
  const [[outcome, reason]] = await reasonsOf(app, data.id)
  expect(outcome).toBe('error')
  expect(reason).toContain('Laundry machine: “Miele” is none of the choices.')
  expect(reason).toContain('Sites: Enter a number')
  expect(reason).toContain('Washes in house: Enter yes or no.')
  expect(reason).toContain('Tender: Enter a URL')
  expect(reason).not.toContain('Interests')
})

test('a row with the key of a lead changes its custom values; blank cells leave theirs, and an undo restores them', async () => {
  const { app, ids } = await startWithFields()
  const first = await upload(app, ['Aalto,K1,Jensen,Lockers,4,,,,'])
  await check(app, first)
  await run(app, first.id)
  const second = await upload(app, ['Aalto,K1,Elevator 3,,4,,no,,'])
  await check(app, second)
  expect(await reasonsOf(app, second.id)).toEqual([['update', 'Updates Laundry machine, Washes in house.']])
  const { operation_id } = (await app.as('crm').post(`${at}/${second.id}/run`))['data']
  await expect
    .poll(async () => (await app.as('crm').get(`${at}/${second.id}`))['data'].state, { interval: 100 })
    .toBe('done')
  expect(await valuesOf(app)).toEqual([
    { [ids.machine]: 2, [ids.interests]: [1], [ids.sites]: 4, [ids.washes]: false },
  ])
  const third = await upload(app, ['Aalto,K1,Elevator 3,,4,,no,,'])
  await check(app, third)
  expect((await reasonsOf(app, third.id))[0][0]).toBe('duplicate')
  await app.as('crm').post(`/admin/operations/${operation_id}/undo`)
  expect(await valuesOf(app)).toEqual([{ [ids.machine]: 1, [ids.interests]: [1], [ids.sites]: 4 }])
})

test('an unchanged export changes nothing', async () => {
  const { app } = await startWithFields()
  const first = await upload(app, ['Aalto,K1,Jensen,Lockers;Training,4.5,31/12/2026,yes,tender.example/7,'])
  await check(app, first)
  await run(app, first.id)
  const csv = (await app.as('crm').get('/admin/users/export-leads?lead_for=1&fromDate=all')).text
  const [firstLine, ...rows] = csv.trim().split(/\r?\n/)
  const data = await upload(app, rows, firstLine)
  expect(data.mapping.columns.filter((target: string) => target.startsWith('custom_'))).toHaveLength(6)
  await check(app, data)
  expect((await reasonsOf(app, data.id))[0][0]).toBe('duplicate')
})

test('a mapping to a deleted field, or one of another product, is refused; its rows fail if it is deleted later', async () => {
  const { app, ids } = await startWithFields()
  const data = await upload(app, ['Aalto,K1,Jensen,,4,,,,5'])
  const columns = data.mapping.columns.with(8, `custom_${ids.beds}`)
  expect(await check(app, data, { columns })).toMatchObject({
    status: 422,
    errors: { columns: [expect.stringMatching(/^“Beds” can’t be imported/)] },
  })
  expect((await check(app, data, { columns: data.mapping.columns.with(8, 'custom_x') })).status).toBe(422)
  expect((await check(app, data)).status).toBe(200)
  await app.as('super_admin').send('DELETE', `${fieldsPath}/${ids.machine}`)
  expect(await check(app, data)).toMatchObject({
    status: 422,
    errors: { columns: [expect.stringMatching(/^“Laundry machine” can’t be imported/)] },
  })
  await run(app, data.id)
  expect(await reasonsOf(app, data.id)).toEqual([
    ['error', 'Laundry machine: This custom field was deleted.'],
  ])
  expect(await valuesOf(app)).toEqual([])
})

test('dates of a custom field ask for the order of day and month', async () => {
  const { app, ids } = await startWithFields()
  const data = await upload(app, ['Aalto,K1,,,,3/4/2026,,,'])
  expect((await check(app, data))['errors']).toMatchObject({
    date_orders: [expect.stringContaining('“Contract ends”')],
  })
  const date_orders = data.headers.map((name: string) => (name === 'Contract ends' ? 'month' : null))
  await check(app, data, { date_orders })
  await run(app, data.id)
  expect(await valuesOf(app)).toEqual([{ [ids.ends]: '2026-03-04' }])
})

test('a column proposes a custom field by all its rows', async () => {
  const app = await startTestApp()
  const machines = ['Jensen', 'Elevator', ...Array.from({ length: 8 }, () => 'jensen')]
  const rows = machines.map((machine, index) => `Company ${index},${machine},${index % 2 ? 'x' : '3/4/2026'}`)
  const { id } = await upload(app, rows, 'Company,Machine,Ends')
  const proposed = async (column: number, who = 'crm') =>
    app.as(who).get(`${at}/${id}/columns/${column}/field`)
  expect((await proposed(2))['data']).toMatchObject({
    type: 'choice',
    choice: { names: ['jensen', 'Elevator'], count: 2 },
  })
  expect((await proposed(1))['data']).toMatchObject({ type: 'text', choice: { count: 10 } })
  expect((await proposed(3))['data'].type).toBe('choice')
  expect((await proposed(4)).status).toBe(404)
  expect((await proposed(0)).status).toBe(404)
  expect((await proposed(2, 'support')).status).toBe(403)
})
