import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp, testNow, type TestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'

/*
 * The amounts of each lane, and those of the list's summary, equal those of the leads that the list exports with the same filters, added by status
 * and currency, monthly ones twelve times. The leads are fixed, not random.
 */

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!
const stored = Array.from({ length: 200 }, (_, index) => {
  const currency = pick(['EUR', 'USD', null, 'GBP', 'EUR', 'JPY'], index * 5)
  return {
    company_name: pick(['Aalto', 'Birch', 'Cedar'], index),
    lead_for: pick([1, 2, 3], index * 7),
    status: pick([1, 2, 3, 6, 7, 8], (index * 7) >> 3),
    color: pick([0, 1, 2], index >> 2),
    assign_to: pick([null, 3, 4], index),
    reject_reason_id: pick([null, 1, 2], index >> 3),
    lead_date: pick(['2026-02-28', '2026-03-01', '2026-03-31'], index >> 1),
    followup_date: pick([null, '2026-01-10', testNow.slice(0, 10), '2026-12-01'], index * 3),
    currency,
    recurring: pick(['once', 'monthly', 'yearly'], index * 3 + (index >> 2)),
    amount: currency === null ? null : Number((((index * 7919) % 100_003) / 100).toFixed(2)),
    deleted_at: index % 13 === 0 ? '2026-03-16T09:00:00Z' : null,
    deleted_by: index % 13 === 0 ? 1 : null,
  }
})

interface Sum {
  currency: string
  sum: number
}
interface Lane {
  name: string
  total: number
  overdue: number
  probability: number
  amounts: { currency: string; sum: number; weighted: number }[]
}
const lanesOf = async ({ as }: TestApp, query: string): Promise<Lane[]> =>
  (await as('crm').get(`/admin/users/lead-board?${query}`))['data']

type Exported = Record<string, string>

async function exported({ as }: TestApp, query: string): Promise<Exported[]> {
  const { text } = await as('crm').get(`/admin/users/export-leads?${query}`)
  return parse<Exported>(text, { columns: true, bom: true })
}

/** Counts the open leads by status whose follow-up is before today. */
const overdueOf = (rows: readonly Exported[], status: string) =>
  rows.filter(
    ({ Status, 'Follow-up date': day }) =>
      Status === status && !['Won', 'Rejected'].includes(status) && day !== '' && day! < testNow.slice(0, 10),
  ).length

/** Adds cents, which are whole numbers. */
function sumsOf(rows: readonly Exported[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows.filter(({ Amount }) => Amount !== '')) {
    const key = `${row['Status']} ${row['Currency']}`
    const payments = row['Billing'] === 'Monthly' ? 12 : 1
    sums.set(key, (sums.get(key) ?? 0) + payments * Math.round(Number(row['Amount']) * 100))
  }
  return sums
}

test('the amounts of the lanes and of the summary are those of the export with the same filters, by currency', async () => {
  const app = await startTestApp()
  await app.db.insertInto('leads').values(stored).execute()
  let sums = 0
  let found = 0
  for (const query of [
    '',
    'fromDate=all',
    'fromDate=all&lead_for=2',
    'fromDate=all&status=3',
    'fromDate=all&search=birch',
    'fromDate=all&color=1&assigned_filter=unassigned',
    'fromDate=all&reject_reason=2',
    'toDate=2026-02-28',
  ]) {
    const lanes = await lanesOf(app, query)
    const shown = lanes.flatMap(({ name, amounts }) =>
      amounts.map(({ currency, sum }) => [`${name} ${currency}`, Math.round(sum * 100)] as const),
    )
    const rows = await exported(app, query)
    const expected = sumsOf(rows)
    const { data: summary, total } = await app.as('crm').get(`/admin/users/lead-summary?${query}`)
    const byCurrency = new Map<string, number>()
    for (const [key, sum] of expected) {
      const currency = key.slice(-3)
      byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + sum)
    }
    const added = summary.map(({ currency, sum }: Sum) => [currency, Math.round(sum * 100)])
    expect([query, new Map(added)]).toEqual([query, byCurrency])
    expect([query, total]).toEqual([query, lanes.reduce((all, lane) => all + lane.total, 0)])
    expect(summary).toEqual(summary.toSorted((one: Sum, other: Sum) => other.sum - one.sum))
    expect([query, new Map(shown)]).toEqual([query, expected])
    for (const { name, overdue } of lanes)
      expect([query, name, overdue]).toEqual([query, name, overdueOf(rows, name)])
    found += lanes.reduce((all, { overdue }) => all + overdue, 0)
    for (const { amounts, probability } of lanes) {
      expect(amounts).toEqual(amounts.toSorted((one, other) => other.sum - one.sum))
      for (const { sum, weighted } of amounts)
        expect(Math.abs(weighted - (sum * probability) / 100)).toBeLessThan(0.0051)
    }
    sums += expected.size
  }
  // Filters that keep no amount would be equal to anything that shows none.
  expect(sums).toBeGreaterThan(60)
  expect(found).toBeGreaterThan(40)
})

test('a lane without amounts has none, and the probability of a status is a setting of roles 0 and 1', async () => {
  const app = await startTestApp()
  const { as, db, live } = app
  expect((await lanesOf(app, '')).map(({ probability, amounts }) => [probability, amounts])).toEqual(
    [5, 10, 25, 40, 50, 60, 100, 0].map((probability) => [probability, []]),
  )
  const lead = {
    company_name: 'Aalto',
    lead_for: 1,
    lead_date: '2026-03-10',
    amount: 999.99,
    currency: 'EUR',
  }
  await db.insertInto('leads').values(lead).execute()
  const set = (who: 'crm' | 'admin' | 'super_admin', probability: unknown, list = 'statuses', key = '1') =>
    as(who).post(`/admin/lists/${list}/change`, { key, probability })
  expect(await set('crm', 30)).toMatchObject({ status: 403 })
  for (const wrong of [-1, 101, 'x', 1.5])
    expect(await set('admin', wrong)).toMatchObject({ status: 422, errors: { probability: [/./] } })
  expect(await set('admin', 30, 'services', 'Consulting')).toMatchObject({
    status: 422,
    errors: { probability: ['Entries in this list don’t have a probability.'] },
  })
  expect((await set('super_admin', 30))['data'][0]).toMatchObject({ name: 'New', probability: 30 })
  expect((await lanesOf(app, ''))[0]).toMatchObject({
    probability: 30,
    amounts: [{ currency: 'EUR', sum: 999.99, weighted: 300 }],
  })
  expect(live).toContainEqual(expect.objectContaining({ channel: 'private-records.leads', event: 'changed' }))
  const logged = await db
    .selectFrom('audit_log')
    .select('changes')
    .where('target_type', '=', 'list-statuses')
    .execute()
  expect(JSON.stringify(logged)).toMatch(/"probability":/)
})

test('the summary is for users with the list, and of their own products', async () => {
  const { as, db } = await startTestApp()
  const path = '/admin/users/lead-summary'
  const lead = { company_name: 'Aalto', lead_date: '2026-03-10', currency: 'EUR' }
  await db
    .insertInto('leads')
    .values([
      { ...lead, lead_for: 1, amount: 10, recurring: 'monthly' },
      { ...lead, lead_for: 3, amount: 5 },
      { ...lead, lead_for: 1, amount: null, currency: null },
    ])
    .execute()
  expect((await as(undefined).get(path)).status).toBe(401)
  for (const role of roleIds)
    expect([role, (await as(role).get(path)).status]).toEqual([
      role,
      defaultGrants[role].includes('lead_list') ? 200 : 403,
    ])
  expect(await as('crm').get(path)).toMatchObject({
    total: 3,
    data: [{ currency: 'EUR', sum: 125, leads: 2 }],
  })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  expect((await as('crm').get(path))['data']).toEqual([{ currency: 'EUR', sum: 120, leads: 1 }])
  expect((await as('crm').get(`${path}?lead_for=3`)).status).toBe(403)
  expect((await as('crm').get(`${path}?fromDate=x`)).status).toBe(422)
})
