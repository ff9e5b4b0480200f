import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Rows of an import that set the status of a lead to Won. */

const at = '/admin/users/lead-imports'
const wonStatus = 7

test('the preview says how many leads the rows win without an organization', async () => {
  const { as, db } = await startTestApp()
  const organization_id = await enterOrganization(db)
  await enterLead(db, { company_name: 'With one', reference: 'K1', organization_id })
  await enterLead(db, { company_name: 'Without', reference: 'K2' })
  await enterLead(db, { company_name: 'Won before', reference: 'K3', status: wonStatus })
  await enterLead(db, { company_name: 'Same', reference: 'K4', status: wonStatus })
  const bytes = `Company,Key,Status,Country
With one,K1,Won,
Without,K2,Won,
Won before,K3,Won,Finland
Same,K4,Won,
New,K5,won,
Open,K6,New,
,K7,Won,`
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await as('crm').post(at, undefined, { form })
  expect(data.wins_without).toBe(0)
  const checked = (await as('crm').post(`${at}/${data.id}/dry-run`, data.mapping))['data']
  expect(checked).toMatchObject({ counts: { create: 2, update: 3, duplicate: 1, error: 1 }, wins_without: 2 })
  const columns = data.mapping.columns.map((target: string) => (target === 'status' ? 'skip' : target))
  const again = await as('crm').post(`${at}/${data.id}/dry-run`, { ...data.mapping, columns })
  expect(again['data'].wins_without).toBe(0)
})
