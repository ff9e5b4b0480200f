import { expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { articleKindNames, articleKindRow } from '#shared/article-kinds.ts'

// One row more: all that a kind has must follow from it.
vi.mock('#shared/article-kinds.ts', async (original) => {
  const real = await original<typeof import('#shared/article-kinds.ts')>()
  const recipe = { one: 'recipe', many: 'recipes', key: 'event', failedList: 'empty' } as const
  const rows = { ...real.articleKinds, recipe } as Record<string, unknown>
  return { articleKinds: rows, articleKindNames: Object.keys(rows), articleKindRow: (name: string) => rows[name] }
})

const make = async ({ as }: TestApp, kind: string, values: object = {}) =>
  (await as('editor').post(`/admin/${kind}/create?product_id=1`, { title: 'Fresh linen', body: '<p>Hello</p>', ...values }))['data'] as {
    id: number
    slug: string
    version: number
  }

test('a row of the table is six calls', async () => {
  const { app } = await startTestApp()
  const paths = app.implemented.map(({ endpoint: { method, path } }) => `${method} ${path}`)
  expect(articleKindNames).toHaveLength(6)
  for (const kind of articleKindNames)
    expect(paths.filter((path) => path.split('/')[2] === kind).toSorted()).toEqual([
      `DELETE /admin/${kind}/delete/{slug}/{productId}`,
      `GET /admin/${kind}`,
      `GET /admin/${kind}/{slug}/{productId}`,
      `POST /admin/${kind}/create`,
      `POST /admin/${kind}/publish/{slug}/{action}`,
      `PUT /admin/${kind}/update/{slug}`,
    ])
})

test.each(articleKindNames)('%s: created, read, changed, published, taken back and deleted as written; category and tags are dropped', async (kind) => {
  const started = await startTestApp()
  const who = started.as('editor')
  const made = await who.post(`/admin/${kind}/create?product_id=1`, {
    title: 'Fresh linen',
    body: '<p onclick="x()">Text<script>alert(1)</script></p>',
    category: 1,
    tags: ['Care'],
    featured: 0,
  })
  expect(made).toMatchObject({ status: 200, data: { slug: 'fresh-linen', body: '<p>Text</p>', published: 0, author: { id: who.id } } })
  expect(made['data']).not.toHaveProperty('category')
  expect(await who.get(`/admin/${kind}?page=1&product_id=1&search=fresh`)).toMatchObject({ data: [{ slug: 'fresh-linen' }], total: 1, per_page: 20 })
  expect(await who.get(`/admin/${kind}/fresh-linen/1`)).toMatchObject({ data: { title: 'Fresh linen' } })
  const change = (values: object) => who.post(`/admin/${kind}/update/fresh-linen?product_id=1`, { _method: 'PUT', ...values })
  expect(await change({ caption: 'Seen from above' })).toMatchObject({ data: { caption: 'Seen from above', body: '<p>Text</p>' } })
  const publish = (action: string) => who.post(`/admin/${kind}/publish/fresh-linen/${action}?product_id=1`)
  expect(await publish('publish')).toMatchObject({ data: { published: 1, published_at: '2026-03-16T10:00:00.000Z' } })
  expect(await publish('unpublish')).toMatchObject({ data: { published: 0, published_at: null } })
  expect(await publish('away')).toMatchObject({ status: 404 })
  expect(await change({ new_slug: 'linen' })).toMatchObject({ data: { slug: 'linen', old_slugs: ['fresh-linen'] } })
  expect(await who.get(`/admin/${kind}/fresh-linen/1`)).toMatchObject({ data: { slug: 'linen' } })
  expect(await who.post(`/admin/${kind}/update/linen?product_id=1`, { title: 'No method' })).toMatchObject({ status: 405 })
  expect(await who.post(`/admin/${kind}/delete/linen/1`, { _method: 'DELETE' })).toMatchObject({
    message: `Moved to the trash: 1 ${articleKindRow(kind).one}.`,
  })
  expect(await who.get(`/admin/${kind}?product_id=1`)).toMatchObject({ total: 0 })
})

test.each(articleKindNames)('%s: its key alone decides, and creating takes the key that its row names', async (kind) => {
  const started = await startTestApp()
  const { as, db } = started
  const { key, newKey = key } = articleKindRow(kind)
  const { slug } = await make(started, kind)
  const calls = () =>
    Promise.all([
      as('designer').get(`/admin/${kind}`),
      as('designer').get(`/admin/${kind}/${slug}/1`),
      as('designer').post(`/admin/${kind}/update/${slug}?product_id=1`, { _method: 'PUT', caption: 'Mine' }),
      as('designer').post(`/admin/${kind}/publish/${slug}/publish?product_id=1`),
    ])
  const create = () => as('designer').post(`/admin/${kind}/create?product_id=1`, { title: 'Mine' })
  const remove = () => as('designer').post(`/admin/${kind}/delete/${slug}/1`, { _method: 'DELETE' })
  await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  expect([...(await calls()), await create(), await remove()].map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  await db.insertInto('role_permissions').values({ role_id: 13, permission: key }).execute()
  expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await create()).status).toBe(newKey === key ? 200 : 403)
  expect((await remove()).status).toBe(200)
  if (newKey !== key) await db.insertInto('role_permissions').values({ role_id: 13, permission: newKey }).execute()
  expect((await create()).status).toBe(200)
})

test.each(articleKindNames)('%s: a product that is not theirs is 403, an address of another product 404, a reserved word 422', async (kind) => {
  const started = await startTestApp()
  const { as, db } = started
  const { slug } = await make(started, kind)
  expect(await as('editor').get(`/admin/${kind}/${slug}/2`)).toMatchObject({ status: 404 })
  expect(await as('editor').post(`/admin/${kind}/update/${slug}?product_id=2`, { _method: 'PUT', title: 'X' })).toMatchObject({ status: 404 })
  for (const word of ['create', 'edit', 'update', 'delete', 'publish'])
    expect(await as('editor').post(`/admin/${kind}/create?product_id=1`, { title: 'X', new_slug: word })).toMatchObject({
      status: 422,
      errors: { new_slug: [expect.any(String)] },
    })
  // The same address is free in another product.
  expect(await as('editor').post(`/admin/${kind}/create?product_id=2`, { title: 'Fresh linen' })).toMatchObject({ data: { slug } })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('editor').id).where('product_id', '=', 1).execute()
  expect(await as('editor').get(`/admin/${kind}/${slug}/1`)).toMatchObject({ status: 403 })
  expect(await as('editor').get(`/admin/${kind}?product_id=1`)).toMatchObject({ status: 403 })
  expect(await as('editor').post(`/admin/${kind}/delete/${slug}/1`, { _method: 'DELETE' })).toMatchObject({ status: 403 })
})
