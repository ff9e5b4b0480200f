import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const make = async ({ as }: TestApp, title: string, values: object = {}) =>
  (await as('admin').post('/admin/categories?product_id=1', { title, ...values }))['data'] as {
    id: number
    slug: string
    version: number
  }

test('categories are created and deleted by admins, changed by admins and their moderators', async () => {
  const started = await startTestApp()
  const { as } = started
  expect(await as('editor').post('/admin/categories?product_id=1', { title: 'News' })).toMatchObject({
    status: 403,
  })
  const { id } = await make(started, 'News')
  const change = () =>
    as('editor').post(`/admin/categories/${id}?product_id=1`, {
      _method: 'PUT',
      id,
      description: 'Company news',
    })
  expect(await change()).toMatchObject({
    status: 403,
    message: 'Only an admin or a category moderator can do this.',
  })
  await as('admin').post(`/admin/categories/${id}/moderators`, { staff_ids: [as('editor').id] })
  expect(await change()).toMatchObject({
    status: 200,
    data: { description: 'Company news', moderated: true },
  })
  expect(await as('editor').send('DELETE', '/admin/categories/news?product_id=1')).toMatchObject({
    status: 403,
  })
  expect(await as('editor').post('/admin/records/category/trash', { ids: [id] })).toMatchObject({
    status: 403,
  })
  expect(await as('admin').send('DELETE', '/admin/categories/news?product_id=1')).toMatchObject({
    status: 200,
    message: 'Moved to trash: 1 category.',
  })
  expect(await as('support').get('/admin/categories?product_id=1')).toMatchObject({ status: 403 })
})

test('they are a tree; a cycle is refused with its path, even if two concurrent moves would create it', async () => {
  const started = await startTestApp()
  const { as } = started
  const a = await make(started, 'A')
  const b = await make(started, 'B', { parent_id: a.id })
  const c = await make(started, 'C', { parent_id: b.id })
  const move = (id: number, parent_id: number | string) =>
    as('admin').post(`/admin/categories/${id}`, { _method: 'PUT', parent_id })
  expect(await move(a.id, c.id)).toMatchObject({
    status: 422,
    errors: { parent_id: ['A category can’t be inside its own subcategory: A › B › C › A.'] },
  })
  expect(await as('admin').get('/admin/categories?product_id=1')).toMatchObject({
    data: [
      { title: 'A', depth: 0 },
      { title: 'B', depth: 1 },
      { title: 'C', depth: 2 },
    ],
    total: 3,
  })
  expect((await as('designer').get(`/categories/search?q=&current=${b.id}&admin=1`))['data']).toMatchObject([
    { title: 'A' },
  ])
  expect((await as('designer').get('/categories/search-child-categories?q=c'))['data']).toMatchObject([
    { title: 'C' },
  ])
  // The other search also leaves out a category and its descendants.
  expect(
    (await as('designer').get(`/categories/search-child-categories?q=&current=${c.id}`))['data'],
  ).toMatchObject([{ title: 'B' }])
  expect(
    (await as('designer').get(`/categories/search-child-categories?q=&current=${b.id}`))['data'],
  ).toEqual([])
  await move(b.id, '')
  const both = await Promise.all([move(a.id, c.id), move(b.id, a.id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

test('a category with posts says what it contains; with a target they move there and it is deleted', async () => {
  const started = await startTestApp()
  const { as } = started
  const [full, other] = [await make(started, 'Full'), await make(started, 'Other')]
  await as('editor').post('/admin/posts', { title: 'In it', category: full.id })
  expect(await as('admin').send('DELETE', '/admin/categories/full')).toMatchObject({
    status: 409,
    current: { posts: 1, children: 0 },
  })
  expect(await as('admin').send('DELETE', `/admin/categories/full?move_to=${full.id}`)).toMatchObject({
    status: 422,
  })
  expect(await as('admin').send('DELETE', `/admin/categories/full?move_to=${other.id}`)).toMatchObject({
    status: 200,
  })
  expect(await as('admin').get('/admin/posts/in-it')).toMatchObject({
    data: { category: other.id, category_title: 'Other' },
  })
  expect(await as('admin').get('/admin/categories')).toMatchObject({
    data: [{ title: 'Other', total_posts: 1, published_posts: 0 }],
  })
})

test('undoing the deletion of a category brings its posts and child categories back', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const [full, other] = [await make(started, 'Full'), await make(started, 'Other')]
  const child = await make(started, 'Child', { parent_id: full.id })
  const { data: post } = await as('editor').post('/admin/posts', { title: 'In it', category: full.id })
  const places = async () => [
    (await db.selectFrom('articles').select('category').where('id', '=', post.id).executeTakeFirst())
      ?.category,
    (
      await db
        .selectFrom('article_categories')
        .select('parent_id')
        .where('id', '=', child.id)
        .executeTakeFirst()
    )?.parent_id,
    (
      await db
        .selectFrom('article_categories')
        .select('deleted_at')
        .where('id', '=', full.id)
        .executeTakeFirst()
    )?.deleted_at === null,
  ]
  const { operation } = await as('admin').send('DELETE', `/admin/categories/full?move_to=${other.id}`)
  expect(await places()).toEqual([other.id, other.id, false])
  expect(await as('admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 200 })
  expect(await places()).toEqual([full.id, full.id, true])
  expect(await as('admin').post(`/admin/operations/${operation.id}/redo`)).toMatchObject({ status: 200 })
  expect(await places()).toEqual([other.id, other.id, false])
})

test('with more categories than a search returns, each is found by name, and the chosen one is always included', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const rows = Array.from({ length: 120 }, (_, n) => `Topic ${String(n).padStart(3, '0')}`)
  for (const kind of ['post', 'faq'] as const)
    await db
      .insertInto('article_categories')
      .values(
        rows.map((title, n) => ({
          kind,
          title,
          slug: `${kind}-${n}`,
          ...(kind === 'post' ? { product_id: 1 } : {}),
        })),
      )
      .execute()
  const last = await db
    .selectFrom('article_categories')
    .select(['id', 'kind'])
    .where('title', '=', 'Topic 119')
    .execute()
  for (const [kind, path, word, rowsOf] of [
    ['post', '/categories/search?product_id=1', 'q', 'data'],
    ['faq', '/faqcategories/search?', 'q', 'data'],
    ['faq', '/admin/faq-categories?', 'query', 'categories'],
  ] as const) {
    const { id } = last.find((one) => one.kind === kind)!
    const found = async (query: string) =>
      ((await as('editor').get(`${path}&${query}`))[rowsOf] as { id: number; title: string }[]).map(
        ({ title }) => title,
      )
    expect(await found(`${word}=`)).toEqual(rows.slice(0, 100))
    expect(await found(`${word}=119`)).toEqual(['Topic 119'])
    expect(await found(`${word}=&chosen=${id}`)).toEqual(['Topic 119', ...rows.slice(0, 99)])
    expect(await found(`${word}=000&chosen=${id}`)).toEqual(['Topic 119', 'Topic 000'])
  }
  // Sending an ID must not reveal a category of a product that the caller has no access to.
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('editor').id)
    .where('product_id', '=', 1)
    .execute()
  expect(
    (
      await as('editor').get(`/categories/search?q=119&chosen=${last.find((one) => one.kind === 'post')!.id}`)
    )['data'],
  ).toEqual([])
})

test('an icon is an image or text: the one that is sent replaces the other, and another file type is refused', async () => {
  const started = await startTestApp()
  const { as } = started
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const made = await as('admin').post('/admin/categories?product_id=1', undefined, {
    form: { title: 'News', icon: { name: 'red.png', bytes } },
  })
  expect(made).toMatchObject({
    status: 200,
    data: { icon: '', icon_file: { name: 'red.png', kind: 'image' } },
  })
  const row = async () =>
    (
      (await as('editor').get('/admin/categories'))['data'] as {
        icon: string
        icon_file: { name: string } | null
      }[]
    )[0]!
  expect(await row()).toMatchObject({ icon_file: { name: 'red.png' } })
  const change = (values: object) => as('admin').post('/admin/categories/news', { _method: 'PUT', ...values })
  expect(await change({ title: 'News' })).toMatchObject({ data: { icon_file: { name: 'red.png' } } })
  expect(await change({ icon: '☀' })).toMatchObject({ data: { icon: '☀', icon_file: null } })
  const stage = async (name: string, content: Buffer | string) =>
    (
      await as('admin').post('/files/stage', undefined, {
        form: { file: { name, bytes: Buffer.from(content) } },
      })
    )['data'].id as number
  expect(await change({ icon_ids: [await stage('words.txt', 'words')] })).toMatchObject({
    status: 422,
    errors: { icon_ids: ['words.txt isn’t an image.'] },
  })
  expect(await change({ icon_ids: [await stage('blue.png', bytes)] })).toMatchObject({
    data: { icon: '', icon_file: { name: 'blue.png' } },
  })
  expect(await row()).toMatchObject({ icon: '', icon_file: { name: 'blue.png' } })
  expect(await change({ icon_ids: [] })).toMatchObject({ data: { icon_file: null } })
  expect(await row()).toMatchObject({ icon: '', icon_file: null })
})

test('a category by its id, its slug, and an old slug; one of another product does not exist', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id } = await make(started, 'News')
  await as('admin').post(`/admin/categories/${id}`, { _method: 'PUT', slug: 'latest' })
  for (const name of [String(id), 'latest', 'news'])
    expect([name, (await as('editor').get(`/admin/categories/${name}?product_id=1`))['data']?.id]).toEqual([
      name,
      id,
    ])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('editor').id)
    .where('product_id', '=', 1)
    .execute()
  expect(await as('editor').get(`/admin/categories/${id}`)).toMatchObject({ status: 404 })
})
