import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import type { SalesCohort, SalesReport } from '#features/crm/leads/report/contract.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/admin/users/sales-report'
const period = 'from=2026-03-09&to=2026-03-11'

/** Enters leads of two people, each won within the period. */
async function enterWon({ as, db }: TestApp): Promise<{ crm: number; csm: number }> {
  const [crm, csm] = [as('crm').id, as('csm').id]
  for (const [assign_to, amount, currency, lead_for] of [
    [crm, 100, 'EUR', 1],
    [csm, 50, 'EUR', 1],
    [csm, 7, 'USD', 2],
  ] as const) {
    const id = await enterLead(db, {
      assign_to,
      amount,
      currency,
      lead_for,
      created_at: '2026-03-10T08:00:00Z',
    })
    await db
      .updateTable('leads')
      .set({ status: 7, status_at: '2026-03-11T09:00:00Z' })
      .where('lead_id', '=', id)
      .execute()
  }
  return { crm, csm }
}

test('the report is for roles that see the list of leads, in their products', async () => {
  const { as, db } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('lead_list')
    const expected = may ? 200 : role === undefined ? 401 : 403
    expect([role, (await as(role).get(path)).status]).toEqual([role, expected])
    for (const more of ['export', 'cohort'])
      expect([role, more, (await as(role).get(`${path}/${more}`)).status]).toEqual([role, more, expected])
  }
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  expect((await as('crm').get(`${path}?lead_for=1`)).status).toBe(403)
  for (const more of ['export', 'cohort'])
    expect((await as('crm').get(`${path}/${more}?lead_for=1`)).status).toBe(403)
})

test('roles 0 and 1 see the numbers of everyone, others their own; the total is the same', async () => {
  const app = await startTestApp()
  const { crm, csm } = await enterWon(app)
  const of = async (who: 'admin' | 'crm') => {
    const { won, people } = (await app.as(who).get(`${path}?${period}`))['data'] as SalesReport
    return [won.count, people.map(({ id, won: wins }) => [id, wins])]
  }
  expect(await of('admin')).toEqual([
    3,
    [
      [csm, 2],
      [crm, 1],
    ],
  ])
  expect(await of('crm')).toEqual([3, [[crm, 1]]])
  for (const address of [path, `${path}/export`, `${path}/cohort`]) {
    const statusOf = async (who: 'admin' | 'crm', assignee: string | number) =>
      (await app.as(who).get(`${address}?assignee=${assignee}`)).status
    expect(await statusOf('crm', csm)).toBe(403)
    expect(await statusOf('crm', crm)).toBe(200)
    expect(await statusOf('crm', 'me')).toBe(200)
    expect(await statusOf('admin', csm)).toBe(200)
  }
})

test('reasons with the same numbers stay in one order', async () => {
  const { as, db } = await startTestApp()
  const reasons = await db
    .insertInto('lead_reject_reasons')
    .values(Array.from({ length: 40 }, (_, index) => ({ name: `Reason ${index}`, position: index })))
    .returning('id')
    .execute()
  for (const { id } of reasons) {
    const lead = await enterLead(db, { created_at: '2026-03-10T08:00:00Z' })
    await db
      .updateTable('leads')
      .set({ status: 8, status_at: '2026-03-11T09:00:00Z', reject_reason_id: id, reject_msg: 'Away' })
      .where('lead_id', '=', lead)
      .execute()
  }
  const report = (await as('admin').get(`${path}?${period}`))['data'] as SalesReport
  expect(report.reasons.map(({ id }) => id)).toEqual(reasons.map(({ id }) => id))
})

test('amounts in different currencies are never added, and the past stays when a lead moves', async () => {
  const app = await startTestApp()
  const { crm, csm } = await enterWon(app)
  const read = async () => (await app.as('admin').get(`${path}?${period}`))['data'] as SalesReport
  const wonOf = ({ currencies }: SalesReport) => currencies.map(({ currency, won }) => [currency, won.sum])
  const before = await read()
  expect(wonOf(before)).toEqual([
    ['EUR', 150],
    ['USD', 7],
  ])
  expect(before.people.find(({ id }) => id === csm)?.amounts).toEqual([
    { currency: 'EUR', count: 1, sum: 50 },
    { currency: 'USD', count: 1, sum: 7 },
  ])
  await app.db.updateTable('leads').set({ status: 2, assign_to: crm }).execute()
  const after = await read()
  expect([wonOf(after), after.won]).toEqual([wonOf(before), before.won])
  expect(after.people.map(({ id, won }) => [id, won])).toEqual([
    [csm, 2],
    [crm, 1],
  ])
})

test('numbers are compared with those of the period of the same length before', async () => {
  const app = await startTestApp()
  await enterWon(app)
  const { data } = await app.as('crm').get(`${path}?from=2026-03-12&to=2026-03-14`)
  expect(data).toMatchObject({
    before_from: '2026-03-09',
    before_to: '2026-03-11',
    received: { count: 0, before: 3 },
    won: { count: 0, before: 3 },
  })
  expect((data as SalesReport).currencies.map(({ won }) => won)).toEqual([
    { count: 0, sum: 0, before: 150 },
    { count: 0, sum: 0, before: 7 },
  ])
})

test('the time in a status is from the change before to the change that ended it', async () => {
  const app = await startTestApp()
  await enterWon(app)
  const { statuses } = (await app.as('crm').get(`${path}?${period}`))['data'] as SalesReport
  expect(statuses.find(({ status }) => status === 1)).toMatchObject({ reached: 3, median: 25 * 3600, now: 0 })
  expect(statuses.find(({ status }) => status === 7)).toMatchObject({ reached: 3, median: null, now: 3 })
})

test.each(['from=2026-03-11&to=2026-03-10', 'from=2025-01-01&to=2026-03-10', 'assignee=x', 'page=1'])(
  '?%s is refused',
  async (query) => {
    const { as } = await startTestApp()
    expect(await as('crm').get(`${path}?${query}`)).toMatchObject({ status: 422 })
  },
)

test('with all products, each has its own numbers and amounts, also one without leads', async () => {
  const app = await startTestApp()
  await enterWon(app)
  const of = async (query: string) =>
    ((await app.as('crm').get(`${path}?${period}${query}`))['data'] as SalesReport).products.map(
      ({ id, won, amounts }) => [id, won, amounts.map(({ currency, sum }) => `${sum} ${currency}`)],
    )
  expect(await of('')).toEqual([
    [1, 2, ['150 EUR']],
    [2, 1, ['7 USD']],
    [3, 0, []],
    [4, 0, []],
  ])
  expect(await of('&lead_for=2')).toEqual([[2, 1, ['7 USD']]])
})

test('a cohort has the leads of a period, however late they got a status', async () => {
  const app = await startTestApp()
  await enterWon(app)
  const of = async (query: string) => {
    const { received, statuses } = (await app.as('crm').get(`${path}/cohort?${query}`))['data'] as SalesCohort
    return [received, statuses.find(({ status }) => status === 7)!.reached]
  }
  // Their lead date is 10 March; they were won on the 11th.
  expect(await of('from=2026-03-10&to=2026-03-10')).toEqual([3, 3])
  expect(await of('from=2026-03-11&to=2026-03-11')).toEqual([0, 0])
})
