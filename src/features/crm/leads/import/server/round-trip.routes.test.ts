import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { addField } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* An export that is edited and imported again. */

const at = '/admin/users/lead-imports'
type Cells = Record<string, string>

async function upload(who: TestClient, bytes: string) {
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  return (await who.post(at, undefined, { form }))['data']
}
const check = (who: TestClient, { id, mapping }: { id: number; mapping: object }, change: object = {}) =>
  who.post(`${at}/${id}/dry-run`, { ...mapping, ...change })
const rowsOf = async (who: TestClient, id: number) => (await who.get(`${at}/${id}/rows`))['data']
async function ran(who: TestClient, id: number) {
  expect((await who.post(`${at}/${id}/run`)).status).toBe(200)
  await expect.poll(async () => (await who.get(`${at}/${id}`))['data'].state, { interval: 100 }).toBe('done')
  return (await who.get(`${at}/${id}`))['data']
}
const exported = async (who: TestClient) =>
  (await who.get('/admin/users/export-leads?fromDate=all&toDate=all')).text

/** A lead with a value in each field, as it is stored with its tags. */
const leadNow = async ({ db }: TestApp, lead_id: number) => {
  const {
    version: _,
    updated_at: __,
    status_at: ___,
    ...lead
  } = await db.selectFrom('leads').selectAll().where('lead_id', '=', lead_id).executeTakeFirstOrThrow()
  const tags = await db
    .selectFrom('lead_tag_links as k')
    .innerJoin('lead_tags as t', 't.id', 'k.tag_id')
    .select('t.name')
    .where('lead_id', '=', lead_id)
    .orderBy('t.name')
    .execute()
  return { ...lead, tags: tags.map(({ name }) => name) }
}

async function enterWhole(app: TestApp) {
  const sites = (await addField(app, { name: 'Sites', type: 'number' })).id
  const machine = (await addField(app, { name: 'Machine', type: 'choice', choices: ['Jensen', 'Miele'] })).id
  const lead_id = await enterLead(app.db, {
    company_name: 'Aalto Linen',
    contact_name: 'Nora',
    contact_role: 'Buyer',
    email: 'n@aalto.example',
    phone: '+358 40 1234567',
    country: 'Finland',
    timezone: 'Europe/Helsinki',
    company_url: 'https://aalto.example',
    status: 2,
    color: 1,
    assign_to: app.as('crm').id,
    followup_date: '2026-04-01',
    lead_date: '2026-03-01',
    request_date: '2026-03-02',
    implement_date: '2026-06-01',
    amount: 1500.5,
    currency: 'EUR',
    recurring: 'once',
    expected_close: '2026-05-01',
    lead_type: 1,
    demo_status: 0,
    services: 'Consulting',
    hear_about: 'Webinar',
    cog_types: [],
    additional_info: 'Info',
    answer: 'Answer',
    join: 'Join',
    reference: 'K-1',
    details: JSON.stringify([{ label: 'Beds', value: '120' }]),
    custom_values: JSON.stringify({ [sites]: 1.125, [machine]: 1 }),
  })
  await app.db.insertInto('lead_tag_links').values({ lead_id, tag_id: 1 }).execute()
  await app.db.insertInto('lead_contacts').values({ lead_id, name: 'Sam' }).execute()
  return { lead_id, sites, machine }
}

/** Each column of the export with another value; the number stays. */
const edited: Cells = {
  Company: 'Aalto Laundry',
  Contact: 'Ida',
  'Contact role': 'Owner',
  Email: 'i@aalto.example',
  Phone: '+49 30 901820',
  Country: 'Germany',
  'Time zone': 'Europe/Berlin',
  Website: 'https://laundry.example',
  Status: 'Qualified',
  Priority: 'Medium',
  Assignee: 'SUPER_ADMIN',
  'Follow-up date': '2026-04-02',
  'Lead date': '2026-03-03',
  'Request date': '2026-03-04',
  'Implementation date': '2026-06-02',
  Amount: '2750.25',
  Currency: 'USD',
  Billing: 'Yearly',
  'Expected close': '2026-05-02',
  Type: 'Inbound',
  Demo: 'Completed',
  Service: 'Linen rental',
  Source: 'Trade show',
  Tags: 'Hospital, Brand new',
  'Types of goods': 'GOODS',
  'Additional info': 'Other info',
  Answer: 'Other answer',
  Join: 'Other join',
  Key: 'K-2',
  Sites: '2.5',
  Machine: 'Miele',
}
/** Columns of the export that an import doesn't set. */
const left = ['Product', 'Reject reason', 'Reason', 'Imported details', 'Other contacts']

test('each column of an edited export returns as a change or is named as not imported, and an undo restores all', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const { lead_id, sites, machine } = await enterWhole(app)
  const [person] = await app.db
    .selectFrom('staff')
    .select(['id', 'name'])
    .where('id', '=', app.as('super_admin').id)
    .execute()
  const [goods] = await app.db.selectFrom('lead_cog_types').select('name').limit(1).execute()
  const before = await leadNow(app, lead_id)
  const file = await exported(crm)
  const unchanged = await upload(crm, file)
  expect((await check(crm, unchanged))['data'].counts).toEqual({
    create: 0,
    update: 0,
    duplicate: 1,
    error: 0,
  })

  const [cells] = parse<Cells>(file, { columns: true, bom: true })
  const known = { ...edited, Assignee: person!.name, 'Types of goods': goods!.name }
  // A column that the export gets later must be decided on here.
  expect(
    Object.keys(cells!)
      .filter((name) => !(name in known))
      .toSorted(),
  ).toEqual(['Number', ...left].toSorted())
  const data = await upload(crm, stringify([{ ...cells, ...known }], { header: true }))
  const skipped = data.headers.filter((_: string, index: number) => data.mapping.columns[index] === 'skip')
  expect(skipped.toSorted()).toEqual(left.toSorted())
  const { data: checked } = await check(crm, data)
  expect(checked).toMatchObject({ counts: { update: 1, error: 0 }, new_tags: ['Brand new'] })
  const [row] = await rowsOf(crm, data.id)
  expect(row.values).toMatchObject({
    assign_to: { value: person!.name, before: 'Paula Ferreira' },
    color: { value: 'Medium', before: expect.any(String) },
    tag_ids: { value: expect.stringContaining('Brand new'), before: expect.any(String) },
    followup_date: { value: '2 Apr 2026', before: '1 Apr 2026' },
    amount: { value: '2,750.25', before: '1,500.50' },
    [`custom_${sites}`]: { value: '2.5', before: '1.125' },
    timezone: { value: 'Europe/Berlin', before: 'Europe/Helsinki' },
  })
  const { operation_id } = await ran(crm, data.id)
  expect(await leadNow(app, lead_id)).toMatchObject({
    company_name: 'Aalto Laundry',
    contact_name: 'Ida',
    contact_role: 'Owner',
    email: 'i@aalto.example',
    phone: '+49 30 901820',
    country: 'Germany',
    timezone: 'Europe/Berlin',
    company_url: 'https://laundry.example',
    status: 3,
    color: 2,
    assign_to: person!.id,
    followup_date: '2026-04-02',
    lead_date: '2026-03-03',
    request_date: '2026-03-04',
    implement_date: '2026-06-02',
    amount: 2750.25,
    currency: 'USD',
    recurring: 'yearly',
    expected_close: '2026-05-02',
    lead_type: 2,
    demo_status: 3,
    services: 'Linen rental',
    hear_about: 'Trade show',
    cog_types: [goods!.name],
    additional_info: 'Other info',
    answer: 'Other answer',
    join: 'Other join',
    reference: 'K-2',
    details: before.details,
    custom_values: { [sites]: 2.5, [machine]: 2 },
    tags: ['Brand new', 'Hospital'],
  })
  expect((await crm.post(`/admin/operations/${operation_id}/undo`)).status).toBe(200)
  expect(await leadNow(app, lead_id)).toEqual(before)
})

test('a file of numbers and one field changes only this field', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const { lead_id } = await enterWhole(app)
  const before = await leadNow(app, lead_id)
  const data = await upload(crm, `Lead,Priority\n${lead_id},Medium\n,Medium\n`)
  const columns = ['number', 'color']
  expect((await check(crm, data, { columns }))['data'].counts).toMatchObject({ update: 1, error: 1 })
  expect(await rowsOf(crm, data.id)).toMatchObject([
    { company: 'Aalto Linen', reason: 'Updates Priority.' },
    { reason: 'Company name: This field is required.' },
  ])
  await ran(crm, data.id)
  expect(await leadNow(app, lead_id)).toEqual({ ...before, color: 2 })
})

test('assignees are found by name or email; unknown ones are errors, or get the chosen person or none', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const { email } = await app.db
    .selectFrom('staff')
    .select('email')
    .where('id', '=', app.as('admin').id)
    .executeTakeFirstOrThrow()
  const data = await upload(
    crm,
    `Company,Owner\nAlder,paula  ferreira\nBirch,${email.toUpperCase()}\nCedar,Bob Builder\nDogwood,\nElm,unassigned\n`,
  )
  expect(data.mapping.columns).toEqual(['companyName', 'assign_to'])
  const preview = (await check(crm, data))['data']
  expect([preview.counts, preview.unknown_people]).toEqual([
    { create: 4, update: 0, duplicate: 0, error: 1 },
    ['Bob Builder'],
  ])
  const outcomes = async () =>
    (await rowsOf(crm, data.id)).map((row: { reason: string; values: object }) => [row.reason, row.values])
  expect((await outcomes())[2]![0]).toBe('Assignee: No admin user has the name or email “Bob Builder”.')
  await check(crm, data, { unknown_assignee: 'unassigned' })
  expect((await outcomes())[2]![0]).toBe('No admin user is “Bob Builder”: unassigned.')
  expect((await check(crm, data, { unknown_assignee: 999_999 })).status).toBe(422)
  await check(crm, data, { unknown_assignee: app.as('admin').id })
  expect((await outcomes())[2]![0]).toMatch(/^No admin user is “Bob Builder”: assigned to /)
  await ran(crm, data.id)
  const leads = await app.db.selectFrom('leads').select('assign_to').orderBy('lead_id').execute()
  const [paula, admin] = [crm.id, app.as('admin').id]
  expect(leads.map(({ assign_to }) => assign_to)).toEqual([paula, admin, admin, null, null])
})

test('a field is set for all rows; a value in the file comes first, and tags are added', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const sites = (await addField(app, { name: 'Sites', type: 'number' })).id
  const data = await upload(crm, 'Company,Priority,Tags\nAlder,Medium,Hospital\nBirch,,\n')
  const for_all = [
    { field: 'color', value: 'High' },
    { field: 'tag_ids', value: 'From Oslo' },
    { field: 'assign_to', value: `#${crm.id}` },
    { field: 'timezone', value: 'Europe/Oslo' },
    { field: `custom_${sites}`, value: '7' },
  ]
  for (const [field, value] of [
    ['color', 'No such'],
    ['assign_to', 'Bob'],
    ['companyName', 'Same'],
    ['timezone', 'Mars/Olympus'],
    [`custom_${sites}`, 'many'],
    ['custom_999', '1'],
  ])
    expect([field, (await check(crm, data, { for_all: [{ field, value }] })).status]).toEqual([field, 422])
  expect((await check(crm, data, { for_all }))['data']).toMatchObject({
    counts: { create: 2 },
    new_tags: ['From Oslo'],
  })
  await ran(crm, data.id)
  const ids = await app.db.selectFrom('leads').select('lead_id').orderBy('lead_id').execute()
  const leads = await Promise.all(ids.map(({ lead_id }) => leadNow(app, lead_id)))
  const shared = { assign_to: crm.id, timezone: 'Europe/Oslo', custom_values: { [sites]: 7 } }
  expect(leads).toMatchObject([
    { ...shared, color: 2, tags: ['From Oslo', 'Hospital'] },
    { ...shared, color: 3, tags: ['From Oslo'] },
  ])
})

test('an importer without the permission sets no priority and creates no tag', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const lead_id = await enterLead(app.db, { company_name: 'Aalto', color: 1 })
  const revoke = (permission: string) =>
    app.as('super_admin').post('/admin/roles/change-permissions', { role_id: 2, revoke: [permission] })
  await revoke('lead_select_pripority')
  const data = await upload(
    crm,
    `Lead,Company,Priority,Tags\n${lead_id},,Medium,\n,New,Medium,\n,Other,,Unheard of\n`,
  )
  const columns = ['number', 'companyName', 'color', 'tag_ids']
  const reasons = async () => (await rowsOf(crm, data.id)).map(({ reason }: { reason: string }) => reason)
  await check(crm, data, { columns })
  const noPriority = 'Priority: You don’t have permission to set a lead’s priority.'
  expect(await reasons()).toEqual([noPriority, noPriority, ''])
  await revoke('lead_edit')
  await check(crm, data, { columns })
  expect((await reasons())[2]).toBe(
    'Tags: The tag “Unheard of” doesn’t exist, and you don’t have permission to create it.',
  )
})
