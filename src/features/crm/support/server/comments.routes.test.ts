import { expect, test } from 'vitest'
import { roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
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

const notes = (ticket: number) => `/admin/support/ticket/${ticket}/comments`

async function withNote(values: Parameters<typeof enterTicket>[1] = {}) {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, values)
  const { data } = await app.as('support').post(comment, {
    ticket_id: id,
    support_comment: 'Scanner firmware 4.0.1.',
    tag_user: [app.as('admin').id],
  })
  return {
    ...app,
    id,
    note: `${notes(id)}/${data.id}`,
    listed: async () => (await app.as('admin').get(`/admin/support/ticket/${id}`))['data'].comments,
    mentioned: () => app.db.selectFrom('notices').select('staff_id').where('kind', '=', 'mention').execute(),
  }
}

test('the author of a note edits it; it is marked, in the history, and can be undone', async () => {
  const { as, id, note, listed, live } = await withNote()
  expect(await listed()).toMatchObject([{ edited_at: null, created_by: as('support').id }])
  const told = live.length
  const saved = await as('support').post(note, { support_comment: 'Scanner firmware 4.0.2.' })
  expect(saved).toMatchObject({
    status: 200,
    message: 'Note saved.',
    data: { support_comment: 'Scanner firmware 4.0.2.', edited_at: expect.any(String) },
    operation: { summary: 'Note edited' },
  })
  expect(live.slice(told).map(({ channel }) => channel)).toContain('private-records.ticket')
  const history = (await as('admin').get(`/admin/records/ticket/${id}/history`))['data']
  expect(history[0]).toMatchObject({
    act: 'Edited a note',
    changes: [
      { field: 'internal_note', before: 'Scanner firmware 4.0.1.', after: 'Scanner firmware 4.0.2.' },
    ],
  })
  expect(await as('support').post(`/admin/operations/${saved.operation.id}/undo`)).toMatchObject({
    status: 200,
  })
  expect(await listed()).toMatchObject([{ support_comment: 'Scanner firmware 4.0.1.', edited_at: null }])
})

test('a deleted note is neither shown nor found, and returns with its files by Undo', async () => {
  const { as, db, note, listed, id } = await withNote()
  await as('support').post(comment, {
    ticket_id: id,
    support_comment: 'See the log.',
    file_ids: [await stage(as('support'))],
  })
  const [, { id: second, attachments }] = await listed()
  const found = async () => (await as('admin').get('/admin/support/ticket?search=firmware'))['total']
  const read = async () => (await as('admin').get(attachments[0].url.replace('/api', ''))).status
  expect([await found(), await read()]).toEqual([1, 200])

  const deleted = await as('support').send('DELETE', note)
  expect(deleted).toMatchObject({ status: 200, message: 'Note deleted.' })
  // Roles 0 and 1 delete the notes of others.
  const other = await as('admin').send('DELETE', `${notes(id)}/${second}`)
  expect(other).toMatchObject({ status: 200 })
  expect(await listed()).toEqual([])
  expect([await found(), await read()]).toEqual([0, 403])
  for (const one of [note, `${notes(id)}/${second}`]) {
    expect((await as('support').send('DELETE', one)).status).toBe(404)
    expect((await as('support').post(one, { support_comment: 'Again' })).status).toBe(404)
  }

  await as('admin').post(`/admin/operations/${other.operation.id}/undo`)
  await as('support').post(`/admin/operations/${deleted.operation.id}/undo`)
  expect(await listed()).toMatchObject([
    { support_comment: 'Scanner firmware 4.0.1.', tag_user: [{ id: as('admin').id }] },
    { support_comment: 'See the log.', attachments: [{ name: 'scanner.txt' }] },
  ])
  expect([await found(), await read()]).toEqual([1, 200])
  expect(await db.selectFrom('ticket_comments').select('id').execute()).toHaveLength(2)
})

test('the notices of a deleted note are hidden until the deletion is undone', async () => {
  const { as, live, note } = await withNote()
  const inbox = async () => {
    const { data } = await as('admin').get('/admin/notices')
    const { unread } = await as('admin').get('/admin/notices/unread')
    return [data.map((one: { words: string }) => one.words), unread]
  }
  expect(await inbox()).toEqual([['Scanner firmware 4.0.1.'], 1])
  live.length = 0
  const deleted = await as('support').send('DELETE', note)
  expect(await inbox()).toEqual([[], 0])
  expect(live).toContainEqual({ channel: `private-staff.${as('admin').id}`, event: 'notices', payload: {} })
  await as('support').post(`/admin/operations/${deleted.operation.id}/undo`)
  expect(await inbox()).toEqual([['Scanner firmware 4.0.1.'], 1])
})

test('a mention in an edited note notifies only people who weren’t mentioned before', async () => {
  const { as, note, mentioned, listed } = await withNote()
  expect(await mentioned()).toEqual([{ staff_id: as('admin').id }])
  const people = [as('admin').id, as('super_admin').id]
  await as('support').post(note, { support_comment: 'Both, please.', tag_user: people })
  await as('support').post(note, { support_comment: 'Both, please!', tag_user: people })
  expect(await mentioned()).toEqual(people.map((staff_id) => ({ staff_id })))
  expect(await listed()).toMatchObject([
    { tag_user: people.map((id) => ({ id })).toSorted((a, b) => a.id - b.id) },
  ])
  expect(
    await as('support').post(note, { support_comment: 'You?', tag_user: [as('editor').id] }),
  ).toMatchObject({
    status: 422,
    errors: { tag_user: [expect.any(String)] },
  })
})

test('a note is changed by its author only, and in their products; nothing changes for others', async () => {
  const { as, db, id, note } = await withNote()
  const all = () => db.selectFrom('ticket_comments').selectAll().execute()
  const before = await all()
  const body = { support_comment: 'Changed' }
  for (const role of [...roleIds, undefined]) {
    const refused = role === undefined ? 401 : 403
    if (role === 0 || role === 1 || role === 4) continue
    expect([role, (await as(role).post(note, body)).status]).toEqual([role, refused])
    expect([role, (await as(role).send('DELETE', note)).status]).toEqual([role, refused])
  }
  expect(await as('admin').post(note, body)).toMatchObject({
    status: 403,
    message: 'Only the author of this note can edit it.',
  })
  await db
    .updateTable('ticket_comments')
    .set({ created_by: as('admin').id })
    .execute()
  expect(await as('support').send('DELETE', note)).toMatchObject({
    status: 403,
    message: 'Only the author of this note and admins can delete it.',
  })
  await db
    .updateTable('ticket_comments')
    .set({ created_by: as('support').id })
    .execute()
  // The note of another ticket isn't found, nor is that of another product's ticket.
  const { id: another } = await enterTicket(db)
  expect((await as('support').send('DELETE', note.replace(`/${id}/`, `/${another}/`))).status).toBe(404)
  const organization_id = await enterOrganization(db, {}, [2])
  await db.updateTable('tickets').set({ organization_id }).where('id', '=', id).execute()
  await db.deleteFrom('staff_products').where('product_id', '=', 2).execute()
  for (const who of ['support', 'admin']) {
    expect((await as(who).post(note, body)).status).toBe(404)
    expect((await as(who).send('DELETE', note)).status).toBe(404)
  }
  expect(await all()).toEqual(before)
})
