import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const comment = '/admin/support/create-ticket/comment'

async function stage(who: ReturnType<TestApp['as']>): Promise<number> {
  const staged = await who.post('/files/stage', undefined, {
    form: { file: { name: 'scanner.txt', bytes: Buffer.from('RFID profile 4.0.2') } },
  })
  return staged['data'].id
}

test('an internal comment has files, staged before or sent along', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  const staged = await as('support').post(comment, {
    ticket_id: id,
    support_comment: 'See the log.',
    file_ids: [await stage(as('support'))],
  })
  expect(staged).toMatchObject({ status: 200, data: { attachments: [{ name: 'scanner.txt' }] } })
  await as('support').post(comment, undefined, {
    form: {
      ticket_id: String(id),
      support_comment: 'And the list.',
      'attachment[]': { name: 'list.txt', bytes: Buffer.from('340 towels') },
    },
  })
  const { comments } = (await as('admin').get(`/admin/support/ticket/${id}`))['data']
  expect(comments).toMatchObject([
    { support_comment: 'See the log.', attachments: [{ name: 'scanner.txt' }] },
    { support_comment: 'And the list.', attachments: [{ name: 'list.txt' }] },
  ])
  expect((await as('admin').get(comments[0].attachments[0].url.replace('/api', ''))).status).toBe(200)
})

test('a file that another user staged can’t be attached', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  const file = await stage(as('admin'))
  const body = { ticket_id: id, support_comment: 'See the log.', file_ids: [file] }
  expect(await as('support').post(comment, body)).toMatchObject({
    status: 422,
    errors: { 'file_ids.0': [expect.any(String)] },
  })
  expect((await as('support').get(`/admin/support/ticket/${id}`))['data'].comments).toEqual([])
})

test('the requester of a ticket can’t use the files of its internal comments', async () => {
  const { as, db } = await startTestApp()
  await db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  const own = { title: 'My screen', message: '<p>It flickers.</p>' }
  const { id } = (await as('editor').post('/admin/support/ticket', own))['data']
  const file = await stage(as('support'))
  await as('support').post(comment, { ticket_id: id, support_comment: 'Known.', file_ids: [file] })
  const reply = { message: '<p>Still.</p>', file_ids: [file] }
  expect(await as('editor').post(`/admin/support/requests/${id}/reply`, reply)).toMatchObject({ status: 422 })
  // Control: staff of the desk can.
  expect(await as('support').post(`/admin/support/sendReply/${id}`, reply)).toMatchObject({ status: 200 })
})
