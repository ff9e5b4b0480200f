import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { counts, many, queue } from '#server/mail/mail.testing.ts'

test('users who can read a record can read its emails; only the author, and roles 0 and 1, control an email', async () => {
  const started = await startTestApp()
  const { app, as } = started
  app.mail.access.registerReadCheck(
    'ticket',
    async (_db, id, viewer) => id === 7 && viewer.id !== as('editor').id,
  )
  const id = await queue(started, many(30), { record: { type: 'ticket', id: 7 }, staff_id: as('crm').id })
  const paths = [
    '/admin/mails/ticket/7',
    `/admin/mail/${id}`,
    `/admin/mail/${id}/recipients?state=waiting&page=1`,
  ]
  for (const path of paths) {
    expect([path, (await as('crm').get(path)).status]).toEqual([path, 200])
    expect([path, (await as('digital_marketing').get(path)).status]).toEqual([path, 200])
    expect([path, (await as('editor').get(path)).status]).toEqual([path, 404])
    expect([path, (await as(undefined).get(path)).status]).toEqual([path, 401])
  }
  for (const path of [
    '/admin/mails/ticket/8',
    '/admin/mails/planet/7',
    '/admin/mail/9999',
    '/admin/mail/9999/recipients',
  ])
    expect([path, (await as('admin').get(path)).status]).toEqual([path, 404])
  const before = await counts(started, id)
  for (const act of ['stop', 'resume', 'retry', 'call-off']) {
    expect([act, (await as('digital_marketing').post(`/admin/mail/${id}/${act}`)).status]).toEqual([act, 403])
    expect([act, (await as('editor').post(`/admin/mail/${id}/${act}`)).status]).toEqual([act, 404])
  }
  expect(await counts(started, id)).toEqual(before)
  expect(await as('crm').get(paths[1]!)).toMatchObject({
    is_on: false,
    data: { bulk: true, may_steer: true, progress: { total: 30 } },
  })
  expect((await as('crm').get(paths[2]!))['data']).toHaveLength(30)
  expect((await as('crm').post(`/admin/mail/${id}/stop`)).status).toBe(200)
})
