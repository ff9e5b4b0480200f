import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterMany } from '#server/db/enter-many.testing.ts'

const make = async (who: TestClient, values: object = {}) =>
  (await who.post('/admin/create_contract', { title: 'Linen supply', status: 1, ...values }))['data'] as {
    id: number
    version: number
  }

test.each([
  ['contracts.list', 'GET', '/admin/contract_list'],
  ['contracts.show', 'POST', '/admin/contract/1'],
  ['contracts.create', 'POST', '/admin/create_contract'],
  ['contracts.update', 'POST', '/admin/update_contract/1'],
  ['contracts.delete', 'POST', '/admin/delete_contract/1'],
])('%s: without contract_list it is refused, without a session it is 401', async (_call, method, path) => {
  const { as } = await startTestApp()
  expect(await as('support').send(method, path, {})).toMatchObject({ status: 403 })
  expect(await as(undefined).send(method, path, {})).toMatchObject({ status: 401 })
  expect((await as('editor').send(method, path, {})).status).not.toBe(403)
})

test('a contract is created, read, changed, and listed as data, total, and per_page', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'), { due_date: '2026-12-31', content: '<p>Terms</p>' })
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({
    data: { title: 'Linen supply', due_date: '2026-12-31', status: 1, content: '<p>Terms</p>' },
  })
  await as('editor').post(`/admin/update_contract/${id}`, {
    id,
    title: 'Linen supply 2027',
    due_date: '',
    status: 2,
    content: '',
  })
  expect(await as('editor').get('/admin/contract_list?page=1&search=2027&status=2')).toMatchObject({
    data: [{ id, title: 'Linen supply 2027', due_date: null, status: 2 }],
    total: 1,
    per_page: 20,
  })
  expect(await as('editor').get('/admin/contract_list?status=1')).toMatchObject({ data: [], total: 0 })
  expect(await as('editor').get('/admin/contract_list?page=9')).toMatchObject({ data: [], total: 1 })
})

test.each([
  ['due_date', { due_date: '2026-06-31' }],
  ['status', { status: 99 }],
  ['title', { title: ' ' }],
  ['organization_id', { organization_id: 999 }],
])('an invalid %s is 422 at its field, and nothing is created', async (field, values) => {
  const { as } = await startTestApp()
  const reply = await as('editor').post('/admin/create_contract', { title: 'One', ...values })
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
  expect(await as('editor').get('/admin/contract_list')).toMatchObject({ total: 0 })
})

test('changes to different fields are merged, changes to the same field are a conflict', async () => {
  const { as } = await startTestApp()
  const { id, version } = await make(as('editor'))
  await as('admin').post(`/admin/update_contract/${id}`, { title: 'By admin' })
  expect(
    await as('editor').post(`/admin/update_contract/${id}`, { status: 2, version, base: { status: 1 } }),
  ).toMatchObject({
    status: 200,
    data: { title: 'By admin', status: 2 },
  })
  expect(
    await as('editor').post(`/admin/update_contract/${id}`, {
      title: 'By editor',
      version,
      base: { title: 'Linen supply' },
    }),
  ).toMatchObject({
    status: 409,
    current: { title: 'By admin' },
    clashes: [{ field: 'title', yours: 'By editor', theirs: 'By admin' }],
  })
})

test('a deleted contract is in the trash, is restored, and the operation is undone and redone', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'))
  const { operation } = await as('editor').post(`/admin/delete_contract/${id}`)
  expect(operation).toMatchObject({ summary: 'Moved to trash: 1 contract' })
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({ status: 404 })
  expect(await as('editor').get('/admin/records/contract/trash')).toMatchObject({
    data: [{ id, name: 'Linen supply', deleted_by: expect.any(String) }],
    total: 1,
  })
  expect(await as('editor').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    undone: 1,
    skipped: [],
  })
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({ status: 200 })
  expect(await as('editor').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 409 })
  expect(await as('editor').post(`/admin/operations/${operation.id}/redo`)).toMatchObject({ redone: 1 })
  expect(await as('editor').post('/admin/records/contract/restore', { search: 'linen' })).toMatchObject({
    restored: [id],
  })
  expect(await as('editor').get('/admin/contract_list')).toMatchObject({ total: 1 })
})

test('several edits are undone from last to first, and redone from first to last', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'))
  const shown = async () => (await as('editor').post(`/admin/contract/${id}`))['data']
  const acts: number[] = []
  for (const change of [{ title: 'Second' }, { title: 'Third', status: 2 }, { title: 'Fourth' }])
    acts.push((await as('editor').post(`/admin/update_contract/${id}`, change))['operation'].id)
  for (const act of acts.toReversed())
    expect(await as('editor').post(`/admin/operations/${act}/undo`)).toMatchObject({ undone: 1, skipped: [] })
  expect(await shown()).toMatchObject({ title: 'Linen supply', status: 1 })
  for (const act of acts)
    expect(await as('editor').post(`/admin/operations/${act}/redo`)).toMatchObject({ redone: 1, skipped: [] })
  expect(await shown()).toMatchObject({ title: 'Fourth', status: 2 })
})

test('an edit is undone to the previous value; a contract changed since is skipped and named', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'))
  const { operation } = await as('editor').post(`/admin/update_contract/${id}`, {
    title: 'Second',
    status: 2,
  })
  await as('editor').post(`/admin/operations/${operation.id}/undo`)
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({
    data: { title: 'Linen supply', status: 1 },
  })
  const { operation: next } = await as('editor').post(`/admin/update_contract/${id}`, { title: 'Third' })
  await as('admin').post(`/admin/update_contract/${id}`, { title: 'Fourth' })
  expect(await as('editor').post(`/admin/operations/${next.id}/undo`)).toMatchObject({
    undone: 0,
    skipped: ['Fourth: changed since then'],
  })
  expect(await as('admin').post(`/admin/contract/${id}`)).toMatchObject({ data: { title: 'Fourth' } })
})

test('undoing a text restores its images, for everyone who can read it; redo removes them again', async () => {
  const { as } = await startTestApp()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  )
  const staged = await as('editor').post('/files/stage', undefined, {
    form: { file: { name: 'dot.png', bytes: png, type: 'image/png' } },
  })
  const picture = staged['data'].id
  const { id } = await make(as('editor'), { content: `<p>Look</p><img data-file-id="${picture}">` })
  const seen = async () => (await as('admin').get(`/files/refs?ids[]=${picture}`))['data'].length as number
  expect(await seen()).toBe(1)
  const { operation } = await as('editor').post(`/admin/update_contract/${id}`, { content: '<p>Gone</p>' })
  expect(await seen()).toBe(0)
  expect(await as('admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 1 })
  expect(await seen()).toBe(1)
  await as('admin').post(`/admin/operations/${operation.id}/redo`)
  expect(await seen()).toBe(0)
})

test('an operation belongs to its user: another user finds none, roles 0 and 1 can undo it, a revoked permission prevents it', async () => {
  const { as, db } = await startTestApp()
  const { id } = await make(as('editor'))
  const { operation } = await as('editor').post(`/admin/delete_contract/${id}`)
  expect(await as('crm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 404 })
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 3)
    .where('permission', '=', 'contract_list')
    .execute()
  expect(await as('editor').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 403 })
  expect(await as('admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 1 })
})

test('undoing several skips what cannot be restored, with the reason', async () => {
  const { as, db } = await startTestApp()
  const first = await make(as('editor'), { title: 'First', status: 4 })
  await make(as('editor'), { title: 'Second', status: 4 })
  const { operation } = await as('editor').post(`/admin/update_contract/${first.id}`, { status: 1 })
  await db.updateTable('customer_contracts').set({ status: 2 }).where('title', '=', 'Second').execute()
  await db.deleteFrom('contract_statuses').where('id', '=', 4).execute()
  expect(await as('editor').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    undone: 0,
    skipped: ['First: Choose an existing record.'],
  })
})

test('the history describes changes in plain language, with the notes', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'))
  await as('editor').post(`/admin/update_contract/${id}`, { status: 2 })
  await as('editor').post(`/admin/general/notes/contract/${id}`, { note: 'Signed by both' })
  const { data } = await as('editor').get(`/admin/records/contract/${id}/history`)
  expect(data.map((event: { act: string }) => event.act)).toEqual(['Added a note', 'Edited', 'Created'])
  expect(data[1].changes).toEqual([{ field: 'status', before: 1, after: 2 }])
  expect(await as('editor').get(`/admin/general/notes/contract/${id}`)).toMatchObject({
    data: [{ body: 'Signed by both' }],
  })
  expect(await as('support').get(`/admin/records/contract/${id}/history`)).toMatchObject({ status: 403 })
  expect(await as('editor').get('/admin/records/contract/999/history')).toMatchObject({ status: 404 })
})

test('hostile HTML is stored without scripts and external content, and is the same when saved again', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'), {
    content:
      '<h2 onclick="x()">One</h2><script>x()</script><img src="https://evil.example/x.png"><a href="javascript:x()">Two</a><p style="color:red">Three</p>',
  })
  const { data } = await as('editor').post(`/admin/contract/${id}`)
  expect(data.content).toContain('<h2>One</h2>')
  expect(data.content).not.toMatch(/script|onclick|evil|javascript|style/)
  await as('editor').post(`/admin/update_contract/${id}`, { content: data.content })
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({ data: { content: data.content } })
})

test("a contract's file is loaded by its signed URL, by users who can read contracts", async () => {
  const { as } = await startTestApp()
  const staged = await as('editor').post('/files/stage', undefined, {
    form: { file: { name: 'terms.txt', bytes: 'Terms' } },
  })
  const file = (staged['data'] ?? staged) as { id: number }
  const { id } = await make(as('editor'), { file_ids: [file.id] })
  const { data } = await as('editor').post(`/admin/contract/${id}`)
  expect(data.files).toMatchObject([{ id: file.id, name: 'terms.txt' }])
  expect((await as(undefined).get(data.files[0].url.replace('/api', ''))).text).toBe('Terms')
  await as('editor').post(`/admin/update_contract/${id}`, { file_ids: [] })
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({ data: { files: [] } })
})

test('a view is saved, visible to others when shared, and deleted by its owner only', async () => {
  const { as } = await startTestApp()
  const saved = await as('editor').post('/admin/views', {
    list: 'contracts',
    path: '/customer-contracts',
    name: 'Drafts',
    shared: true,
    address: { status: 1 },
  })
  expect(saved).toMatchObject({ data: [{ name: 'Drafts', shared: true, own: true, address: { status: 1 } }] })
  const [{ id }] = saved['data']
  expect(await as('admin').get('/admin/views?list=contracts')).toMatchObject({
    data: [{ name: 'Drafts', own: false }],
  })
  expect(await as('qa').send('DELETE', `/admin/views/${id}`)).toMatchObject({ status: 403 })
  expect(await as('editor').post(`/admin/views/${id}`, { _method: 'DELETE' })).toMatchObject({ data: [] })
})

test('contracts are filtered by due date, and by whether they are finished', async () => {
  const { as } = await startTestApp()
  await make(as('editor'), { title: 'Overdue', due_date: '2026-03-01', status: 2 })
  await make(as('editor'), { title: 'Due', due_date: '2026-03-20' })
  await make(as('editor'), { title: 'Ended', due_date: '2026-03-10', status: 3 })
  await make(as('editor'), { title: 'Canceled', due_date: '2026-03-11', status: 4 })
  await make(as('editor'), { title: 'Without a date' })
  const titles = async (query: string) =>
    (await as('editor').get(`/admin/contract_list?column=due_date&direction=asc&${query}`))['data'].map(
      ({ title }: { title: string }) => title,
    )
  expect(await titles('finished=0&due_to=2026-03-20')).toEqual(['Overdue', 'Due'])
  expect(await titles('due_from=2026-03-10&due_to=2026-03-19')).toEqual(['Ended', 'Canceled'])
  expect(await titles('finished=1')).toEqual(['Ended', 'Canceled'])
  expect(await titles('finished=0')).toEqual(['Overdue', 'Due', 'Without a date'])
})

test('the export has the rows of the list, and no cell starts a formula', async () => {
  const { as } = await startTestApp()
  await make(as('editor'), { title: '=1+1' })
  await make(as('editor'), { title: 'Second', status: 2 })
  const { text } = await as('editor').get('/admin/contract_list/export?status=1')
  expect(text).toBe("\ufeffNumber,Title,Organization,Due date,Status\n1,'=1+1,,,Draft\n")
})

test('a contract names only an organization of the writer’s products', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const theirs = await enterOrganization(db, { name: 'Secret Inn' }, [2])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('editor').id)
    .where('product_id', '<>', 1)
    .execute()
  const refused = { status: 422, errors: { organization_id: ['This organization doesn’t exist.'] } }
  const made = await as('editor').post('/admin/create_contract', { title: 'Ours' })
  expect(
    await as('editor').post('/admin/create_contract', { title: 'x', organization_id: theirs }),
  ).toMatchObject(refused)
  expect(
    await as('editor').post(`/admin/update_contract/${made['data'].id}`, { organization_id: theirs }),
  ).toMatchObject(refused)
  // Control: for a viewer with access to the product, the contract exists.
  expect(
    await as('admin').post('/admin/create_contract', { title: 'x', organization_id: theirs }),
  ).toMatchObject({ status: 200 })
})

test('an operation whose undo restored nothing can be undone after the later one', async () => {
  const { as } = await startTestApp()
  const { id } = await make(as('editor'))
  const first = await as('editor').post(`/admin/update_contract/${id}`, { title: 'Second' })
  const second = await as('editor').post(`/admin/update_contract/${id}`, { title: 'Third' })
  const undo = (one: typeof first) => as('editor').post(`/admin/operations/${one['operation'].id}/undo`)
  expect(await undo(first)).toMatchObject({ undone: 0, skipped: ['Third: changed since then'] })
  await undo(second)
  expect(await undo(first)).toMatchObject({ undone: 1 })
  expect(await as('editor').post(`/admin/contract/${id}`)).toMatchObject({ data: { title: 'Linen supply' } })
})

test('restoring more than 10,000 records restores all of them, in the background', async () => {
  const { as, db } = await startTestApp()
  await enterMany(
    db,
    sql`insert into customer_contracts (title, deleted_at, deleted_by)
      select 'Old ' || n, now(), 1 from generate_series(1, 10001) n`,
  )
  const restored = await as('editor').post('/admin/records/contract/restore', { search: 'old' })
  expect(restored).toMatchObject({
    message: 'The change continues in the background. You can leave this page.',
    operation: { summary: 'Restored from the trash: 10,001 contracts' },
    restored: [],
  })
  const show = async () => (await as('editor').get(`/admin/operations/${restored['operation'].id}`))['data']
  await expect
    .poll(show, { interval: 100 })
    .toMatchObject({ state: 'done', total: 10_001, seen: 10_001, changed: 10_001, skipped: 0 })
  expect((await as('editor').get('/admin/records/contract/trash'))['total']).toBe(0)
})
