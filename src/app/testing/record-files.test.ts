import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { sweep } from '#server/jobs/sweep.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'

/* Files attached to records of every type are included in conflict detection, history, undo, and redo. */

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(12)])

const contentOf = (ending: string): Buffer =>
  ({ png: dot, mp4, pdf: Buffer.from('%PDF-1.4\n% words\n%%EOF') })[ending] ?? Buffer.from('Words')

/** Uploads a file for a form; returns its ID. */
async function stage(who: TestClient, name: string): Promise<number> {
  const reply = await who.post('/files/stage', undefined, {
    form: { file: { name, bytes: contentOf(name.split('.').at(-1)!) } },
  })
  return reply['data'].id
}

interface Made {
  type: string
  id: number
  save: (who: TestClient, change: object) => ReturnType<TestClient['post']>
  /** Returns the names of the record's files. */
  names: () => Promise<string[]>
  version: () => Promise<number>
}

interface Case {
  field: string
  ending: string
  /** Whether the field can contain only one file. */
  isSingle?: true
  /** Whether only the record's author and moderators can edit it. */
  isAuthored?: true
  make: (started: TestApp, file_ids: number[]) => Promise<Made>
}

async function made(
  { db, as }: TestApp,
  type: string,
  data: { id: number },
  role: string,
  save: Made['save'],
  read: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Made> {
  return {
    type,
    id: data.id,
    save,
    names: async () =>
      (
        await db
          .selectFrom('file_links as l')
          .innerJoin('files as f', 'f.id', 'l.file_id')
          .select('f.name')
          .where('record_type', '=', type)
          .where('record_id', '=', data.id)
          .where('role', '=', role)
          .where('deleted_at', 'is', null)
          .orderBy('f.name')
          .execute()
      ).map(({ name }) => name),
    version: async () => (await as('admin').send(method, read))['data'].version,
  }
}

const cases: Record<string, Case> = {
  contract: {
    field: 'file_ids',
    ending: 'txt',
    make: async (started, file_ids) => {
      const { data } = await started
        .as('admin')
        .post('/admin/create_contract', { title: 'Linen supply', file_ids })
      const save: Made['save'] = (who, change) => who.post(`/admin/update_contract/${data.id}`, change)
      return made(started, 'contract', data, 'attachment', save, `/admin/contract/${data.id}`, 'POST')
    },
  },
  task: {
    field: 'file_ids',
    ending: 'txt',
    make: async (started, file_ids) => {
      const { data } = await started
        .as('admin')
        .post('/common/task/save', { title: 'Sort the racks', product_id: 1, file_ids })
      const save: Made['save'] = (who, change) => who.post(`/common/task/${data.id}`, change)
      return made(started, 'task', data, 'attachment', save, `/common/task/${data.id}`)
    },
  },
  post: {
    field: 'image_ids',
    ending: 'png',
    isSingle: true,
    isAuthored: true,
    make: async (started, image_ids) => {
      const { category } = await started.db
        .insertInto('article_categories')
        .values({ kind: 'post', product_id: 1, title: 'Care', slug: 'care' })
        .returning('id as category')
        .executeTakeFirstOrThrow()
      const { data } = await started
        .as('admin')
        .post('/admin/posts?product_id=1', { title: 'Racks', category, image_ids })
      const save: Made['save'] = (who, change) =>
        who.post(`/admin/posts/${data.id}?product_id=1`, { _method: 'PUT', ...change })
      return made(started, 'post', data, 'image', save, `/admin/posts/${data.id}`)
    },
  },
  brochure: {
    field: 'pdf_ids',
    ending: 'pdf',
    isSingle: true,
    make: async (started, pdf_ids) => {
      const { data } = await started
        .as('admin')
        .post('/admin/brochure/create?product_id=1', { title: 'Racks', pdf_ids })
      const save: Made['save'] = (who, change) =>
        who.post(`/admin/brochure/update/${data.id}?product_id=1`, { _method: 'PUT', ...change })
      return made(started, 'brochure', data, 'pdf', save, `/admin/brochure/${data.id}/1`)
    },
  },
  faq: {
    field: 'video_ids',
    ending: 'mp4',
    isSingle: true,
    isAuthored: true,
    make: async (started, video_ids) => {
      const category = await started.as('admin').post('/admin/faqcategories', { title: 'Washing' })
      const { data } = await started
        .as('admin')
        .post('/admin/faqs', { title: 'How?', category_id: category['data'].id, video_ids })
      const save: Made['save'] = (who, change) =>
        who.post(`/admin/faqs/${data.id}`, { _method: 'PUT', ...change })
      return made(started, 'faq', data, 'video', save, `/admin/faqs/${data.id}`)
    },
  },
  category: {
    field: 'icon_ids',
    ending: 'png',
    isSingle: true,
    make: async (started, icon_ids) => {
      const { data } = await started
        .as('admin')
        .post('/admin/categories?product_id=1', { title: 'Washing', icon_ids })
      const save: Made['save'] = (who, change) =>
        who.post(`/admin/categories/${data.id}?product_id=1`, { _method: 'PUT', ...change })
      return made(started, 'category', data, 'icon', save, `/admin/categories/${data.id}`)
    },
  },
  notification: {
    field: 'file_ids',
    ending: 'png',
    isSingle: true,
    make: async (started, file_ids) => {
      const { data } = await started.as('admin').post('/admin/users/send-notification-all', {
        subject: 'Racks',
        message: '<p>Hello</p>',
        type: 1,
        emails: 'all',
        draft: 1,
        file_ids,
      })
      const read = `/admin/users/notification/${data.id}`
      const save: Made['save'] = (who, change) => who.post(read, { _method: 'PUT', ...change })
      return made(started, 'notification', data, 'image', save, read)
    },
  },
}
const all = Object.keys(cases)
const several = all.filter((name) => !cases[name]!.isSingle)
const single = all.filter((name) => cases[name]!.isSingle)

test.each(all)('%s: undo restores a removed file, redo removes it again', async (name) => {
  const started = await startTestApp()
  const admin = started.as('admin')
  const { field, ending, make } = cases[name]!
  const { save, names } = await make(started, [await stage(admin, `first.${ending}`)])
  const { operation } = await save(admin, { [field]: [] })
  expect([operation?.id, await names()]).toEqual([expect.any(Number), []])
  expect(await admin.post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 1, skipped: [] })
  expect(await names()).toEqual([`first.${ending}`])
  expect(await admin.post(`/admin/operations/${operation.id}/redo`)).toMatchObject({ redone: 1, skipped: [] })
  expect(await names()).toEqual([])
})

test.each(all)('%s: undo of a replaced file restores the old file; the history names both', async (name) => {
  const started = await startTestApp()
  const admin = started.as('admin')
  const { field, ending, make } = cases[name]!
  const { id, type, save, names } = await make(started, [await stage(admin, `first.${ending}`)])
  const { operation } = await save(admin, { [field]: [await stage(admin, `second.${ending}`)] })
  expect(await names()).toEqual([`second.${ending}`])
  const { data } = await admin.get(`/admin/records/${type}/${id}/history`)
  expect(data[0].changes).toContainEqual({ field, before: [`first.${ending}`], after: [`second.${ending}`] })
  await admin.post(`/admin/operations/${operation.id}/undo`)
  expect(await names()).toEqual([`first.${ending}`])
})

test.each(several)('%s: files that two users add are both kept', async (name) => {
  const started = await startTestApp()
  const { field, ending, make } = cases[name]!
  const [admin, other] = [started.as('admin'), started.as('super_admin')]
  const first = await stage(admin, `first.${ending}`)
  const { save, names, version } = await make(started, [first])
  const seen = { version: await version(), base: { [field]: [first] } }
  await save(admin, { ...seen, [field]: [first, await stage(admin, `second.${ending}`)] })
  expect(
    await save(other, { ...seen, [field]: [first, await stage(other, `third.${ending}`)] }),
  ).toMatchObject({ status: 200 })
  expect(await names()).toEqual([`first.${ending}`, `second.${ending}`, `third.${ending}`])
})

test.each(several)(
  '%s: one removes a file while another adds one: a conflict that names the files',
  async (name) => {
    const started = await startTestApp()
    const { field, ending, make } = cases[name]!
    const [admin, other] = [started.as('admin'), started.as('super_admin')]
    const first = await stage(admin, `first.${ending}`)
    const { save, names, version } = await make(started, [first])
    const seen = { version: await version(), base: { [field]: [first] } }
    await save(admin, { ...seen, [field]: [first, await stage(admin, `second.${ending}`)] })
    const reply = await save(other, { ...seen, [field]: [] })
    expect(reply).toMatchObject({
      status: 409,
      clashes: [{ field, yours: [], theirs: [`first.${ending}`, `second.${ending}`] }],
    })
    expect(await names()).toEqual([`first.${ending}`, `second.${ending}`])
    // The current record has the values that the next attempt is based on.
    const { current } = reply as unknown as { current: Record<string, unknown> & { version: number } }
    expect(
      await save(other, { [field]: [], version: current.version, base: { [field]: current[field] } }),
    ).toMatchObject({ status: 200 })
    expect(await names()).toEqual([])
  },
)

test.each(single)('%s: two users replace its file: a conflict, and the first file is kept', async (name) => {
  const started = await startTestApp()
  const { field, ending, make, isAuthored } = cases[name]!
  const admin = started.as('admin')
  const other = isAuthored ? admin : started.as('super_admin')
  const first = await stage(admin, `first.${ending}`)
  const { save, names, version } = await make(started, [first])
  const seen = { version: await version(), base: { [field]: [first] } }
  await save(admin, { ...seen, [field]: [await stage(admin, `second.${ending}`)] })
  expect(await save(other, { ...seen, [field]: [await stage(other, `third.${ending}`)] })).toMatchObject({
    status: 409,
    clashes: [{ field, yours: [`third.${ending}`], theirs: [`second.${ending}`] }],
  })
  expect(await names()).toEqual([`second.${ending}`])
})

test('a removed document of an organization is restored by undo, and the history names it', async () => {
  const started = await startTestApp()
  const admin = started.as('admin')
  const id = await enterOrganization(started.db)
  const names = async () =>
    (await admin.get(`/admin/organization/${id}/documents`))['data'].map((one: { name: string }) => one.name)
  const file_id = await stage(admin, 'first.txt')
  const added = await admin.post(`/admin/organization/${id}/documents`, {
    file_ids: [file_id],
    label: 'Offer',
  })
  const removed = await admin.post(`/admin/organization/${id}/documents/remove`, { file_id })
  expect(await names()).toEqual([])
  await admin.post(`/admin/operations/${removed['operation'].id}/undo`)
  expect(await names()).toEqual(['first.txt'])
  await admin.post(`/admin/operations/${added['operation'].id}/undo`)
  expect(await names()).toEqual([])
  await admin.post(`/admin/operations/${added['operation'].id}/redo`)
  expect((await admin.get(`/admin/organization/${id}/documents`))['data']).toMatchObject([
    { name: 'first.txt', label: 'Offer' },
  ])
  const { data } = await admin.get(`/admin/records/organization/${id}/history`)
  expect(data.at(-1).changes).toContainEqual({ field: 'file_ids', before: [], after: ['first.txt'] })
})

test('a removed file is not visible to its uploader, who can only add it to the same record again', async () => {
  const started = await startTestApp()
  const editor = started.as('editor')
  const file = await stage(editor, 'first.txt')
  const make = async () => (await editor.post('/admin/create_contract', { title: 'Linen supply' }))['data'].id
  const [id, other] = [await make(), await make()]
  const seen = async () => (await editor.get(`/files/refs?ids[]=${file}`))['data'].length as number
  await editor.post(`/admin/update_contract/${id}`, { file_ids: [file] })
  expect(await seen()).toBe(1)
  await editor.post(`/admin/update_contract/${id}`, { file_ids: [] })
  expect(await seen()).toBe(0)
  expect(await editor.post(`/admin/update_contract/${other}`, { file_ids: [file] })).toMatchObject({
    status: 422,
  })
  expect(await editor.post(`/admin/update_contract/${id}`, { file_ids: [file] })).toMatchObject({
    status: 200,
  })
  expect(await seen()).toBe(1)
})

test('a removed file is kept for a year for undo, then deleted; undo says so and changes nothing', async () => {
  const started = await startTestApp()
  const { app, db } = started
  const admin = started.as('admin')
  const { make } = cases['contract']!
  const [kept, gone] = [await stage(admin, 'kept.txt'), await stage(admin, 'gone.txt')]
  const { save, names } = await make(started, [kept, gone])
  await db.updateTable('files').set({ created_at: '2020-01-01' }).execute()
  const { operation } = await save(admin, { file_ids: [kept] })
  const removedAgo = (days: number) =>
    db
      .updateTable('file_links')
      .set({ deleted_at: new Date(Date.now() - days * 86_400_000).toISOString() })
      .where('file_id', '=', gone)
      .execute()
  const stored = async () =>
    (await db.selectFrom('files').select('name').orderBy('name').execute()).map(({ name }) => name)
  await removedAgo(364)
  await sweep(app.pool)
  expect(await stored()).toEqual(['gone.txt', 'kept.txt'])
  await removedAgo(366)
  await sweep(app.pool)
  expect(await stored()).toEqual(['kept.txt'])
  expect(await admin.post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    undone: 0,
    skipped: ['Linen supply: One of its files no longer exists.'],
  })
  expect(await names()).toEqual(['kept.txt'])
})
