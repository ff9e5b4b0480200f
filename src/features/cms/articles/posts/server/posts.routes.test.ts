import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'

/** Creates a category in product 1 with a post in it. */
async function withPost(started: TestApp, author: TestClient = started.as('editor'), values: object = {}) {
  const category = (await started.as('admin').post('/admin/categories?product_id=1', { title: 'News' }))[
    'data'
  ]
  const made = await author.post('/admin/posts?product_id=1', {
    title: 'Fresh linen daily',
    body: '<p>Hello</p>',
    category: category.id,
    ...values,
  })
  expect(made.status).toBe(200)
  return { category, post: made['data'] as { id: number; slug: string; version: number } }
}

const publish = (who: TestClient, slug: string, action = 'publish') =>
  who.post(`/admin/posts/${slug}/publishing?action=${action}&product_id=1`)

/** Returns an editor who has no relation to the post. */
async function withGrants(started: TestApp) {
  const permissions = [
    'all_posts_list',
    'all_posts_delete',
    'all_posts_create',
    'latest_comments_list',
    'categories_list',
  ] as const
  await started.db
    .insertInto('role_permissions')
    .values(permissions.map((permission) => ({ role_id: 13, permission })))
    .execute()
  return started.as('designer')
}

test('a post is created by multipart with tags[] and a flag 0, read, listed, searched, and hidden from other products', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category } = await withPost(started)
  const made = await as('editor').post('/admin/posts?product_id=1', undefined, {
    form: {
      title: 'Second',
      body: '<p onclick="x()">Text<script>alert(1)</script></p>',
      category: String(category.id),
      'tags[]': 'Spring',
      featured: '0',
      caption: '',
    },
  })
  expect(made).toMatchObject({
    status: 200,
    data: {
      slug: 'second',
      body: '<p>Text</p>',
      tags: ['Spring'],
      featured: 0,
      published: 0,
      published_at: null,
    },
  })
  expect(await as('editor').get('/admin/posts?product_id=1&search=second')).toMatchObject({
    data: [{ slug: 'second' }],
    total: 1,
    per_page: 20,
  })
  expect(await as('editor').get('/admin/posts?product_id=2')).toMatchObject({ total: 0 })
  expect(await as('editor').get('/admin/posts/unpublished?product_id=1')).toMatchObject({ total: 2 })
  expect(await as('editor').get('/admin/categories/news/posts')).toMatchObject({ total: 2 })
  expect(await as('editor').get('/admin/tags/spring/posts')).toMatchObject({ total: 1 })
  expect(await as('editor').get('/admin/users/editor/posts')).toMatchObject({ total: 2 })
  expect(await as('editor').get('/admin/get-post?product_id=1')).toMatchObject({
    data: [{ title: 'Second' }, { title: 'Fresh linen daily' }],
  })
})

test('a slug that was chosen stays when the title changes; a generated one follows it', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category, post } = await withPost(started)
  const own = await as('editor').post('/admin/posts?product_id=1', {
    title: 'Held',
    category: category.id,
    new_slug: 'my-own-address',
  })
  const rename = (slug: string) =>
    as('editor').post(`/admin/posts/${slug}?product_id=1`, { _method: 'PUT', title: 'Renamed' })
  expect(await rename(own['data'].slug as string)).toMatchObject({ data: { slug: 'my-own-address' } })
  // Control: the slug of the other post was never set by a user.
  expect(await rename(post.slug)).toMatchObject({ data: { slug: 'renamed' } })
})

test.each<[string, { product?: number; [field: string]: unknown }]>([
  ['category', {}],
  ['category', { category: 999 }],
  ['category', { category: 1, product: 2 }],
  ['title', { title: ' ', category: 1 }],
  ['new_slug', { category: 1, new_slug: 'unpublished' }],
  ['new_slug', { category: 1, new_slug: '2026' }],
  ['new_slug', { category: 1, new_slug: 'fresh-linen-daily' }],
])('an invalid %s is 422 at its field: %j', async (field, { product = 1, ...values }) => {
  const started = await startTestApp()
  await withPost(started)
  const reply = await started
    .as('editor')
    .post(`/admin/posts?product_id=${product}`, { title: 'One', ...values })
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
})

test('only its author changes a post; role 0 cannot either', async () => {
  const started = await startTestApp()
  const { as } = started
  const { post } = await withPost(started)
  for (const who of [as('super_admin'), as('admin'), await withGrants(started)])
    expect(
      await who.post(`/admin/posts/${post.slug}?product_id=1`, { _method: 'PUT', title: 'Mine now' }),
    ).toMatchObject({
      status: 403,
      message: 'Only the author can do this.',
    })
  expect(
    await as('editor').post(`/admin/posts/${post.slug}?product_id=1`, { title: 'No method' }),
  ).toMatchObject({ status: 405 })
  expect(
    await as('editor').post(`/admin/posts/${post.slug}?product_id=1`, {
      _method: 'PUT',
      short_description: 'Short',
    }),
  ).toMatchObject({
    status: 200,
    data: { title: 'Fresh linen daily', short_description: 'Short', body: '<p>Hello</p>' },
  })
})

test('roles 0 and 1 hand a post over; then the new author changes it and the old one cannot', async () => {
  const started = await startTestApp()
  const { as } = started
  const { post } = await withPost(started)
  expect(
    await as('editor').post(`/admin/posts/${post.slug}/author`, { author_id: as('admin').id }),
  ).toMatchObject({ status: 403 })
  expect(await as('admin').post(`/admin/posts/${post.slug}/author`, { author_id: 99_999 })).toMatchObject({
    status: 422,
  })
  expect(
    await as('super_admin').post(`/admin/posts/${post.slug}/author`, { author_id: as('admin').id }),
  ).toMatchObject({
    data: { author: { id: as('admin').id } },
  })
  expect(
    await as('editor').post(`/admin/posts/${post.slug}`, { _method: 'PUT', title: 'Mine' }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('admin').post(`/admin/posts/${post.slug}`, { _method: 'PUT', title: 'Ours' }),
  ).toMatchObject({ status: 200 })
})

test('publishing is for admins and moderators of its category; the author alone, and `published` in a body, publish nothing', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category, post } = await withPost(started, as('editor'), { published: 1 })
  expect(await as('editor').get(`/admin/posts/${post.slug}`)).toMatchObject({ data: { published: 0 } })
  expect(await publish(as('editor'), post.slug)).toMatchObject({
    status: 403,
    message: 'Only an admin or a category moderator can do this.',
  })
  await as('editor').post(`/admin/posts/${post.slug}`, { _method: 'PUT', published: 1 })
  expect(await publish(as('admin'), post.slug)).toMatchObject({
    status: 200,
    data: { published: 1, published_at: '2026-03-16T10:00:00.000Z' },
  })
  expect(
    await as('editor').post(`/admin/categories/${category.id}/moderators`, { staff_ids: [as('editor').id] }),
  ).toMatchObject({ status: 403 })
  await as('admin').post(`/admin/categories/${category.id}/moderators`, { staff_ids: [as('editor').id] })
  expect(await as('editor').get(`/admin/categories/${category.id}/moderators`)).toMatchObject({
    data: [{ id: as('editor').id }],
  })
  expect(await publish(as('editor'), post.slug, 'unpublish')).toMatchObject({
    status: 200,
    data: { published: 0, published_at: null },
  })
  expect(await publish(as('editor'), post.slug, 'away')).toMatchObject({ status: 422 })
})

test.each([
  ['admin', 200],
  ['editor', 200],
  ['moderator', 200],
  ['nobody', 403],
] as const)('deleting and tagging a post by %s: %i', async (relation, status) => {
  const started = await startTestApp()
  const { as } = started
  const { category, post } = await withPost(started)
  const designer = await withGrants(started)
  if (relation === 'moderator')
    await as('admin').post(`/admin/categories/${category.id}/moderators`, { staff_ids: [designer.id] })
  const who = relation === 'admin' || relation === 'editor' ? as(relation) : designer
  expect((await who.post(`/admin/posts/${post.slug}/assign-tags`, { tags: ['Care'] })).status).toBe(status)
  expect((await who.post('/admin/records/post/trash', { ids: [post.id] })).status).toBe(status)
  if (status === 200) await who.post('/admin/records/post/restore', { ids: [post.id] })
  const deleted = await who.post(`/admin/posts/${post.slug}?product_id=1`, { _method: 'DELETE' })
  expect(deleted.status).toBe(status)
  expect(deleted['message']).toBe(
    status === 200
      ? 'Moved to trash: 1 post.'
      : 'Only an admin, the author, or a category moderator can do this.',
  )
})

test('the title makes the slug until it is first published; then only new_slug does, and every old slug leads to the post', async () => {
  const started = await startTestApp()
  const { as } = started
  const { post } = await withPost(started)
  const change = (values: object) =>
    as('editor').post(`/admin/posts/${post.id}`, { _method: 'PUT', ...values })
  expect(await change({ title: 'Better linen' })).toMatchObject({ data: { slug: 'better-linen' } })
  await publish(as('admin'), 'better-linen')
  expect(await change({ title: 'Best linen' })).toMatchObject({ data: { slug: 'better-linen' } })
  await change({ new_slug: 'best-linen' })
  expect(await change({ new_slug: 'finest-linen' })).toMatchObject({
    data: { slug: 'finest-linen', old_slugs: ['fresh-linen-daily', 'better-linen', 'best-linen'] },
  })
  for (const old of ['fresh-linen-daily', 'better-linen', 'best-linen', 'finest-linen', String(post.id)])
    expect([old, (await as('editor').get(`/admin/posts/${old}?product_id=1`))['data']?.slug]).toEqual([
      old,
      'finest-linen',
    ])
  expect(await change({ new_slug: 'better-linen' })).toMatchObject({ data: { slug: 'better-linen' } })
  expect((await as('editor').get('/admin/posts/finest-linen'))['data'].slug).toBe('better-linen')
})

test('a slug that another post had is not reused; two equal concurrent ones both exist, with different slugs', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category, post } = await withPost(started)
  await as('editor').post(`/admin/posts/${post.id}`, { _method: 'PUT', new_slug: 'elsewhere' })
  expect(
    await as('editor').post('/admin/posts', {
      title: 'X',
      category: category.id,
      new_slug: 'fresh-linen-daily',
    }),
  ).toMatchObject({ status: 422 })
  const both = await Promise.all(
    [1, 2].map(() =>
      as('editor').post('/admin/posts', { title: 'Fresh linen daily', category: category.id }),
    ),
  )
  expect(both.map((reply) => reply['data'].slug).toSorted()).toEqual([
    'fresh-linen-daily-2',
    'fresh-linen-daily-3',
  ])
})

test('the caption stays if it is not sent and is cleared by an empty text; changes to different fields are merged', async () => {
  const started = await startTestApp()
  const { as } = started
  const { post } = await withPost(started, as('editor'), { caption: 'Seen from above' })
  const change = (values: object) =>
    as('editor').post(`/admin/posts/${post.id}`, { _method: 'PUT', ...values })
  expect(await change({ short_description: 'a' })).toMatchObject({ data: { caption: 'Seen from above' } })
  expect(
    await change({ title: 'Later', version: post.version, base: { title: 'Fresh linen daily' } }),
  ).toMatchObject({
    status: 200,
    data: { short_description: 'a', title: 'Later' },
  })
  expect(
    await change({ title: 'Latest', version: post.version, base: { title: 'Fresh linen daily' } }),
  ).toMatchObject({
    status: 409,
    clashes: [{ field: 'title' }],
  })
  expect(await change({ caption: '' })).toMatchObject({ data: { caption: '' } })
})

test('posts of other products do not exist', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { post } = await withPost(started)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 1)
    .execute()
  expect(await as('admin').get('/admin/posts?product_id=1')).toMatchObject({ status: 403 })
  expect(await as('admin').get('/admin/posts')).toMatchObject({ total: 0 })
  expect(await as('admin').get(`/admin/posts/${post.slug}`)).toMatchObject({ status: 404 })
  expect(await publish(as('admin'), String(post.id))).toMatchObject({ status: 403 })
  expect(await as('admin').post(`/admin/posts/${post.id}`, { _method: 'DELETE' })).toMatchObject({
    status: 404,
  })
})

test('after random renames, publishes, and undos, every slug that ever existed leads to its current post, in one step', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { category } = await withPost(started)
  const names = ['linen', 'towels', 'care', 'news', 'wash', 'fold', 'press']
  let state = 11
  const below = (most: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % most
  const ids: number[] = []
  for (const title of names.slice(0, 4))
    ids.push((await as('editor').post('/admin/posts', { title, category: category.id }))['data'].id as number)
  /** Model that tracks the last owner of each slug. */
  const owners = new Map<string, number>()
  const note = async () => {
    for (const { id, slug } of await db
      .selectFrom('articles')
      .select(['id', 'slug'])
      .where('id', 'in', ids)
      .execute())
      owners.set(slug, id)
  }
  const operations: number[] = []
  await note()
  for (let turn = 0; turn < 120; turn += 1) {
    const id = ids[below(ids.length)]!
    const way = below(6)
    if (way === 0) await publish(as('admin'), String(id), below(2) ? 'publish' : 'unpublish')
    else if (way === 1 && operations.length)
      await as('editor').post(`/admin/operations/${operations[below(operations.length)]!}/undo`)
    else {
      const word = names[below(names.length)]!
      const reply = await as('editor').post(`/admin/posts/${id}`, {
        _method: 'PUT',
        ...(way === 2 ? { title: word } : { new_slug: `${word}${way > 4 ? '' : `-${turn}`}` }),
      })
      // A slug that another post has or had is rejected with an error on its field.
      expect([200, 422]).toContain(reply.status)
      if (reply['operation']) operations.push(reply['operation'].id as number)
    }
    await note()
  }
  expect(owners.size).toBeGreaterThan(40)
  for (const [slug, id] of owners)
    expect([slug, (await as('editor').get(`/admin/posts/${slug}?product_id=1`))['data']?.id]).toEqual([
      slug,
      id,
    ])
  // There are no chains or loops: each row points to a record, and no row has the current slug of a record.
  const loops = await db
    .selectFrom('slug_redirects as o')
    .innerJoin('articles as a', 'a.id', 'o.record_id')
    .select('o.slug')
    .where('o.kind', '=', 'post')
    .whereRef('a.slug', '=', 'o.slug')
    .execute()
  expect(loops).toEqual([])
})

test('of two posts that want the same slug at the same time one gets it, the other gets an error', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category } = await withPost(started)
  const both = await Promise.all(
    ['A', 'B'].map((title) =>
      as('editor').post('/admin/posts', { title, category: category.id, new_slug: 'one-address' }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
})

test('other posts of a product with the same meta title or description are named; not itself, nor one in the trash or of another product', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { category, post } = await withPost(started, as('editor'), {
    meta_title: 'Linen',
    meta_description: 'How to wash it',
  })
  const make = async (title: string, values: object) =>
    (await as('editor').post('/admin/posts', { title, category: category.id, ...values }))['data'] as {
      id: number
    }
  await make('Second', { meta_title: 'LINEN' })
  const third = await make('Third', { meta_title: 'Linen', meta_description: 'how to wash it' })
  const other = await make('Other', { meta_title: 'Linen' })
  await db.updateTable('articles').set({ product_id: 3 }).where('id', '=', other.id).execute()
  const same = (query: string) =>
    as('editor').get(
      `/admin/articles/same-meta?product_id=1&meta_title=linen&meta_description=How+to+wash+it${query}`,
    )
  expect(await same(`&except=${post.id}`)).toMatchObject({
    meta_title: ['Third', 'Second'],
    meta_description: ['Third'],
  })
  await as('editor').post(`/admin/posts/${third.id}`, { _method: 'DELETE' })
  expect(await same(`&except=${post.id}`)).toMatchObject({ meta_title: ['Second'], meta_description: [] })
  expect(await as('editor').get('/admin/articles/same-meta?product_id=1')).toMatchObject({
    meta_title: [],
    meta_description: [],
  })
  expect(await as('crm').get('/admin/articles/same-meta?product_id=1&meta_title=linen')).toMatchObject({
    status: 403,
  })
})

test("moving a post into another product's category is refused at the field", async () => {
  const started = await startTestApp()
  const { as } = started
  const { post } = await withPost(started)
  const other = (await as('admin').post('/admin/categories?product_id=3', { title: 'News' }))['data']
  const reply = await as('editor').post(`/admin/posts/${post.id}`, { _method: 'PUT', category: other.id })
  expect(reply).toMatchObject({ status: 422, errors: { category: ['Choose a category in this product.'] } })
})

test('a staged file that is not an image is refused at its field', async () => {
  const started = await startTestApp()
  const { category } = await withPost(started)
  const staged = await started
    .as('editor')
    .post('/files/stage', undefined, { form: { file: { name: 'words.txt', bytes: Buffer.from('words') } } })
  expect(
    await started
      .as('editor')
      .post('/admin/posts', { title: 'X', category: category.id, image_ids: [staged['data'].id] }),
  ).toMatchObject({
    status: 422,
    errors: { image_ids: ['words.txt isn’t an image.'] },
  })
})

test('nesting 10,000 deep and a text of 5 MB are refused with a message at the field', async () => {
  const started = await startTestApp()
  const { category } = await withPost(started)
  const create = (body: string) =>
    started.as('editor').post('/admin/posts', { title: 'X', category: category.id, body })
  expect(await create('<blockquote>'.repeat(10_000))).toMatchObject({
    status: 422,
    errors: { body: [expect.any(String)] },
  })
  expect(await create('x'.repeat(2_000_001))).toMatchObject({
    status: 422,
    errors: { body: [expect.any(String)] },
  })
  expect((await create('x'.repeat(5_000_001))).status).toBe(413)
})

test('undoing a text restores its images in the same transaction; redo removes them again', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  )
  const { category } = await withPost(started)
  const staged = await as('editor').post('/files/stage', undefined, {
    form: { file: { name: 'dot.png', bytes: png, type: 'image/png' } },
  })
  const image = staged['data'].id as number
  const made = await as('editor').post('/admin/posts', {
    title: 'Towels',
    category: category.id,
    body: `<p>Look</p><img data-file-id="${image}">`,
  })
  const linked = async () =>
    (
      await db
        .selectFrom('file_links')
        .select('id')
        .where('file_id', '=', image)
        .where('record_type', '=', 'post')
        .where('deleted_at', 'is', null)
        .execute()
    ).length
  expect(await linked()).toBe(1)
  const path = `/admin/posts/${made['data'].slug}`
  const { operation } = await as('editor').post(path, { _method: 'PUT', body: '<p>Gone</p>' })
  expect(await linked()).toBe(0)
  expect(await as('editor').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 1 })
  expect(await linked()).toBe(1)
  await as('editor').post(`/admin/operations/${operation.id}/redo`)
  expect(await linked()).toBe(0)
})
