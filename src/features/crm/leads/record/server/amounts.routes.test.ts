import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const deal = { amount: 12_000.5, currency: 'EUR', recurring: 'yearly', expected_close: '2026-04-30' }
const none = { amount: null, currency: null, recurring: 'once', expected_close: null }

test('a lead has an amount with its currency, its billing, and an expected close', async () => {
  const { as, db } = await startTestApp()
  const created = await as('crm').post(`${at}/save-demo-requests`, {
    companyName: 'Birch',
    lead_for: 1,
    ...deal,
    amount: ' 12,000.50 ',
    currency: 'eur',
  })
  expect(created).toMatchObject({ status: 200, data: deal })
  const { lead_id } = created['data']
  expect((await as('crm').get(`${at}/getdemo?id=${lead_id}`)).data).toMatchObject(deal)
  expect((await as('crm').get(`${at}/get-demo-requests`))['data'].leads).toMatchObject([deal])
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id, ...deal })).toMatchObject({
    operation: null,
  })
  expect((await as('crm').get(`${at}/getdemo?id=${await enterLead(db)}`)).data).toMatchObject(none)
  expect(await as('crm').get(`${at}/lead-options`)).toMatchObject({ last_currency: 'EUR' })
})

test('writing an amount needs lead_edit, reading it lead_detail', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, deal)
  const before = await allOfLeads(db)
  const write = { lead_id, amount: 1 }
  for (const role of roleIds.filter((one) => !defaultGrants[one].includes('lead_edit')))
    expect([role, (await as(role).post(`${at}/update-demo-requests`, write)).status]).toEqual([role, 403])
  for (const role of roleIds.filter((one) => !defaultGrants[one].includes('lead_detail')))
    expect([role, (await as(role).get(`${at}/getdemo?id=${lead_id}`)).status]).toEqual([role, 403])
  expect(await as(undefined).post(`${at}/update-demo-requests`, write)).toMatchObject({ status: 401 })
  expect(await allOfLeads(db)).toEqual(before)
})

const format = 'Enter an amount with at most two decimals, such as 12000 or 12000.50.'
const letters = 'Enter the three letters of a currency, such as EUR.'
test.each([
  [{ amount: 'much', currency: 'EUR' }, { amount: [format] }],
  [{ amount: '12.0001', currency: 'EUR' }, { amount: [format] }],
  [{ amount: '1,2,3', currency: 'EUR' }, { amount: [format] }],
  [{ amount: 0.001, currency: 'EUR' }, { amount: [format] }],
  [{ amount: true, currency: 'EUR' }, { amount: [format] }],
  [{ amount: -1, currency: 'EUR' }, { amount: ['Enter 0 or more.'] }],
  [{ amount: 1e12, currency: 'EUR' }, { amount: ['Enter 999,999,999,999.99 or less.'] }],
  [{ amount: 1, currency: 'EURO' }, { currency: [letters] }],
  [{ amount: 1, currency: 'XXX' }, { currency: [letters] }],
  [{ amount: 1 }, { currency: ['Choose the currency of the amount.'] }],
  [{ currency: 'EUR' }, { amount: ['Enter the amount, or remove the currency.'] }],
  [{ recurring: 'weekly' }, { recurring: ['Choose once, monthly, or yearly.'] }],
  [
    { expected_close: '2026-02-30' },
    { expected_close: ['Enter a date (YYYY-MM-DD) between 1900 and 2199.'] },
  ],
])('%j is refused with %j, in a new lead and in a change', async (values, errors) => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const before = await allOfLeads(db)
  const create = { companyName: 'Birch', lead_for: 1, ...values }
  expect(await as('crm').post(`${at}/save-demo-requests`, create)).toMatchObject({ status: 422, errors })
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id, ...values })).toMatchObject({
    status: 422,
    errors,
  })
  expect(await allOfLeads(db)).toEqual(before)
})

test('the database refuses an amount without a currency, a currency without an amount, and a negative amount', async () => {
  const { db } = await startTestApp()
  for (const values of [{ amount: 1 }, { currency: 'EUR' }, { amount: -1, currency: 'EUR' }])
    await expect(enterLead(db, values)).rejects.toThrow(/check constraint/)
  await enterLead(db, { amount: 0, currency: 'EUR' })
})

test('a lead whose amount is cleared has no currency; undo and redo change both', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, deal)
  const save = (values: object) => as('crm').post(`${at}/update-demo-requests`, { lead_id, ...values })
  expect(await save({ currency: '' })).toMatchObject({
    status: 422,
    errors: { currency: ['Choose the currency of the amount.'] },
  })
  const cleared = await save({ amount: '' })
  expect(cleared).toMatchObject({ status: 200, data: { ...deal, amount: null, currency: null } })
  const turn = (way: 'undo' | 'redo') =>
    as('crm').post(`/admin/operations/${cleared['operation'].id}/${way}`, {})
  const now = async () => (await as('crm').get(`${at}/getdemo?id=${lead_id}`))['data']
  expect(await turn('undo')).toMatchObject({ status: 200 })
  expect(await now()).toMatchObject(deal)
  expect(await turn('redo')).toMatchObject({ status: 200 })
  expect(await now()).toMatchObject({ amount: null, currency: null })
  const { data } = await as('crm').get(`/admin/records/lead/${lead_id}/history`)
  expect(JSON.stringify(data[0])).toContain('amount')
})

test('two changes of an amount are a conflict, changes of amount and close are not', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, deal)
  const save = (who: 'crm' | 'admin', values: object, base: object) =>
    as(who).post(`${at}/update-demo-requests`, { lead_id, version: 1, ...values, base })
  await save('crm', { amount: 13_000 }, { amount: 12_000.5 })
  expect(await save('admin', { amount: 14_000 }, { amount: 12_000.5 })).toMatchObject({
    status: 409,
    clashes: [{ field: 'amount', yours: 14_000, theirs: 13_000 }],
  })
  expect(
    await save('admin', { expected_close: '2026-05-31' }, { expected_close: '2026-04-30' }),
  ).toMatchObject({ status: 200, data: { amount: 13_000, expected_close: '2026-05-31' } })
})

test('a merge takes an amount with its currency, also if only the currency differs; its undo separates them', async () => {
  const { as, db } = await startTestApp()
  const keep = await enterLead(db, { ...deal, currency: 'USD' })
  const other = await enterLead(db, deal)
  const preview = await as('crm').get(`${at}/merge-leads?keep=${keep}&other=${other}`)
  expect(preview).toMatchObject({ differing: ['amount'], suggested: [] })
  const body = { keep, other, keep_version: 1, other_version: 1, take: ['amount'] }
  const merged = await as('crm').post(`${at}/merge-leads`, body)
  expect(merged).toMatchObject({ status: 200, data: deal })
  await as('crm').post(`/admin/operations/${merged['operation'].id}/undo`, {})
  expect((await as('crm').get(`${at}/getdemo?id=${keep}`)).data).toMatchObject({ ...deal, currency: 'USD' })
  const empty = await enterLead(db)
  expect(await as('crm').get(`${at}/merge-leads?keep=${empty}&other=${other}`)).toMatchObject({
    suggested: ['amount', 'expected_close'],
  })
})

test('the list is in the order of the expected close, leads without one last', async () => {
  const { as, db } = await startTestApp()
  for (const expected_close of ['2026-05-01', null, '2026-04-01'])
    await enterLead(db, { expected_close, company_name: expected_close ?? 'None' })
  const order = async (direction: string) =>
    (await as('crm').get(`${at}/get-demo-requests?column=expected_close&direction=${direction}`))[
      'data'
    ].leads.map(({ expected_close }: { expected_close: string | null }) => expected_close)
  expect(await order('asc')).toEqual(['2026-04-01', '2026-05-01', null])
  expect(await order('desc')).toEqual(['2026-05-01', '2026-04-01', null])
})
