import { sql } from 'kysely'
import { tags } from '#features/cms/articles/tags/contract.ts'
import { searchTags, tagKind, tagReads, tagSpace } from '#features/cms/articles/tags/server/tags.queries.ts'
import { findBySlug, freeSlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeRecord, trashRecords } from '#server/record/record.ts'

async function idOf(db: Db, slug: string, viewer: Viewer): Promise<number> {
  const id = await findBySlug(db, tagSpace, slug, viewer)
  if (id === undefined) throw notFound('Tag not found.')
  return id
}

export function tagRoutes(app: App): void {
  app.records.register(tagKind)

  implement(app, tags.list, ({ query }, { db, viewer }) => tagReads.page(db, query, viewer))

  implement(app, tags.search, async ({ query }, { db }) => ({ data: await searchTags(db, query.q) }))

  implement(app, tags.show, async ({ params }, { db, viewer }) => ({
    data: await tagReads.row(db, await idOf(db, params.slug, viewer), viewer),
  }))

  implement(app, tags.update, async ({ params, body: { name } }, context) => {
    const { db, viewer } = context
    const id = await idOf(db, params.slug, viewer)
    const { name: before } = await tagReads.row(db, id, viewer)
    const other = await db
      .selectFrom('post_tags')
      .select('id')
      .where(sql`lower(name)`, '=', name.toLowerCase())
      .where('id', '<>', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (other) throw invalid('name', 'A tag with this name already exists.')
    const values = name === before ? {} : { name, slug: await freeSlug(db, tagSpace, name, id) }
    const { operation } = await changeRecord(context, tagKind, id, values, { summary: 'Renamed' })
    return { message: 'Tag saved.', data: await tagReads.row(db, id, viewer), operation }
  })

  implement(app, tags.remove, async ({ params }, context) => {
    const operation = await trashRecords(context, tagKind, [
      await idOf(context.db, params.slug, context.viewer),
    ])
    return { message: `${operation.summary}.`, operation }
  })
}
