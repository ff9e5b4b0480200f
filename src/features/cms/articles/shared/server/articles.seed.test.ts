import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { seedArticles } from '#features/cms/articles/shared/server/articles.seed.ts'

test('the demo has sixty posts, each with an image that loads, some with one in the text; seeding again adds none', async () => {
  const { as, app, db } = await startTestApp()
  await seedArticles(db, '2026-11-20', app.files)
  await seedArticles(db, '2026-11-20', app.files)
  const posts = await db
    .selectFrom('articles')
    .select(['slug', 'product_id', 'body'])
    .where('kind', '=', 'post')
    .orderBy('id')
    .execute()
  expect(posts).toHaveLength(60)
  expect(posts.filter(({ body }) => body.includes('data-file-id')).length).toBeGreaterThan(10)
  const [first] = posts
  for (const { slug, product_id } of posts) {
    const { data } = await as('super_admin').get(`/admin/posts/${slug}?product_id=${product_id}`)
    expect([slug, data.image?.name]).toEqual([slug, expect.stringMatching(/^cloth-\d\.jpg$/)])
    if (slug !== first!.slug) continue
    const picture = await as(undefined).get(data.image.url.replace(/^\/api/, ''))
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg'])
  }
})
