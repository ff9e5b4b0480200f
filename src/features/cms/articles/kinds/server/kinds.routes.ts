import { articleKindNames, articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { publishAction } from '#features/cms/articles/shared/contract.ts'
import { callsOf } from '#features/cms/articles/kinds/contract.ts'
import { findArticles, getArticle, getArticleRow } from '#features/cms/articles/kinds/server/kinds.queries.ts'
import { articleKind, changeArticle, createArticle, idOfArticle, matchPictures, publishArticle } from '#features/cms/articles/shared/server/articles.queries.ts'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { linksFor } from '#server/record-files.ts'
import { isVisible, trashRecords } from '#server/record/record.ts'

/** The calls of every kind of article. */
export function kindRoutes(app: App): void {
  for (const name of articleKindNames) routesOf(app, name)
}

function routesOf(app: App, name: ArticleKindName): void {
  const { one, key } = articleKindRow(name)
  const calls = callsOf(name)
  const kind = articleKind(name)
  const Named = `${one[0]!.toUpperCase()}${one.slice(1)}`
  app.records.register(kind)
  app.files.mayRead(name, async (db, id, viewer) => can(viewer, key) && (await isVisible(db, kind, id, viewer)))
  app.live.onChanged(name, (ids) => void matchPictures(app.db, kind, ids).catch(() => {}))

  implement(app, calls.list, ({ query }, { db, viewer }) => findArticles(db, name, query, viewer))

  implement(app, calls.show, async ({ params }, context) => {
    const { db, viewer } = context
    const id = await idOfArticle(db, kind, params.slug, params.productId, viewer)
    return { data: await getArticle(db, name, id, linksFor(context)) }
  })

  implement(app, calls.create, async ({ query, body }, context) => {
    const id = await createArticle(app.files, context, kind, productFor(query.product_id, context.viewer), body, {}, true)
    return { message: `${Named} created.`, data: await getArticle(context.db, name, id, linksFor(context)) }
  })

  implement(app, calls.update, async ({ params, query, body }, context) => {
    const { db, viewer } = context
    const id = await idOfArticle(db, kind, params.slug, query.product_id, viewer)
    const current = () => getArticle(db, name, id, linksFor(context))
    const operation = await changeArticle(app.files, context, kind, id, body, { stated: { version: body.version, base: body.base }, current })
    return { message: `${Named} saved.`, data: await current(), operation }
  })

  implement(app, calls.remove, async ({ params }, context) => {
    const id = await idOfArticle(context.db, kind, params.slug, params.productId, context.viewer)
    const operation = await trashRecords(context, kind, [id])
    return { message: `${operation.summary}.`, operation }
  })

  implement(app, calls.publishing, async ({ params, query }, context) => {
    const { db, viewer } = context
    const action = publishAction.safeParse(params.action).data
    if (action === undefined) throw notFound('Address')
    const id = await idOfArticle(db, kind, params.slug, query.product_id, viewer)
    const done = await publishArticle(context, kind, id, action === 'publish')
    return { ...done, data: await getArticleRow(db, name, id) }
  })
}

/** Where no product is said: the caller's only one. */
function productFor(product_id: number | undefined, { products }: Viewer): number {
  const chosen = product_id ?? (products.length === 1 ? products[0] : undefined)
  if (chosen === undefined) throw invalid('product_id', 'Choose a product.')
  return chosen
}
