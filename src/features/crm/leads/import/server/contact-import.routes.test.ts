import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { runImport } from '#features/crm/leads/import/server/run-import.ts'

const at = '/admin/users/lead-imports'

test('a second contact is imported with a new lead, and an existing lead keeps its contacts', async () => {
  const { as, db } = await startTestApp()
  const imported = async (rows: readonly string[]) => {
    const head = 'Company,Key,Contact,Email,Contact 2,Role 2,Email 2,Phone 2'
    const file = { name: 'list.csv', bytes: [head, ...rows].join('\n'), type: 'text/csv' }
    const { data } = await as('crm').post(at, undefined, { form: { lead_for: '1', file } })
    const targets = ['contact2_name', 'contact2_role', 'contact2_email', 'contact2_phone']
    expect(data.mapping.columns.slice(4)).toEqual(targets)
    await as('crm').post(`${at}/${data.id}/dry-run`, data.mapping)
    const { data: planned } = await as('crm').get(`${at}/${data.id}/rows`)
    await db.updateTable('lead_imports').set({ state: 'running' }).where('id', '=', data.id).execute()
    const today = () => '2026-03-16'
    await runImport(db, data.id, today, () => {})
    return planned.map((row: { outcome: string; reason: string }) => [row.outcome, row.reason])
  }
  const contacts = () =>
    db
      .selectFrom('lead_contacts as c')
      .innerJoin('leads as l', 'l.lead_id', 'c.lead_id')
      .select(['l.reference', 'c.name', 'c.role', 'c.email', 'c.phone'])
      .orderBy('c.id')
      .execute()
  const planned = await imported([
    'Aalto,K1,Nora,nora@aalto.example,Sam,Finance,sam@aalto.example,+1 212 555 0157',
    // The second contact is the first one, or only a role.
    'Birch,K2,Ida,ida@birch.example,,,IDA@birch.example,',
    'Cedar,K3,Ola,ola@cedar.example,,Finance,,',
    'Dune,K4,Ann,ann@dune.example,Eve,,nowhere,',
  ])
  expect(planned.map(([outcome]: [string]) => outcome)).toEqual(['create', 'create', 'create', 'error'])
  expect(planned[3][1]).toMatch(/^Email of second contact: /)
  const sam = { name: 'Sam', role: 'Finance', email: 'sam@aalto.example', phone: '+1 212 555 0157' }
  expect(await contacts()).toEqual([{ reference: 'K1', ...sam }])
  expect(await as('crm').get('/admin/users/get-demo-requests?search=sam%20aalto&fromDate=all')).toMatchObject(
    {
      total: 1,
    },
  )

  expect(await imported(['Aalto,K1,Nora,nora@aalto.example,Jude,,jude@aalto.example,'])).toEqual([
    ['duplicate', 'A lead with this external ID already exists with the same values.'],
  ])
  expect(await contacts()).toHaveLength(1)
})

test('first and last names are one name of the contact, in whatever order their columns are', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const bytes = 'Last name,Company,First name\nLindqvist,Aalto,Nora\n,Birch,Ida\n,Cedar,\n'
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await crm.post(at, undefined, { form })
  expect(data.mapping.columns).toEqual(['last_name', 'companyName', 'first_name'])
  await crm.post(`${at}/${data.id}/dry-run`, data.mapping)
  const planned = await crm.get(`${at}/${data.id}/rows`)
  expect(planned['fields']).toContainEqual({ name: 'contactName', label: 'Contact name' })
  expect(planned.data[0].values.contactName).toEqual({ value: 'Nora Lindqvist' })
  await db.updateTable('lead_imports').set({ state: 'running' }).execute()
  await runImport(
    db,
    data.id,
    () => '2026-03-16',
    () => {},
  )
  const names = await db.selectFrom('leads').select('contact_name').orderBy('company_name').execute()
  expect(names.map(({ contact_name }) => contact_name)).toEqual(['Nora Lindqvist', 'Ida', ''])

  // A whole name and its parts can’t both be the name.
  const both = { ...data.mapping, columns: ['last_name', 'companyName', 'contactName'] }
  const refused = await crm.post(at, undefined, { form })
  expect(await crm.post(`${at}/${refused.data.id}/dry-run`, both)).toMatchObject({
    status: 422,
    errors: { columns: ['Map either the contact name, or the first and the last name.'] },
  })
  const whole = { ...form, file: { ...form.file, bytes: 'Company,Contact,First name\nAalto,Nora L,Nora\n' } }
  const { data: guessed } = await crm.post(at, undefined, { form: whole })
  expect(guessed.mapping.columns).toEqual(['companyName', 'contactName', 'detail'])
})
