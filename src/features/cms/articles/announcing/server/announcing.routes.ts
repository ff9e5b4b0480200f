import { articleKindNames, articleKindRow } from '#shared/article-kinds.ts'
import { can } from '#shared/access.ts'
import { announcing } from '#features/cms/articles/announcing/contract.ts'
import {
  countSubscribers,
  factsOfArticle,
  findShown,
} from '#features/cms/articles/announcing/server/announcing.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function announcingRoutes(app: App): void {
  app.mail.registerFacts(['announcement'], (db, id) => factsOfArticle(db, app.addresses.publicUrl, id))
  implement(app, announcing.subscribers, async ({ query }, { db }) => ({
    total: await countSubscribers(db, query.product_id),
  }))

  implement(app, announcing.shown, async ({ query }, { db, viewer }) => ({
    data: await findShown(db, query.product_id, viewer),
  }))

  // Viewers who can read an article can also see the progress of its email.
  const kinds = [
    ['post', 'all_posts_list'] as const,
    ...articleKindNames.map((name) => [name, articleKindRow(name).key] as const),
  ]
  for (const [type, key] of kinds)
    app.mail.access.registerReadCheck(type, async (db, id, viewer) => {
      if (!can(viewer, key)) return false
      const row = await db
        .selectFrom('articles')
        .select('product_id')
        .where('id', '=', id)
        .where('kind', '=', type)
        .executeTakeFirst()
      return row !== undefined && viewer.products.includes(row.product_id)
    })
}
