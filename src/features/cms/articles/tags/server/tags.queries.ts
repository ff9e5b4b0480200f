import { sql } from 'kysely'
import type { z } from 'zod'
import { columnsOf, selectOf } from '#shared/field.ts'
import type { Tag, TagFilters } from '#features/cms/articles/tags/contract.ts'
import { tagFields } from '#features/cms/articles/tags/fields.ts'
import { freeSlug, type SlugSpace } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Db } from '#server/db/db.ts'
import { matchesSearch } from '#server/record/list.ts'
import { readsOf } from '#server/record/reads.ts'
import { recordKind } from '#server/record/rows.ts'

export const tagKind = recordKind({
  type: 'tag',
  table: 'post_tags',
  name: 'r.name',
  columns: columnsOf(tagFields),
})

/** Tags do not belong to a product. */
export const tagSpace: SlugSpace = { table: 'post_tags', name: 'tag', ofNoProduct: true }

export const tagReads = readsOf<Tag, z.output<typeof TagFilters>>({
  kind: tagKind,
  // The articles with the tag in the viewer's products, not counting those in the trash.
  columns: ({
    products,
  }) => sql`r.id, ${sql.raw(selectOf(tagFields, 'r').join(', '))}, r.updated_at, r.version,
    (select count(*) from post_tag_links l join articles a on a.id = l.article_id where l.tag_id = r.id
      and a.deleted_at is null and a.product_id = any(${products}::int[])) as total_posts`,
  conditions: { search: (search) => matchesSearch('r.search', search) },
  order: () => sql`r.search, r.id`,
  perPage: 20,
})

/** Finds tags that contain the words or have a similar spelling, closest matches first. */
export const searchTags = (db: Db, q: string) =>
  db
    .selectFrom('post_tags')
    .select(['id', 'name', 'slug'])
    .where('deleted_at', 'is', null)
    .where((of) =>
      of.or([
        matchesSearch('search', q),
        of(sql`similarity(search, search_text(${q}))`, '>', sql<number>`0.4`),
      ]),
    )
    .orderBy(sql`similarity(search, search_text(${q}))`, 'desc')
    .orderBy('search')
    .limit(20)
    .execute()

/** Returns the IDs of tags by name, creating missing tags. */
export async function tagsByName(db: Db, names: readonly string[]): Promise<number[]> {
  // The first spelling of a name wins.
  const wanted = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]))
  if (!wanted.size) return []
  // Serialized, so that concurrent requests with the same new tag create it only once.
  await sql`select pg_advisory_xact_lock(hashtext('slug tag 0'))`.execute(db)
  const there = await db
    .selectFrom('post_tags')
    .select(['id', sql<string>`lower(name)`.as('lower')])
    .where(sql`lower(name)`, 'in', [...wanted.keys()])
    .where('deleted_at', 'is', null)
    .execute()
  const ids = there.map(({ id }) => id)
  for (const [lower, name] of wanted) {
    if (there.some((tag) => tag.lower === lower)) continue
    const { id } = await db
      .insertInto('post_tags')
      .values({ name, slug: await freeSlug(db, tagSpace, name) })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return ids
}
