import { writeFile } from 'node:fs/promises'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { inboundSecret, receiveTicket } from '#features/crm/support/server/support.testing.ts'

const archive = Buffer.from(zipSync({ 'logs/app.log': strToU8('It stopped.') }))
const letter = Buffer.from('From: Jana <jana@resort.example>\r\nSubject: It stopped\r\n\r\nSee the log.')

/** Opens a ticket with files by email; returns its attachments for support. */
async function withTicket(files: Record<string, Buffer>) {
  const started = await startTestApp({ env: inboundSecret })
  const id = await receiveTicket(
    started,
    Object.entries(files).map(([name, bytes]) => ({ name, bytes })),
  )
  const { messages } = (await started.as('support').get(`/admin/support/ticket/${id}`))['data']
  return { ...started, id, messages, attachments: messages[0].attachments }
}

const stage = (started: TestApp, name: string, bytes: Buffer) =>
  started.as('support').post('/files/stage', undefined, { form: { file: { name, bytes } } })

test('archives and emails in an email are kept, only downloaded, and their contents listed', async () => {
  const { as, attachments } = await withTicket({ 'logs.zip': archive, 'Fwd.eml': letter })
  const types = ['application/zip', 'message/rfc822']
  const lists = [
    { type: 'zip', entries: [{ name: 'app.log', folder: 'logs', bytes: 11 }], total: 1 },
    { type: 'eml', from: 'Jana <jana@resort.example>', subject: 'It stopped', text: 'See the log.' },
  ]
  expect(attachments).toMatchObject([
    { name: 'logs.zip', kind: 'other', bytes: archive.length },
    { name: 'Fwd.eml', kind: 'other', bytes: letter.length },
  ])
  for (const [index, { id, url, name }] of attachments.entries()) {
    for (const address of [url, url.replace('&download=1', '')]) {
      const { headers } = await as(undefined).get(address.replace('/api', ''))
      expect(headers).toMatchObject({
        'content-type': types[index],
        'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
    }
    expect((await as('support').get(`/files/${id}/contents`))['data']).toMatchObject(lists[index]!)
  }
})

test('contents are listed for those who can download the file', async () => {
  const { as, attachments } = await withTicket({ 'logs.zip': archive })
  const path = `/files/${attachments[0].id}/contents`
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const { status } = await as(role).get(path)
    expect(status, String(role)).toBe(may ? 200 : role === undefined ? 401 : 403)
  }
  expect((await as('support').get('/files/999999/contents')).status).toBe(404)
  expect((await as('support').get('/files/x/contents')).status).toBe(404)
})

test('the desk uploads archives and emails; a staged one is listed for its uploader only', async () => {
  const started = await startTestApp()
  const { data } = await stage(started, 'logs.zip', archive)
  expect(data).toMatchObject({ name: 'logs.zip', kind: 'other' })
  expect((await stage(started, 'mail.eml', letter)).data).toMatchObject({ kind: 'other' })
  const path = `/files/${data.id}/contents`
  expect((await started.as('support').get(path))['data']).toMatchObject({ type: 'zip', total: 1 })
  expect((await started.as('super_admin').get(path)).status).toBe(403)
  // A list is of files that have one.
  const text = await stage(started, 'a.txt', Buffer.from('Hello'))
  expect((await started.as('support').get(`/files/${text.data.id}/contents`)).status).toBe(404)
})

test('an archive that can’t be read is kept, and its list says so; a file that is gone is 404', async () => {
  const { as, app, db, attachments } = await withTicket({
    'cut.zip': archive.subarray(0, 40),
    'text.zip': Buffer.from('no archive'),
  })
  const problem = 'This file can’t be read as a ZIP archive.'
  expect(attachments).toMatchObject([{ name: 'cut.zip' }, { name: 'text.zip' }])
  for (const { id } of attachments)
    expect((await as('support').get(`/files/${id}/contents`))['data']).toEqual({
      type: 'unreadable',
      problem,
    })
  const [{ id }] = attachments
  const row = await db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await writeFile(app.files.pathOf(row.stored_name)!, archive)
  // Control
  expect((await as('support').get(`/files/${id}/contents`))['data']).toMatchObject({ type: 'zip' })
  await app.files.remove(row.stored_name)
  expect((await as('support').get(`/files/${id}/contents`)).status).toBe(404)
})
