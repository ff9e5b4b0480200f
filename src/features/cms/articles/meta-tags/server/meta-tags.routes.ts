import { sql } from 'kysely'
import { MetaTagChange, metaTags, type MetaTag } from '#features/cms/articles/meta-tags/contract.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const names = Object.keys(MetaTagChange.shape) as (keyof typeof MetaTagChange.shape)[]

async function getMetaTag(db: Db, id: number): Promise<MetaTag> {
  const product = await db.selectFrom('products').select('id').where('id', '=', id).executeTakeFirst()
  if (!product) throw notFound('Meta tags not found.')
  const row = await db
    .selectFrom('meta_tags as m')
    .leftJoin('staff as s', 's.id', 'm.updated_by')
    .selectAll('m')
    .select('s.name as updated_by_name')
    .where('m.id', '=', id)
    .executeTakeFirst()
  const texts = Object.fromEntries(names.map((name) => [name, row?.[name] ?? ''])) as Record<
    (typeof names)[number],
    string
  >
  return { id, ...texts, updated_at: row?.updated_at ?? null, updated_by_name: row?.updated_by_name ?? null }
}

export function metaTagRoutes(app: App): void {
  implement(app, metaTags.show, async ({ params }, { db }) => ({ data: await getMetaTag(db, params.id) }))

  implement(app, metaTags.update, async ({ params: { id }, body }, { db, viewer, audit }) => {
    const before = await getMetaTag(db, id)
    const updated = { ...body, updated_by: viewer.id, updated_at: sql<string>`now()` }
    await db
      .insertInto('meta_tags')
      .values({ id, ...updated })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(updated))
      .execute()
    const texts = ({ id: _id, updated_at: _at, updated_by_name: _by, ...rest }: MetaTag) => rest
    const after = await getMetaTag(db, id)
    audit({ target: 'meta-tags', id, before: texts(before), after: texts(after) })
    return { message: 'Meta tags saved.', data: after }
  })
}
