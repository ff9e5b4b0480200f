import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { addDays } from '#shared/dates.ts'
import type { LeadForecast } from '#features/crm/leads/forecast/contract.ts'

const today = '2026-03-16'
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!

/** Leads that are fixed, not random: all currencies, billings, outcomes, months, and assignees meet each other. */
const stored = Array.from({ length: 240 }, (_, index) => {
  const currency = pick(['EUR', null, 'USD', 'EUR', 'JPY'], index * 3 + (index >> 4))
  return {
    company_name: `Company ${index}`,
    lead_for: pick([1, 2, 3, 4], index * 7),
    status: pick([1, 2, 3, 6, 7, 8], (index * 5) >> 2),
    status_at: pick([null, '2026-03-01T00:00:00Z', '2026-02-28T23:59:00Z'], index >> 1),
    lead_date: pick(['2026-02-28', '2026-03-01', '2026-03-31'], index >> 1),
    assign_to: pick([null, 3, 4], index),
    expected_close: pick(
      [null, '2026-01-31', '2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01', '2028-02-29'],
      index * 3,
    ),
    currency,
    recurring: pick(['once', 'monthly', 'yearly'], index >> 2),
    amount: currency === null ? null : Number((((index * 7919) % 100_003) / 100).toFixed(2)),
    deleted_at: index % 13 === 0 ? '2026-03-16T09:00:00Z' : null,
    deleted_by: index % 13 === 0 ? 1 : null,
  }
})

const forecastOf = async (
  { as }: TestApp,
  who: 'crm' | 'admin' = 'admin',
  query = '',
): Promise<LeadForecast> => (await as(who).get(`/admin/users/lead-forecast?today=${today}${query}`))['data']

/** Returns the count and the sum of the first year of the leads that the list exports with these filters. */
async function exported({ as }: TestApp, filters: Record<string, string>) {
  const query = new URLSearchParams({ fromDate: 'all', toDate: 'all', ...filters })
  const { text } = await as('admin').get(`/admin/users/export-leads?${query}`)
  const rows = parse<Record<string, string>>(text, { columns: true, bom: true })
  const cents = rows.reduce(
    (sum, row) => sum + (row['Billing'] === 'Monthly' ? 12 : 1) * Math.round(Number(row['Amount']) * 100),
    0,
  )
  return { count: rows.length, sum: cents / 100 }
}

const lastDay = (month: string) => addDays(`${addDays(month, 31).slice(0, 7)}-01`, -1)

test('each number is that of the list with its filters, by currency, month, and assignee', async () => {
  const app = await startTestApp()
  await app.db.insertInto('leads').values(stored).execute()
  const { currencies, without_amount, month, won_status } = await forecastOf(app)
  expect(month).toBe('2026-03-01')
  expect(currencies.map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'JPY', 'USD'])
  let numbers = 0
  expect(won_status).toBe(7)
  for (const { currency, open, won, months, people, products } of currencies) {
    const all = { currency, outcome_filter: 'open' }
    const expectSame = async (
      { count, sum }: { count: number; sum: number },
      filters: Record<string, string>,
    ): Promise<void> => {
      expect([filters, { count, sum }]).toEqual([filters, await exported(app, filters)])
      numbers += 1
    }
    await expectSame(open, all)
    await expectSame(won, { currency, status: '7', status_from: month })
    for (const one of months)
      await expectSame(
        one,
        one.month === null
          ? { ...all, close_filter: 'none' }
          : { ...all, close_from: one.month, close_to: lastDay(one.month) },
      )
    for (const one of people)
      await expectSame(one, {
        ...all,
        ...(one.id === null ? { assigned_filter: 'unassigned' } : { crm_id: String(one.id) }),
      })
    for (const { id, open: ownOpen, won: ownWon } of products) {
      await expectSame(ownOpen, { ...all, lead_for: String(id) })
      await expectSame(ownWon, { currency, status: '7', status_from: month, lead_for: String(id) })
    }
    for (const parts of [months, people, products.map((one) => one.open)])
      expect(parts.reduce((sum, one) => sum + one.count, 0)).toBe(open.count)
  }
  expect(numbers).toBeGreaterThan(20)
  const without = await exported(app, { amount_filter: 'without', outcome_filter: 'open' })
  expect(without_amount).toBe(without.count)
})

test('a lead is weighted by the probability of its status, a monthly amount by twelve', async () => {
  const app = await startTestApp()
  const lead = { lead_for: 1, lead_date: today, amount: 100, currency: 'EUR', expected_close: '2026-04-30' }
  await app.db
    .insertInto('leads')
    .values([
      { ...lead, company_name: 'Once', status: 3 },
      { ...lead, company_name: 'Monthly', status: 3, recurring: 'monthly' },
      { ...lead, company_name: 'Won', status: 7 },
      { ...lead, company_name: 'Rejected', status: 8 },
    ])
    .execute()
  const { currencies } = await forecastOf(app)
  expect(currencies).toMatchObject([
    {
      open: { count: 2, sum: 1300, weighted: 325 },
      won: { count: 1, sum: 100 },
      months: [{ month: '2026-04-01', count: 2, sum: 1300, weighted: 325 }],
    },
  ])
})

test('others than admins see the whole forecast, but of the people only themselves; and only their products', async () => {
  const app = await startTestApp()
  await app.db.insertInto('leads').values(stored).execute()
  const [asAdmin, asCrm] = [await forecastOf(app), await forecastOf(app, 'crm')]
  expect(asAdmin.currencies.flatMap(({ people }) => people.map(({ id }) => id))).toContain(4)
  expect(
    asCrm.currencies
      .flatMap(({ people }) => people.map(({ id }) => id))
      .filter((id) => id !== app.as('crm').id),
  ).toEqual([])
  expect(asCrm.currencies.map(({ open }) => open.count)).toEqual(
    asAdmin.currencies.map(({ open }) => open.count),
  )
  const one = await forecastOf(app, 'crm', '&lead_for=2')
  expect(one.currencies[0]!.open.count).toBeLessThan(asCrm.currencies[0]!.open.count)
  await app.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', app.as('crm').id)
    .where('product_id', '<>', 2)
    .execute()
  expect((await forecastOf(app, 'crm')).currencies).toEqual(one.currencies)
  expect(await app.as('crm').get('/admin/users/lead-forecast?lead_for=1')).toMatchObject({ status: 403 })
  for (const role of ['designer', 'editor'] as const)
    expect(await app.as(role).get('/admin/users/lead-forecast')).toMatchObject({ status: 403 })
})
