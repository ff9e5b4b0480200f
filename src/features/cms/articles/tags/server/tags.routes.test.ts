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
