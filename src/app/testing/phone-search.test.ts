import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

const numbers = {
  A: '+49 (0)30 901-820',
  B: '030/901821',
  C: '0049 30 901822',
  D: '+1 (555) 010-2233',
  E: '555 010 2234',
}

const searches: readonly [search: string, finds: string][] = [
  ['+49 (0)30 901-820', 'A'],
  ['+4930901820', 'A'],
  ['0049 30 901820', 'A'],
  ['030 901820', 'A'],
  ['(0)30 901820', 'A'],
  ['+49 30 901821', 'B'],
  ['0049 (0)30/901821', 'B'],
  ['030901821', 'B'],
  ['+49-30-901822', 'C'],
  ['030 901822', 'C'],
  ['555 0102233', 'D'],
  ['001 555 010 2233', 'D'],
  ['+1 555-010-2234', 'E'],
  // Another area or country has the same digits at the end.
  ['+49 40 30901821', ''],
  ['+49 31 901821', ''],
  // Too short to be compared without a country code.
  ['+49 901821', ''],
]

test('a lead and a customer user are found by their phone number in any format', async () => {
  const { as, db } = await startTestApp()
  const organization = await enterOrganization(db)
  for (const [name, phone] of Object.entries(numbers)) {
    await enterLead(db, { company_name: `Lead ${name}`, phone })
    await enterUser(db, organization, `User${name}`, { phone })
  }
  const ask = async (path: string, search: string) =>
    (await as('super_admin').get(`${path}search=${encodeURIComponent(search)}`))['data']
  const last = (names: string[]) => names.map((name) => name.slice(-1)).join('')
  const leads = async (search: string) => {
    const { leads: rows } = await ask('/admin/users/get-demo-requests?lead_for=1&', search)
    return last(rows.map(({ companyName }: { companyName: string }) => companyName))
  }
  const users = async (search: string) =>
    last((await ask('/admin/users?', search)).map(({ first_name }: { first_name: string }) => first_name))
  for (const [search, finds] of searches)
    expect([search, await leads(search), await users(search)]).toEqual([search, finds, finds])
})

test('invisible characters are ignored in what is stored and in what is searched', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { company_name: 'Zero\u200BWidth\u00AD Inns' })
  const found = async (search: string) =>
    (await as('crm').get(`/admin/users/get-demo-requests?lead_for=1&search=${encodeURIComponent(search)}`))[
      'data'
    ].leads
  for (const search of ['zerowidth', 'zero\u200Dwidth inns', '\u202Azero'])
    expect([search, await found(search)]).toMatchObject([
      search,
      [{ companyName: 'Zero\u200BWidth\u00AD Inns' }],
    ])
  expect(await found('zerowide')).toEqual([])
})
