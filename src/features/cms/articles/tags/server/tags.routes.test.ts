import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { makePost } from '#features/cms/articles/articles.testing.ts'

test('tags are created by naming them, ignoring case; only admins rename and delete them; old slugs still work', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = await makePost(started)
  await as('super_admin').post(`/admin/posts/${id}/assign-tags`, { tags: ['Towels', 'towels', 'Care'] })
  expect(await as('designer').get('/admin/tags?search=towel')).toMatchObject({
    data: [{ name: 'Towels', slug: 'towels', total_posts: 1 }],
    total: 1,
    per_page: 20,
  })
  expect((await as('designer').get('/tags/search?q=towls'))['data']).toMatchObject([{ name: 'Towels' }])
  expect(await as('editor').post('/admin/tags/towels', { _method: 'PUT', name: 'Bath' })).toMatchObject({
    status: 403,
  })
  expect(await as('admin').post('/admin/tags/towels', { _method: 'PUT', name: 'care' })).toMatchObject({
    status: 422,
  })
  expect(await as('admin').post('/admin/tags/towels', { _method: 'PUT', name: 'Bath' })).toMatchObject({
    status: 200,
    data: { slug: 'bath' },
  })
  expect(await as('editor').get('/admin/tags/towels')).toMatchObject({ data: { name: 'Bath' } })
  expect(await as('editor').get('/admin/tags/towels/posts')).toMatchObject({ total: 1 })
  expect(await as('editor').post('/admin/tags/bath', { _method: 'DELETE' })).toMatchObject({ status: 403 })
  expect(await as('admin').post('/admin/tags/bath', { _method: 'DELETE' })).toMatchObject({ status: 200 })
  expect(await as('super_admin').get(`/admin/posts/${id}`)).toMatchObject({ data: { tags: ['Care'] } })
})

test("a tag counts the posts of the reader's products only, as its list shows them", async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id } = await makePost(started)
  await as('super_admin').post(`/admin/posts/${id}/assign-tags`, { tags: ['Care'] })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('editor').id)
    .where('product_id', '=', 1)
    .execute()
  for (const [who, count] of [
    ['super_admin', 1],
    ['editor', 0],
  ] as const) {
    expect(await as(who).get('/admin/tags')).toMatchObject({ data: [{ total_posts: count }] })
    expect(await as(who).get('/admin/tags/care')).toMatchObject({ data: { total_posts: count } })
    expect(await as(who).get('/admin/tags/care/posts')).toMatchObject({ total: count })
  }
})
