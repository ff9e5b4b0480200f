import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users/lead-imports'
const file = `Company,External ID,Country
Aalto,K-1,Norway
Birch,K-2,Norway
Cedar,K-3,Norway
,K-4,Norway
`

const found = async (who: TestClient, id: number) =>
  (await who.get(`/admin/users/get-demo-requests?fromDate=all&import_id=${id}`)).data.leads
    .map((lead: { companyName: string }) => lead.companyName)
    .toSorted()

test('the list has exactly the leads that an import created or changed, until it is undone', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  await enterLead(app.db, { company_name: 'Aalto', reference: 'K-1', country: 'Finland' })
  await enterLead(app.db, { company_name: 'Birch', reference: 'K-2', country: 'Norway' })
  await enterLead(app.db, { company_name: 'Elsewhere', country: 'Norway' })
  const { data } = await crm.post(at, undefined, {
    form: { lead_for: '1', file: { name: 'list.csv', bytes: file, type: 'text/csv' } },
  })
  await crm.post(`${at}/${data.id}/dry-run`, data.mapping)
  expect(await found(crm, data.id)).toEqual([])
  await crm.post(`${at}/${data.id}/run`)
  await expect.poll(async () => (await crm.get(`${at}/${data.id}`)).data.state).toBe('done')

  expect(await found(crm, data.id)).toEqual(['Aalto', 'Cedar'])
  expect(await found(app.as('admin'), data.id)).toEqual(['Aalto', 'Cedar'])
  expect(await found(crm, data.id + 1)).toEqual([])

  const { operation_id } = (await crm.get(`${at}/${data.id}`)).data
  await crm.post(`/admin/operations/${operation_id}/undo`)
  expect(await found(crm, data.id)).toEqual(['Aalto'])

  // Like the import itself, which only roles 0 and 1 see if it is someone else's.
  await app.db
    .updateTable('lead_imports')
    .set({ staff_id: app.as('admin').id })
    .execute()
  expect(await found(crm, data.id)).toEqual([])
})
