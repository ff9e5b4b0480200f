import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

test('holidays are visible to all and edited by roles 0 and 1', async () => {
  const { as } = await startTestApp()
  expect(await as('admin').post('/admin/holidays', { day: '2026-12-25', name: 'Christmas' })).toMatchObject({
    status: 200,
  })
  await as('admin').post('/admin/holidays', { day: '2026-12-25', name: 'Christmas Day' })
  expect(await as('designer').get('/admin/holidays')).toMatchObject({
    data: [{ day: '2026-12-25', name: 'Christmas Day' }],
  })
  expect(await as('designer').post('/admin/holidays', { day: '2026-12-24', name: 'Eve' })).toMatchObject({
    status: 403,
  })
  expect(await as('admin').post('/admin/holidays', { day: '2026-06-31', name: 'Never' })).toMatchObject({
    status: 422,
  })
  expect(await as('admin').send('DELETE', '/admin/holidays/2026-12-25')).toMatchObject({ data: [] })
  expect(await as('admin').send('DELETE', '/admin/holidays/2026-12-25')).toMatchObject({ status: 404 })
})
