import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

const inOslo = { headers: { 'x-time-zone': 'Europe/Oslo' } }

test('an imported lead has the zone of its row, its phone number, or its country, or else the importer’s', async () => {
  const started = await startTestApp()
  const crm = started.as('crm')
  const at = '/admin/users/lead-imports'
  const bytes = `Company,Phone,Country,Time zone
Alder,+358 40 1234567,,
Birch,,Germany,
Cedar,,Germany,us/pacific
Dogwood,,,
`
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await crm.post(at, undefined, { form, ...inOslo })
  expect(data.zone).toBe('Europe/Oslo')
  await crm.post(`${at}/${data.id}/dry-run`, data.mapping, inOslo)
  const rows = (await crm.get(`${at}/${data.id}/rows`))['data']
  const expected = ['Europe/Helsinki', 'Europe/Berlin', 'US/Pacific', 'Europe/Oslo']
  expect(
    rows.map(({ values }: { values: { timezone: { value: string } } }) => values.timezone.value),
  ).toEqual(expected)
  await crm.post(`${at}/${data.id}/run`, {}, inOslo)
  await expect
    .poll(async () => {
      const leads = await started.db.selectFrom('leads').select('timezone').orderBy('lead_id').execute()
      return leads.map(({ timezone }) => timezone)
    })
    .toEqual(expected)
})
