import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/admin/users/lead-filter-values'

test('the values of lead filters are those of the leads in the caller’s products', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const enter = (lead_for: number, country: string, timezone: string, others: object = {}) =>
    enterLead(db, { lead_for, country, timezone, created_by: null, ...others })
  await enter(1, 'norway', 'Europe/Oslo', { created_by: as('admin').id })
  await enter(2, 'Norway', 'Asia/Tokyo', { created_by: crm.id })
  await enter(1, 'Åland', 'UTC')
  await enter(1, '', 'UTC')
  await enter(1, 'Chile', 'America/Santiago', { deleted_at: '2026-03-01T00:00:00Z', deleted_by: 1 })
  await db.deleteFrom('staff_products').where('staff_id', '=', crm.id).where('product_id', '<>', 1).execute()
  expect(await crm.get(path)).toMatchObject({
    status: 200,
    countries: ['Åland', 'norway'],
    timezones: ['Europe/Oslo', 'UTC'],
  })
  expect(await as('admin').get(path)).toMatchObject({ countries: ['Åland', 'Norway'] })
  const creators = async (who: 'crm' | 'admin') =>
    (await as(who).get('/admin/users/lead-options'))['creators'].map(({ id }: { id: number }) => id)
  expect(await creators('crm')).toEqual([as('admin').id])
  expect(await creators('admin')).toEqual(expect.arrayContaining([as('admin').id, crm.id]))
})

test('the values of lead filters need the permission for the list', async () => {
  const { as } = await startTestApp()
  expect(await as('qa').get(path)).toMatchObject({ status: 403 })
  expect(await as('crm').get(path)).toMatchObject({ status: 200, countries: [], timezones: [] })
})

test('leads are filtered by the day of the reader on which they were created', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { created_at: '2026-03-10T04:30:00Z' })
  const found = async (day: string, zone: string) =>
    (
      await as('crm').get(
        `/admin/users/get-demo-requests?fromDate=all&created_from=${day}&created_to=${day}`,
        { headers: { 'x-time-zone': zone } },
      )
    )['total']
  expect(await found('2026-03-10', 'UTC')).toBe(1)
  expect(await found('2026-03-10', 'America/Chicago')).toBe(0)
  expect(await found('2026-03-09', 'America/Chicago')).toBe(1)
})
