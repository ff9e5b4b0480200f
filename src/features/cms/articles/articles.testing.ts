import type { TestApp } from '#app/testing/start.testing.ts'
import type { ArticleKindName } from '#shared/article-kinds.ts'

/** Returns a post in a category of product 1, created as the Super Admin if there is none yet, for tests. */
export async function makePost({ db, as }: TestApp): Promise<{ id: number; category: number }> {
  const there = await db
    .selectFrom('articles')
    .select(['id', 'category'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (there) return { id: there.id, category: there.category! }
  const { id: category } = await db
    .insertInto('article_categories')
    .values({ product_id: 1, slug: 'linen', title: 'Linen' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('articles')
    .values({
      kind: 'post',
      product_id: 1,
      slug: 'sheets',
      title: 'Sheets',
      category,
      author_id: as('super_admin').id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, category }
}

/** Creates a tag and deletes all others, for tests. */
export async function makeTag({ db }: TestApp): Promise<number> {
  await db.deleteFrom('post_tags').execute()
  const { id } = await db
    .insertInto('post_tags')
    .values({ name: 'Care', slug: 'care' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns a library image, created without a stored file if there is none yet, for tests. */
export async function makeMedium({ db }: TestApp): Promise<number> {
  const there = await db.selectFrom('media').select('id').limit(1).executeTakeFirst()
  if (there) return there.id
  const file = {
    stored_name: `${'a'.repeat(40)}.png`,
    name: 'a.png',
    kind: 'image',
    mime: 'image/png',
    bytes: 1,
    sha256: Buffer.alloc(32),
  }
  const { id: file_id } = await db.insertInto('files').values(file).returning('id').executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('media')
    .values({ product_id: 1, file_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns an article of the given kind in product 1, created if there is none yet, for tests. */
export async function makeArticle({ db, as }: TestApp, kind: ArticleKindName): Promise<number> {
  const there = await db
    .selectFrom('articles')
    .select('id')
    .where('kind', '=', kind)
    .limit(1)
    .executeTakeFirst()
  if (there) return there.id
  const { id } = await db
    .insertInto('articles')
    .values({ kind, product_id: 1, slug: 'towels', title: 'Towels', author_id: as('super_admin').id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns an FAQ, created as the Super Admin in a new category if there is none yet, for tests. */
export async function makeFaq({ db, as }: TestApp): Promise<{ id: number; category_id: number }> {
  const there = await db
    .selectFrom('faqs')
    .select(['id', 'category_id'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (there) return there
  const { id: category_id } = await db
    .insertInto('article_categories')
    .values({ kind: 'faq', slug: 'washing', title: 'Washing' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('faqs')
    .values({ slug: 'how-hot', title: 'How hot?', category_id, author_id: as('super_admin').id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, category_id }
}
