import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Rows with the company name of another lead. */

const at = '/admin/users/lead-imports'

async function upload(who: TestClient, bytes: string) {
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  return (await who.post(at, undefined, { form }))['data']
}
const check = (who: TestClient, { id, mapping }: { id: number; mapping: object }, change: object = {}) =>
  who.post(`${at}/${id}/dry-run`, { ...mapping, ...change })
const rowsOf = async (who: TestClient, id: number) =>
  (await who.get(`${at}/${id}/rows`))['data'].map((row: Record<string, unknown>) => [
    row['outcome'],
    row['reason'],
  ])

const file = `Company,Key,Email
KARCHER,,info@karcher.example
"Kärcher GmbH & Co. KG",N-1,
Aalto Oy,N-2,
Birch Linen,,a@birch.example
"Birch Linen, Inc.",,b@birch.example
Cedar,N-3,
Cedar,N-4,
`

test('a row with the company of a lead or of an earlier row is a possible duplicate, which is named and left out', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const karcher = await enterLead(db, { company_name: 'Kärcher AG' })
  await enterLead(db, { company_name: 'Aalto', reference: 'O-1' })
  await enterLead(db, { company_name: 'Birch Linen', lead_for: 2 })
  await enterLead(db, { company_name: 'Cedar', deleted_at: '2026-03-01', deleted_by: 1 })
  const data = await upload(crm, file)
  const preview = (await check(crm, data))['data']
  expect([preview.counts, preview.possible_duplicates]).toEqual([
    { create: 4, update: 0, duplicate: 3, error: 0 },
    3,
  ])
  const asKarcher = `Possible duplicate: lead ${karcher}, “Kärcher AG”, has the same company name.`
  const asLine = 'Possible duplicate: line 5 of this file has the same company name.'
  const expected = [
    ['duplicate', asKarcher],
    ['duplicate', asKarcher],
    // Different external IDs are different leads.
    ['create', ''],
    ['create', ''],
    ['duplicate', asLine],
    ['create', ''],
    ['create', ''],
  ]
  expect(await rowsOf(crm, data.id)).toEqual(expected)

  const all = (await check(crm, data, { possible_duplicates: 'import' }))['data']
  expect([all.counts, all.possible_duplicates]).toEqual([{ create: 7, update: 0, duplicate: 0, error: 0 }, 3])
  expect((await rowsOf(crm, data.id)).slice(0, 2)).toEqual([
    ['create', asKarcher],
    ['create', asKarcher],
  ])
  await check(crm, data, { possible_duplicates: 'skip' })
  await crm.post(`${at}/${data.id}/run`)
  await expect
    .poll(async () => (await crm.get(`${at}/${data.id}`))['data'].state, { interval: 100 })
    .toBe('done')
  expect(await rowsOf(crm, data.id)).toEqual(expected)
})

test('the form of a lead warns of the same company with another legal form, too', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, { company_name: 'Kärcher AG' })
  const found = async (name: string) =>
    (await as('crm').get(`/admin/users/lead-duplicates?lead_for=1&companyName=${encodeURIComponent(name)}`))[
      'data'
    ].map((one: { lead_id: number }) => one.lead_id)
  expect(await found('karcher gmbh')).toEqual([lead_id])
  expect(await found('Karchers')).toEqual([])
  expect(await found('…')).toEqual([])
})

test('a row with the email address or the phone number of a lead, of its contacts, or of an earlier row is named, too', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const aalto = await enterLead(db, { company_name: 'Aalto', email: 'Vera@aalto.example' })
  const birch = await enterLead(db, { company_name: 'Birch', phone: '+49 30 1234567' })
  await crm.post('/admin/users/lead-contacts', { lead_id: birch, name: 'Zoë', email: 'zoe@birch.example' })
  await enterLead(db, { company_name: 'Cedar', email: 'info@cedar.example', lead_for: 2 })
  const data = await upload(
    crm,
    `Company,Email,Phone,External ID,Contact 2 email
Alto Group,vera@AALTO.example,,,
Birke,,030 1234567,,
Birch Trees,zoe@birch.example,,,
Cedar Group,info@cedar.example,,,second@cedar.example
Cedrus,INFO@cedar.example,,,
Cedrela,second@cedar.example,,,
Dogwood,,+1 212 555 0142,D-1,
Dogrose,,212 555-0142,,
Dogbane,,(212) 555 0142,D-2,
`,
  )
  await check(crm, data)
  const expected = [
    ['duplicate', `Possible duplicate: lead ${aalto}, “Aalto”, has the same email address.`],
    ['duplicate', `Possible duplicate: lead ${birch}, “Birch”, has the same phone number.`],
    ['duplicate', `Possible duplicate: lead ${birch}, “Birch”, has the same email address.`],
    ['create', ''],
    ['duplicate', 'Possible duplicate: line 5 of this file has the same email address.'],
    ['duplicate', 'Possible duplicate: line 5 of this file has the same email address.'],
    ['create', ''],
    ['duplicate', 'Possible duplicate: line 8 of this file has the same phone number.'],
    ['create', ''],
  ]
  expect(await rowsOf(crm, data.id)).toEqual(expected)
  await crm.post(`${at}/${data.id}/run`)
  await expect
    .poll(async () => (await crm.get(`${at}/${data.id}`))['data'].state, { interval: 100 })
    .toBe('done')
  expect(await rowsOf(crm, data.id)).toEqual(expected)
})
