import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'

/* Notes are edited, deleted, and pinned in the same way on records of every type. */

async function noted(text = 'Call back', who = 'crm') {
  const started = await startTestApp()
  const lead = await enterLead(started.db)
  const at = `/admin/general/notes/lead/${lead}`
  const id = (await started.as(who).post(at, { note: text }))['data'].id as number
  return { ...started, started, lead, at, note: `${at}/${id}`, id }
}

const notesOf = async ({ as }: Pick<TestApp, 'as'>, at: string) =>
  (await as('super_admin').get(at))['data'] as {
    body: string
    who: string
    edited_at: string | null
    pinned_at: string | null
  }[]
const undo = ({ as }: Pick<TestApp, 'as'>, { id }: { id: number }, who = 'crm') =>
  as(who).post(`/admin/operations/${id}/undo`)

test('the author edits a note, which is then marked as edited and named in the history, and undoes it', async () => {
  const test = await noted()
  const { as, at, note, lead } = test
  expect(await notesOf(test, at)).toMatchObject([{ body: 'Call back', edited_at: null }])
  const { message, operation, data } = await as('crm').post(note, { note: ' Call on Monday ' })
  expect({ message, data }).toMatchObject({ message: 'Note saved.', data: { body: 'Call on Monday' } })
  expect(await notesOf(test, at)).toMatchObject([
    { body: 'Call on Monday', who: 'Paula Ferreira', edited_at: expect.any(String) },
  ])
  const { data: events } = await as('crm').get(`/admin/records/lead/${lead}/history`)
  expect(events[0]).toMatchObject({
    act: 'Edited a note',
    changes: [{ field: 'edited_note', before: 'Call back', after: 'Call on Monday' }],
    operation: { id: operation.id, way: 'undo' },
  })
  expect(await undo(test, operation)).toMatchObject({ undone: 1 })
  expect(await notesOf(test, at)).toMatchObject([{ body: 'Call back', edited_at: null }])
  expect((await as('crm').post(note, { note: '  ' })).errors).toEqual({ note: ['This field is required.'] })
})

test('an edit of words that someone else changed meanwhile is refused, with both versions', async () => {
  const test = await noted()
  const { as, at, note } = test
  const base = { note: 'Call back' }
  await as('admin').post(note, { note: 'Call on Monday', base })
  expect(await as('crm').post(note, { note: 'Call today', base })).toMatchObject({
    status: 409,
    current: { note: 'Call on Monday' },
    clashes: [{ field: 'note', yours: 'Call today', theirs: 'Call on Monday' }],
  })
  expect(await notesOf(test, at)).toMatchObject([{ body: 'Call on Monday' }])
  const seen = { note: 'Call on Monday' }
  expect(await as('crm').post(note, { note: 'Call today', base: seen })).toMatchObject({ status: 200 })
})

test('only the author and roles 0 and 1 edit or delete a note, and others with the permission for notes pin it', async () => {
  const test = await noted('Call back', 'admin')
  const { as, at, note, lead } = test
  for (const tried of [as('crm').post(note, { note: 'x' }), as('crm').send('DELETE', note)])
    expect(await tried).toMatchObject({
      status: 403,
      message: 'Only the author of this note and admins can change it.',
    })
  expect(await as('crm').post(`${note}/pin`)).toMatchObject({ message: 'Note pinned.' })
  // Without the permission to write notes on leads.
  for (const [method, path, body] of [
    ['POST', note, { note: 'x' }],
    ['POST', `${note}/pin`, undefined],
    ['DELETE', `${note}/pin`, undefined],
    ['DELETE', note, undefined],
  ] as const)
    expect(await as('editor').send(method, path, body)).toMatchObject({ status: 403 })
  expect(await notesOf(test, at)).toMatchObject([{ body: 'Call back', pinned_at: expect.any(String) }])
  expect(await as('super_admin').send('DELETE', note)).toMatchObject({ message: 'Note deleted.' })
  expect(await as('super_admin').send('DELETE', note)).toMatchObject({ status: 404 })
  // A note of another record is not found under this one.
  const other = await enterLead(test.db)
  const { data } = await as('crm').post(`/admin/general/notes/lead/${other}`, { note: 'Elsewhere' })
  expect(await as('crm').send('DELETE', `/admin/general/notes/lead/${lead}/${data.id}`)).toMatchObject({
    status: 404,
  })
})

test('a note of a lead of another product can’t be changed', async () => {
  const { as, db, note, at, ...test } = await noted()
  await db.deleteFrom('staff_products').where('staff_id', '=', as('crm').id).execute()
  expect(await as('crm').post(note, { note: 'x' })).toMatchObject({ status: 404 })
  expect(await as('crm').post(`${note}/pin`)).toMatchObject({ status: 404 })
  expect(await as('crm').send('DELETE', note)).toMatchObject({ status: 404 })
  expect(await notesOf({ ...test, as }, at)).toMatchObject([{ body: 'Call back', pinned_at: null }])
})

test('a deletion is undone, and the history has its words', async () => {
  const test = await noted()
  const { as, at, note, lead } = test
  const { operation } = await as('crm').send('DELETE', note)
  expect(await notesOf(test, at)).toEqual([])
  const { data: events } = await as('crm').get(`/admin/records/lead/${lead}/history`)
  expect(events[0]).toMatchObject({
    act: 'Deleted a note',
    changes: [{ field: 'deleted_note', after: 'Call back' }],
  })
  await undo(test, operation)
  expect(await notesOf(test, at)).toMatchObject([{ body: 'Call back' }])
})

test('several notes are pinned, also of an organization, and each is unpinned with Undo', async () => {
  const { as, db } = await startTestApp()
  const at = `/admin/general/notes/organization/${await enterOrganization(db)}`
  const add = async (note: string) => (await as('super_admin').post(at, { note }))['data'].id as number
  const [one, , three] = [await add('One'), await add('Two'), await add('Three')]
  await as('super_admin').post(`${at}/${one}/pin`)
  const { operation } = await as('super_admin').post(`${at}/${three}/pin`)
  expect(await as('super_admin').post(`${at}/${three}/pin`)).toMatchObject({
    operation: null,
  })
  const pinned = async () =>
    (await notesOf({ as }, at)).filter(({ pinned_at }) => pinned_at !== null).map(({ body }) => body)
  expect(await pinned()).toEqual(['Three', 'One'])
  await undo({ as }, operation, 'super_admin')
  expect(await pinned()).toEqual(['One'])
  expect(await as('super_admin').send('DELETE', `${at}/${one}/pin`)).toMatchObject({
    message: 'Note unpinned.',
  })
  expect(await pinned()).toEqual([])
})

test('a mention that an edit adds notifies that person, once, and a deleted note takes its notices along', async () => {
  const { as, note, ...test } = await noted('Call back')
  const noticesOf = async (who: string) =>
    (await as(who).get('/admin/notices'))['data'] as { words: string }[]
  const [admin, second] = [as('admin').id, as('super_admin').id]
  await as('crm').post(note, { note: 'Ask @Martin', tag_user: [admin] })
  await as('crm').post(note, { note: 'Ask @Martin or @Ana', tag_user: [admin, second] })
  expect((await noticesOf('admin')).map(({ words }) => words)).toEqual(['Ask @Martin'])
  expect((await noticesOf('super_admin')).map(({ words }) => words)).toEqual(['Ask @Martin or @Ana'])
  const mails = await test.db.selectFrom('mails').select('id').where('kind', '=', 'mention').execute()
  expect(mails).toHaveLength(2)
  const { operation } = await as('crm').send('DELETE', note)
  expect(await noticesOf('admin')).toEqual([])
  await undo({ as }, operation)
  expect(await noticesOf('admin')).toHaveLength(1)
  expect(await as('crm').post(note, { note: 'Ask @Eva', tag_user: [as('editor').id] })).toMatchObject({
    status: 422,
    errors: { tag_user: ['You can only mention staff who can open this record.'] },
  })
})
