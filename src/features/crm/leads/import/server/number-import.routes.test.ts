import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users/lead-imports'

/** Uploads a file for a product and previews it with the guessed mapping, or with these columns. */
async function checked(who: TestClient, bytes: string, columns?: readonly string[]) {
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await who.post(at, undefined, { form })
  const reply = await who.post(`${at}/${data.id}/dry-run`, {
    ...data.mapping,
    ...(columns ? { columns } : {}),
  })
  expect(reply.status).toBe(200)
  return reply['data']
}
const outcomes = async (who: TestClient, id: number) =>
  (await who.get(`${at}/${id}/rows`))['data'].map((row: Record<string, unknown>) => [
    row['outcome'],
    row['reason'],
    row['lead_id'],
  ])
async function ran(who: TestClient, id: number) {
  expect((await who.post(`${at}/${id}/run`)).status).toBe(200)
  await expect.poll(async () => (await who.get(`${at}/${id}`))['data'].state, { interval: 100 }).toBe('done')
  return (await who.get(`${at}/${id}`))['data']
}
const emailOf = async ({ db }: TestApp, lead_id: number) =>
  (await db.selectFrom('leads').select('email').where('lead_id', '=', lead_id).executeTakeFirstOrThrow())
    .email

test('an edited export changes the leads with its numbers, and one undo reverts them', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const aalto = await enterLead(app.db, { company_name: 'Aalto', email: 'a@aalto.example' })
  const birch = await enterLead(app.db, { company_name: 'Birch', email: 'b@birch.example' })
  const file = (await crm.get('/admin/users/export-leads')).text
  const unchanged = await checked(crm, file)
  expect(unchanged.mapping.columns).toContain('number')
  expect(unchanged.counts).toEqual({ create: 0, update: 0, duplicate: 2, error: 0 })

  const edited = await checked(
    crm,
    file.replace('a@aalto.example', 'new@aalto.example').replace('Aalto', 'Aalto Linen'),
  )
  expect(edited.counts).toEqual({ create: 0, update: 1, duplicate: 1, error: 0 })
  expect(await outcomes(crm, edited.id)).toContainEqual(['update', 'Updates Company name, Email.', aalto])
  const { operation_id } = await ran(crm, edited.id)
  expect([await emailOf(app, aalto), await emailOf(app, birch)]).toEqual([
    'new@aalto.example',
    'b@birch.example',
  ])
  const undone = await crm.post(`/admin/operations/${operation_id}/undo`)
  expect(undone.status).toBe(200)
  expect(await emailOf(app, aalto)).toBe('a@aalto.example')
})

test('rows with a number that is missing, in the trash, of another product, or repeated say so', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const own = await enterLead(app.db, { company_name: 'Own', email: 'o@own.example', reference: 'K-1' })
  const keyed = await enterLead(app.db, { company_name: 'Keyed', reference: 'K-2' })
  const trashed = await enterLead(app.db, {
    company_name: 'Trashed',
    deleted_at: '2026-03-01',
    deleted_by: 1,
  })
  const other = await enterLead(app.db, { company_name: 'Other', lead_for: 2 })
  const hidden = await enterLead(app.db, { company_name: 'Hidden', lead_for: 3 })
  await app.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', crm.id)
    .where('product_id', '=', 3)
    .execute()
  const { name } = await app.db
    .selectFrom('products')
    .select('name')
    .where('id', '=', 2)
    .executeTakeFirstOrThrow()
  const columns = ['number', 'companyName', 'reference']
  const rows = [
    [`#${own}`, 'Own Linen', ''],
    [own, 'Own again', ''],
    [999_999, 'Missing', ''],
    [trashed, 'Trashed', ''],
    [other, 'Other', ''],
    [hidden, 'Hidden', ''],
    ['12a', 'Unreadable', ''],
    [keyed, 'Keyed', 'K-1'],
    ['', 'New one', ''],
  ]
  const preview = await checked(
    crm,
    `No,Company,ID\n${rows.map((row) => row.join(',')).join('\n')}\n`,
    columns,
  )
  expect(await outcomes(crm, preview.id)).toEqual([
    ['update', 'Updates Company name.', own],
    ['duplicate', 'Line 2 of this file has the same number.', own],
    ['error', 'No lead has the number 999999.', null],
    ['error', `Lead ${trashed} is in the trash. Restore it first.`, null],
    ['error', `Lead ${other} belongs to ${name}. Import it there.`, null],
    ['error', `No lead has the number ${hidden}.`, null],
    ['error', 'Number of an existing lead: Use the number of a lead, such as 482.', null],
    ['error', 'External ID: Another lead has this external ID.', null],
    ['create', '', null],
  ])
  expect((await ran(crm, preview.id)).counts).toEqual({ create: 1, update: 1, duplicate: 1, error: 6 })
})

test('an importer without lead_edit changes no lead by its number', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const own = await enterLead(app.db, { company_name: 'Own' })
  await app.db
    .deleteFrom('role_permissions')
    .where('permission', '=', 'lead_edit')
    .where('role_id', '=', (of) => of.selectFrom('staff').select('role_id').where('id', '=', crm.id))
    .execute()
  const preview = await checked(crm, `No,Company\n${own},Own Linen\n`, ['number', 'companyName'])
  expect(await outcomes(crm, preview.id)).toEqual([
    ['error', 'A lead with this number already exists, and you don’t have permission to edit leads.', own],
  ])
})

test('a blank first or last name leaves that part of the contact’s name as it is', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const names = ['Anna Berg', 'Anna Berg', 'Anna Berg', 'Anna Maria Berg', '']
  const ids: number[] = []
  for (const contact_name of names) ids.push(await enterLead(app.db, { contact_name }))
  const parts = [',Meier', 'Ida,', ',', 'Ida,Meier', ',Meier']
  const rows = ids.map((id, index) => `${id},${parts[index]}`)
  const { id } = await checked(crm, `Number,First name,Last name\n${rows.join('\n')}`, [
    'number',
    'first_name',
    'last_name',
  ])
  await ran(crm, id)
  const stored = await app.db.selectFrom('leads').select('contact_name').orderBy('lead_id').execute()
  expect(stored.map(({ contact_name }) => contact_name)).toEqual([
    'Anna Meier',
    'Ida Berg',
    'Anna Berg',
    'Ida Meier',
    'Meier',
  ])
})
