import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { addField } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { addDays } from '#shared/dates.ts'

/*
 * A list with groups has the leads that the lists of the groups have together, and so have the sums, the CSV, the board,
 * the follow-ups, and bulk changes. The leads are fixed, not random.
 */

const today = '2026-03-16'
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!

const stored = Array.from({ length: 90 }, (_, index) => ({
  company_name: pick(['Aalto 50%', 'Brack;water', 'Côte=Perle', 'Tamsel & Co'], index),
  email: pick(['', 'a@aalto.example', 'b@tamsel.example'], index),
  lead_for: pick([1, 2, 3, 4], index * 5),
  assign_to: pick([null, 3, 4], index * 7),
  color: pick([0, 1, 2, 3, 4], index >> 2),
  status: pick([1, 2, 3, 7, 8], index >> 3),
  reject_msg: pick([null, null, null, null, 'No'], index >> 3),
  lead_date: pick(['2026-02-28', '2026-03-01', '2026-03-16', '2026-03-31', '2026-04-01'], index),
  followup_date: pick([null, addDays(today, -3), today, addDays(today, 5)], index * 3),
  ...pick(
    [
      { amount: null, currency: null },
      { amount: 10, currency: 'EUR' },
      { amount: 20, currency: 'USD' },
    ],
    index >> 1,
  ),
  custom_values: JSON.stringify(pick([{}, { 1: 4 }, { 1: 9 }], index >> 1)),
  deleted_at: index % 11 === 0 ? '2026-03-16T09:00:00Z' : null,
  deleted_by: index % 11 === 0 ? 1 : null,
}))

/** Groups, each a filter or several, in the form that the list itself takes. */
const groups: readonly Readonly<Record<string, string | readonly string[]>>[] = [
  { status: '2' },
  { status: '3', color: '0' },
  { search: 'Brack;water' },
  { search: '50%', amount_filter: 'with' },
  { search: 'Côte=Perle', currency: 'EUR' },
  { fromDate: '2026-03-16', toDate: '2026-03-31', amount_filter: 'without' },
  { toDate: '2026-03-01' },
  { followup_filter: '1', outcome_filter: 'open' },
  { assigned_filter: 'mine' },
  { crm_id: '4', field_filter: ['email:empty', 'amount:filled'] },
  { tags_filter: ['2', '3'] },
  { status_any: ['2', '7'], assignee_any: ['0', '3'] },
  { custom_filter: ['1:in:5..'] },
  { untouched_days: '7', color: '4' },
  { event: 'reached', event_status: '7' },
]
const list = '/admin/users/get-demo-requests'
const asQuery = (group: (typeof groups)[number]) =>
  Object.entries(group)
    .flatMap(([name, value]) =>
      typeof value === 'string'
        ? `${name}=${encodeURIComponent(value)}`
        : value.map((one) => `${name}[]=${encodeURIComponent(one)}`),
    )
    .join('&')
const asGroup = (group: (typeof groups)[number]) =>
  Object.entries(group)
    .flatMap(([name, value]) =>
      [value].flat().map((one) => `${name}=${one.replaceAll('%', '%25').replaceAll(';', '%3B')}`),
    )
    .join(';')
const anyOf = (...chosen: typeof groups) =>
  chosen.map((group) => `or[]=${encodeURIComponent(asGroup(group))}`).join('&')

async function start(): Promise<TestApp> {
  const app = await startTestApp()
  await addField(app, { name: 'Sites', type: 'number' })
  const ids = await app.db.insertInto('leads').values(stored).returning('lead_id').execute()
  await app.db
    .insertInto('lead_tag_links')
    .values(
      ids.flatMap(({ lead_id }, index) =>
        pick([[], [1], [2], [1, 3]], index).map((tag_id) => ({ lead_id, tag_id })),
      ),
    )
    .execute()
  return app
}

const idsOf = (leads: readonly LeadRow[]) => leads.map(({ lead_id }) => lead_id)

/** Returns the IDs of all leads in the CSV, in order, and checks the total of the list, and its first page. */
async function findIds(client: TestClient, query: string): Promise<number[]> {
  const csv = await client.get(`/admin/users/export-leads?${query}&column=lead_id&direction=asc`)
  const ids = parse<Record<string, string>>(csv.text, { columns: true, bom: true }).map((row) =>
    Number(row['Number']),
  )
  const page = await client.get(`${list}?${query}&column=lead_id&direction=asc`)
  expect([query, page['total'], idsOf(page['data'].leads)]).toEqual([query, ids.length, ids.slice(0, 20)])
  return ids
}

const inOrder = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b)

test('the list with groups has the leads of each group, in every pair, with the other filters', async () => {
  const { as } = await start()
  let found = 0
  for (const base of ['fromDate=all', 'fromDate=all&lead_for=2&field_filter[]=email:filled']) {
    // A date of the group narrows the list as its own does: without one, all days match in both.
    const alone: number[][] = []
    for (const group of groups) {
      const query = 'toDate' in group ? base.replace('fromDate=all', '') : base
      alone.push(await findIds(as('crm'), `${query}&${asQuery(group)}`))
    }
    for (const [index, group] of groups.entries()) {
      const ids = await findIds(as('crm'), `${base}&${anyOf(group)}`)
      expect([group, ids]).toEqual([group, alone[index]])
      for (const [later, other] of groups.entries()) {
        if (later <= index) continue
        const union = inOrder([...alone[index]!, ...alone[later]!])
        const both = await findIds(as('crm'), `${base}&${anyOf(group, other)}`)
        expect([group, other, both]).toEqual([group, other, union])
        found += union.length
      }
    }
  }
  // Groups that match nothing would agree with a list that is always empty.
  expect(found).toBeGreaterThan(3000)
}, 120_000)

test('without a date in a group, the period of the list applies to it', async () => {
  const { as } = await start()
  const month = await findIds(as('crm'), 'status=2')
  expect(month.length).toBeGreaterThan(0)
  expect(await findIds(as('crm'), anyOf({ status: '2' }))).toEqual(month)
  expect(await findIds(as('crm'), anyOf({ toDate: '2026-02-28' }))).toEqual([])
})

test('what shares the filters of the list has those of its groups', async () => {
  const { as, db } = await start()
  const crm = as('crm')
  const three = groups.slice(0, 3)
  const query = `fromDate=all&${anyOf(...three)}`
  const ids = await findIds(crm, query)
  expect(await crm.get(`/admin/users/lead-board?${query}`)).toMatchObject({ total: ids.length })
  const summary = await crm.get(`/admin/users/lead-summary?${query}`)
  expect(summary).toMatchObject({ total: ids.length })
  const amounts = stored.filter(
    ({ amount, status, color, company_name, deleted_at }) =>
      amount !== null &&
      deleted_at === null &&
      (status === 2 || (status === 3 && color === 0) || company_name === 'Brack;water'),
  )
  expect(summary['data'].reduce((sum: number, { leads }: { leads: number }) => sum + leads, 0)).toBe(
    amounts.length,
  )
  const queue = await crm.get(`/admin/users/get-demo-leads?tab=overdue&${query}`)
  const overdue = await findIds(crm, `${query}&followup_filter=1`)
  const rejected = await findIds(crm, `${query}&followup_filter=1&status=8`)
  expect(queue['total']).toBe(overdue.length - rejected.length)
  expect(queue['total']).toBeGreaterThan(0)
  const change = { kind: 'followup', followup_date: '2030-01-01' }
  const selectionOf = (total: number) => ({ filters: { fromDate: 'all', or: three.map(asGroup) }, total })
  expect(await crm.post('/admin/users/change-leads', { selection: selectionOf(1), change })).toMatchObject({
    status: 409,
    current: { total: ids.length },
  })
  const bulk = await crm.post('/admin/users/change-leads', { selection: selectionOf(ids.length), change })
  expect(bulk.status).toBe(200)
  const changed = await db
    .selectFrom('leads')
    .select('lead_id')
    .where('followup_date', '=', '2030-01-01')
    .orderBy('lead_id')
    .execute()
  expect(changed.map(({ lead_id }) => lead_id)).toEqual(ids)
})

test('groups never show leads of a product that the user doesn’t have, and are refused as the list is', async () => {
  const { as, db } = await start()
  const crm = as('crm')
  await db.deleteFrom('staff_products').where('staff_id', '=', crm.id).where('product_id', '<>', 1).execute()
  const open = anyOf({ amount_filter: 'with' }, { amount_filter: 'without' })
  const own = stored.filter(({ lead_for, deleted_at }) => lead_for === 1 && deleted_at === null)
  const page = await crm.get(`${list}?fromDate=all&${open}`)
  expect(page['total']).toBe(own.length)
  expect(new Set(page['data'].leads.map(({ lead_for }: LeadRow) => lead_for))).toEqual(new Set([1]))
  expect(await crm.get(`${list}?lead_for=2&${open}`)).toMatchObject({ status: 403 })
  for (const path of [
    list,
    '/admin/users/lead-board',
    '/admin/users/lead-summary',
    '/admin/users/export-leads',
  ])
    expect([path, (await as('qa').get(`${path}?${open}`)).status]).toEqual([path, 403])
})

test('a group that isn’t one is refused at its place, and names no product', async () => {
  const { as } = await startTestApp()
  const errorOf = async (...texts: string[]) => {
    const query = texts.map((text) => `or[]=${encodeURIComponent(text)}`).join('&')
    const { status, errors } = await as('crm').get(`${list}?${query}`)
    return { status, errors }
  }
  expect(await errorOf('status=1', 'lead_for=2')).toEqual({
    status: 422,
    errors: { 'or.1': ['“lead_for” isn’t a filter of a group.'] },
  })
  expect(await errorOf('or=status%3D1')).toMatchObject({ errors: { 'or.0': [expect.any(String)] } })
  expect(await errorOf('follow_up_from=2026-02-30')).toMatchObject({
    errors: { 'or.0': [expect.stringContaining('follow_up_from: Enter a date')] },
  })
  expect(await errorOf('fromDate=all')).toMatchObject({ status: 422 })
  expect(await errorOf('followup_filter=10')).toMatchObject({
    errors: { 'or.0': ['Choose at least one filter in each group.'] },
  })
  expect(await errorOf(...Array.from({ length: 6 }, (_, index) => `status=${index}`))).toMatchObject({
    errors: { or: ['Use 5 groups or fewer.'] },
  })
  const change = { kind: 'color', color: 4 }
  const selection = { filters: { or: ['status='] }, total: 1 }
  expect(await as('crm').post('/admin/users/change-leads', { selection, change })).toMatchObject({
    status: 422,
    errors: { 'selection.filters.or.0': [expect.stringContaining('status: ')] },
  })
})

test('a view keeps long groups', async () => {
  const { as } = await startTestApp()
  const or = [
    `search=${'x'.repeat(200)};custom_filter=1:has:${'y'.repeat(290)};custom_filter=2:has:${'z'.repeat(290)}`,
    'status=2',
  ]
  const view = { list: 'leads', path: '/demo-leads', name: 'Any', address: { or } }
  expect((await as('crm').post('/admin/views', view)).status).toBe(200)
  const [saved] = (await as('crm').get('/admin/views?list=leads'))['data']
  expect(saved.address).toEqual({ or })
})
