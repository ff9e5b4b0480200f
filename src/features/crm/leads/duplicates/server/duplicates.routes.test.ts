import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import type { DuplicateGroup } from '#features/crm/leads/duplicates/contract.ts'
import { findDuplicatePairs } from '#features/crm/leads/duplicates/server/duplicates.queries.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const groups = async ({ as }: TestApp, who: Parameters<TestApp['as']>[0] = 'crm', query = '') => {
  const { data, total } = await as(who).get(`/admin/users/duplicate-leads${query}`)
  return {
    total,
    data: (data as DuplicateGroup[]).map(({ same, leads }) => [same, leads.map((one) => one.lead_id)]),
  }
}
const mark = ({ as }: TestApp, body: object, who: Parameters<TestApp['as']>[0] = 'crm') =>
  as(who).post('/admin/users/not-duplicates', body)

test('leads are grouped by address, number, name, similar name, and domain, the strongest reasons first', async () => {
  const app = await startTestApp()
  const enter = (values: Parameters<typeof enterLead>[1]) => enterLead(app.db, values)
  const hotel = [
    await enter({ company_name: 'Hotel Nord', email: 'Anna@nord.example', phone: '+49 30 5550101' }),
    await enter({ company_name: 'Nordsee Betriebe', email: 'anna@NORD.example' }),
    await enter({ company_name: 'Anna Berg', phone: '030 5550101' }),
  ]
  const names = [
    await enter({ company_name: 'Kärcher Wäscherei GmbH & Co. KG' }),
    await enter({ company_name: 'karcher wascherei' }),
  ]
  const similar = [
    await enter({ company_name: 'Kannegiesser Textile' }),
    await enter({ company_name: 'Kannegieser Textile Ltd.' }),
  ]
  const domain = [
    await enter({ company_name: 'Spa Süd', email: 'office@sued-spa.example' }),
    await enter({ company_name: 'Wellness Bavaria', company_url: 'https://www.sued-spa.example/de' }),
  ]
  // Not the same: a public provider, a short number, another product, and the trash.
  await enter({ company_name: 'Private one', email: 'one@gmail.com', phone: '110' })
  await enter({ company_name: 'Personal two', email: 'two@gmail.com', phone: '110' })
  await enter({ company_name: 'Hotel Nord', lead_for: 2 })
  await enter({ company_name: 'Hotel Nord', deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 })
  expect(await groups(app, 'crm', '?lead_for=1')).toEqual({
    total: 4,
    data: [
      [['email', 'phone', 'domain'], hotel],
      [['companyName'], names],
      [['similarName'], similar],
      [['domain'], domain],
    ],
  })
})

test('a contact’s address and number count as those of its lead', async () => {
  const app = await startTestApp()
  const first = await enterLead(app.db, { company_name: 'Aalto', email: 'nora@aalto.example' })
  const other = await enterLead(app.db, { company_name: 'Linen Point' })
  await app
    .as('crm')
    .post('/admin/users/lead-contacts', { lead_id: other, name: 'Nora', email: 'Nora@aalto.example' })
  expect((await groups(app)).data).toEqual([
    [
      ['email', 'domain'],
      [first, other],
    ],
  ])
})

test('a lead marked as not a duplicate leaves its group and the page of the other lead, until that is undone', async () => {
  const app = await startTestApp()
  const ids: number[] = []
  for (let number = 0; number < 3; number++)
    ids.push(await enterLead(app.db, { company_name: 'Aalto Linen' }))
  const [first, second, third] = ids as [number, number, number]
  const besideFirst = async () =>
    (
      await app
        .as('crm')
        .get(`/admin/users/lead-duplicates?lead_for=1&companyName=aalto linen&except=${first}`)
    ).data.map(({ lead_id }: { lead_id: number }) => lead_id)
  expect(await mark(app, { lead_id: second, others: [first, third] })).toMatchObject({ status: 200 })
  expect((await groups(app)).data).toEqual([[['companyName'], [first, third]]])
  expect(await besideFirst()).toEqual([third])
  await mark(app, { lead_id: second, others: [first, third], is_duplicate: true })
  expect((await groups(app)).data).toEqual([[['companyName'], ids]])
  expect(await besideFirst()).toEqual([second, third])
})

test('only users who see leads see duplicates, of their products, and only those who edit leads mark them', async () => {
  const app = await startTestApp()
  const ids = [
    await enterLead(app.db, { company_name: 'Aalto' }),
    await enterLead(app.db, { company_name: 'Aalto' }),
  ]
  const [lead_id, other] = ids as [number, number]
  await app.as('super_admin').post('/admin/roles/change-permissions', {
    role_id: 8,
    grant: ['lead_list'],
  })
  expect((await app.as('editor').get('/admin/users/duplicate-leads')).status).toBe(403)
  expect((await mark(app, { lead_id, others: [other] }, 'editor')).status).toBe(403)
  expect((await mark(app, { lead_id, others: [other] }, 'development_lead')).status).toBe(403)
  expect((await mark(app, { lead_id, others: [lead_id] })).status).toBe(422)
  expect((await mark(app, { lead_id, others: [] })).status).toBe(422)
  expect((await mark(app, { lead_id, others: [999_999] })).status).toBe(404)
  expect((await groups(app)).total).toBe(1)
})

/** The names of a list of large companies, as people enter them a second time. */
const spellings: ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => `${name} GmbH`,
  (name) => name.replace(/[aeiou]/, ''),
  (name) => name.replace(/([bdglmnprst])(?=[a-z]*$)/, '$1$1'),
  (name) => name.replace(/(.)(.)$/, '$2$1'),
]

test('of 503 companies and 100 doubles with other spellings, most doubles are found, and little else', async () => {
  const app = await startTestApp()
  const file = new URL('../../import/server/fixtures/companies.csv', import.meta.url)
  const names = parse<Record<string, string>>(readFileSync(file), { columns: true }).map(
    (row) => row['Security']!,
  )
  await app.db
    .insertInto('leads')
    .values(names.map((company_name) => ({ company_name, lead_for: 1, lead_date: '2026-03-10' })))
    .execute()
  const keyOf = ({ lead_id, other_id }: { lead_id: number; other_id: number }) => `${lead_id} ${other_id}`
  const { lead_id: first } = await app.db
    .selectFrom('leads')
    .select('lead_id')
    .orderBy('lead_id')
    .executeTakeFirstOrThrow()
  // Among them are real ones: classes of shares, and companies that were split.
  const already = new Set((await findDuplicatePairs(app.db, [1])).map(keyOf))
  const planted = new Set<string>()
  for (let index = 0; index < names.length; index += 5) {
    const company_name = spellings[(index / 5) % spellings.length]!(names[index]!)
    planted.add(`${first + index} ${await enterLead(app.db, { company_name })}`)
  }
  const pairs = new Set((await findDuplicatePairs(app.db, [1])).map(keyOf))
  const found = [...pairs].filter((pair) => !already.has(pair))
  const right = found.filter((pair) => planted.has(pair)).length
  expect(already.size).toBeLessThanOrEqual(10)
  expect({ found: found.length, right, planted: planted.size }).toEqual({
    found: 87,
    right: 84,
    planted: 101,
  })
})
