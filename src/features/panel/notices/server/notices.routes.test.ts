import { expect, test } from 'vitest'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

async function enterLead({ db }: TestApp, values: { lead_for?: number } = {}): Promise<number> {
  const { lead_id } = await db
    .insertInto('leads')
    .values({ lead_for: 1, lead_type: 1, company_name: 'Aalto Linen', ...values })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  return lead_id
}

/** A lead with a note by an Admin that mentions CRM. */
async function withMention() {
  const started = await startTestApp()
  const { as } = started
  const lead = await enterLead(started)
  const mention = (note = 'Call them today') =>
    as('admin').post(`/admin/general/notes/lead/${lead}`, { note, tag_user: [as('crm').id] })
  const reply = await mention()
  expect(reply).toMatchObject({ status: 200 })
  const [notice] = (await as('crm').get('/admin/notices'))['data']
  return { ...started, lead, mention, reply, notice }
}
const unreadOf = async ({ as }: Pick<TestApp, 'as'>, who: string) =>
  (await as(who).get('/admin/notices/unread'))['unread'] as number

test('a note notifies the people that it mentions, and leads to the note', async () => {
  const { as, lead, reply, notice, live, db } = await withMention()
  expect(notice).toMatchObject({
    kind: 'mention',
    who: 'Martin Keller',
    record_type: 'lead',
    record_id: lead,
    anchor: `note-${reply['data'].id}`,
    title: 'Aalto Linen',
    words: 'Call them today',
    read_at: null,
    muted: false,
  })
  expect(live).toContainEqual({ channel: `private-staff.${as('crm').id}`, event: 'notices', payload: {} })
  const mail = await db.selectFrom('mails').select(['kind', 'text']).executeTakeFirstOrThrow()
  expect(mail).toMatchObject({ kind: 'mention', text: expect.stringContaining('Aalto Linen') })
  expect(await as('admin').get('/admin/notices')).toMatchObject({ data: [] })
})

test('a user reads, marks, and mutes only their own notices', async () => {
  const { as, notice } = await withMention()
  const other = as('support')
  expect(await other.post(`/admin/notices/read/${notice.id}`, { read: true })).toMatchObject({ status: 404 })
  expect(await other.post(`/admin/notices/mute/${notice.id}`, { muted: true })).toMatchObject({ status: 404 })
  await other.post('/admin/notices/read-all', { id: notice.id })
  expect(await unreadOf({ as }, 'crm')).toBe(1)
  for (const path of ['/admin/notices', '/admin/notices/unread'])
    expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
})

test('a notice is marked as read, as unread, and with all others', async () => {
  const { as, notice, mention } = await withMention()
  await as('crm').post(`/admin/notices/read/${notice.id}`, { read: true })
  expect(await unreadOf({ as }, 'crm')).toBe(0)
  expect(await as('crm').get('/admin/notices?unread=1')).toMatchObject({ data: [] })
  expect(await as('crm').get('/admin/notices')).toMatchObject({ data: [{ read_at: expect.any(String) }] })
  await as('crm').post(`/admin/notices/read/${notice.id}`, { read: false })
  await mention('Later')
  // Both are about one record.
  expect(await unreadOf({ as }, 'crm')).toBe(1)
  // What arrives after the list was shown stays unread.
  await as('crm').post('/admin/notices/read-all', { id: notice.id })
  expect(await as('crm').get('/admin/notices?unread=1')).toMatchObject({ data: [{ words: 'Later' }] })
})

test('notices about one record are one entry, and are read together', async () => {
  const started = await withMention()
  const { as, lead, mention, notice } = started
  const other = await enterLead(started)
  await as('admin').post(`/admin/general/notes/lead/${other}`, { note: 'Other', tag_user: [as('crm').id] })
  for (const words of ['Second', 'Third']) await mention(words)
  const list = async (query: string) => (await as('crm').get(`/admin/notices?${query}`))['data']
  const [newest] = await list('grouped=1')
  expect(await list('grouped=1')).toMatchObject([
    { record_id: lead, words: 'Third', older: 2, read_at: null },
    { record_id: other, words: 'Other', older: 0 },
  ])
  expect(await list(`grouped=1&before=${newest.id}`)).toMatchObject([{ words: 'Other' }])
  expect(await list(`older_than=${newest.id}`)).toMatchObject([
    { words: 'Second', older: 0 },
    { words: 'Call them today' },
  ])
  expect(await as('support').get(`/admin/notices?older_than=${newest.id}`)).toMatchObject({ data: [] })
  expect(await as('crm').get('/admin/notices/unread')).toMatchObject({
    unread: 2,
    records: [
      { record_type: 'lead', record_id: lead, newest: newest.id },
      { record_type: 'lead', record_id: other },
    ],
  })
  // An entry is read once all of it is.
  await as('crm').post(`/admin/notices/read/${newest.id}`, { read: true })
  expect(await list('grouped=1')).toMatchObject([{ words: 'Third', read_at: null }, {}])
  expect(await list('grouped=1&unread=1')).toMatchObject([{ words: 'Second', older: 1 }, { words: 'Other' }])
  await mention('Fourth')
  await as('crm').post(`/admin/notices/read/${newest.id}`, { read: true, older: true })
  expect(await list('unread=1')).toMatchObject([{ words: 'Fourth' }, { words: 'Other' }])
  expect(
    await as('support').post(`/admin/notices/read/${notice.id}`, { read: true, older: true }),
  ).toMatchObject({
    status: 404,
  })
})

test('a muted record sends no more notices and emails until it is unmuted', async () => {
  const { as, db, notice, mention } = await withMention()
  await as('crm').post(`/admin/notices/mute/${notice.id}`, { muted: true })
  await mention('Muted')
  expect(await as('crm').get('/admin/notices')).toMatchObject({
    data: [{ words: 'Call them today', muted: true }],
    more: false,
  })
  expect(await db.selectFrom('mails').select('id').execute()).toHaveLength(1)
  await as('crm').post(`/admin/notices/mute/${notice.id}`, { muted: false })
  await mention('Unmuted')
  expect(await as('crm').get('/admin/notices')).toMatchObject({
    data: [{ words: 'Unmuted', muted: false }, { words: 'Call them today' }],
  })
})

test('notices of records that the reader can no longer open are hidden', async () => {
  const { as, db, lead, notice } = await withMention()
  const seen = async () => [
    await unreadOf({ as }, 'crm'),
    (await as('crm').get('/admin/notices'))['data'].length,
  ]
  const staff_id = as('crm').id
  expect(await seen()).toEqual([1, 1])
  await db.deleteFrom('staff_products').where('staff_id', '=', staff_id).where('product_id', '=', 1).execute()
  expect(await seen()).toEqual([0, 0])
  expect(await as('crm').post(`/admin/notices/read/${notice.id}`, { read: true })).toMatchObject({
    status: 404,
  })
  await db.insertInto('staff_products').values({ staff_id, product_id: 1 }).execute()
  expect(await seen()).toEqual([1, 1])
  const grant = { role_id: 2, permission: 'lead_detail' } as const
  await as('super_admin').post('/admin/records/lead/trash', { ids: [lead] })
  expect(await seen()).toEqual([0, 0])
  await as('super_admin').post('/admin/records/lead/restore', { ids: [lead] })
  expect(await seen()).toEqual([1, 1])
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', grant.role_id)
    .where('permission', '=', grant.permission)
    .execute()
  await db.updateTable('roles').set({ grants_version: 99 }).where('id', '=', grant.role_id).execute()
  expect(await seen()).toEqual([0, 0])
})

test('only people who can open a record are offered and can be mentioned in its notes', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const lead = await enterLead(started, { lead_for: 2 })
  const path = `/admin/general/notes/lead/${lead}`
  const offered = async () =>
    ((await as('admin').get(`${path}/staff`))['data'] as { id: number }[]).map(({ id }) => id)
  expect(await offered()).toContain(as('crm').id)
  expect(await offered()).not.toContain(as('designer').id)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await offered()).not.toContain(as('crm').id)
  for (const who of ['crm', 'designer'])
    expect(await as('admin').post(path, { note: 'Look', tag_user: [as(who).id] })).toMatchObject({
      status: 422,
      errors: { tag_user: [expect.any(String)] },
    })
  // A note that is refused is not saved.
  expect(await as('admin').get(path)).toMatchObject({ data: [] })
  expect(await as('designer').get(`${path}/staff`)).toMatchObject({ status: 403 })
  expect(await as('crm').get(`${path}/staff`)).toMatchObject({ status: 404 })
})

test('a developer is mentioned on a ticket through its task, which the notice leads to', async () => {
  const { as, db } = await startTestApp()
  const { id } = await enterTicket(db)
  const mention = () =>
    as('support').post('/admin/support/create-ticket/comment', {
      ticket_id: id,
      support_comment: 'See the log',
      tag_user: [as('developer').id, as('admin').id],
    })
  const offered = async () =>
    (await as('support').get(`/admin/support/ticket/${id}/staff`))['data'] as object[]
  expect(await offered()).not.toContainEqual({ id: as('developer').id, name: 'Mei Tanaka' })
  expect(await mention()).toMatchObject({ status: 422 })
  const task = await enterTask(db, { ticket_id: id, title: 'Fix the scanner' })
  expect(await offered()).toContainEqual({ id: as('developer').id, name: 'Mei Tanaka' })
  const comment = await mention()
  expect(comment).toMatchObject({ status: 200 })
  expect(await as('developer').get('/admin/notices')).toMatchObject({
    data: [{ record_type: 'task', record_id: task, title: 'Fix the scanner', words: 'See the log' }],
  })
  expect(await as('admin').get('/admin/notices')).toMatchObject({
    data: [{ record_type: 'ticket', record_id: id, anchor: `comment-${comment['data'].id}` }],
  })
})
