import { articleKindNames, articleKindRow, hasPart, type ArticleKindName } from '#shared/article-kinds.ts'
import { publishAction } from '#features/cms/articles/shared/contract.ts'
import { callsOf, pdfOf } from '#features/cms/articles/kinds/contract.ts'
import {
  findArticles,
  getArticle,
  getArticleRow,
  getPdf,
} from '#features/cms/articles/kinds/server/kinds.queries.ts'
import { noWhen, whyNotWhen, type When } from '#features/cms/articles/kinds/rules.ts'
import {
  articleColumns,
  articleKind,
  changeArticle,
  createArticle,
  idOfArticle,
  syncPictureLinks,
  publishArticle,
  type ArticleWriting,
} from '#features/cms/articles/shared/server/articles.queries.ts'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { countFailure } from '#server/failures.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import type { ReceivedFile } from '#server/inspect-file.ts'
import { attachFiles, detachFiles, linksFor } from '#server/record-files.ts'
import { isVisible, lockRecord, trashRecords } from '#server/record/record.ts'
import { sendFile } from '#server/send-file.ts'

/** Registers the endpoints of every kind of article. */
export function kindRoutes(app: App): void {
  for (const name of articleKindNames) routesOf(app, name)
}

function routesOf(app: App, name: ArticleKindName): void {
  const { one, key } = articleKindRow(name)
  const calls = callsOf(name)
  const kind = articleKind(
    name,
    hasPart(name, 'time') ? { columns: [...articleColumns, ...Object.keys(noWhen)] } : {},
  )
  const Named = `${one[0]!.toUpperCase()}${one.slice(1)}`
  app.records.register(kind)
  app.files.registerReadCheck(
    name,
    async (db, id, viewer) => can(viewer, key) && (await isVisible(db, kind, id, viewer)),
  )
  app.live.onChanged(
    name,
    (ids) =>
      void syncPictureLinks(app.db, kind, ids).catch(
        countFailure(app.http.log, 'the pictures of texts were not linked'),
      ),
  )

  implement(app, calls.list, ({ query }, { db, viewer }) => findArticles(db, name, query, viewer))

  implement(app, calls.show, async ({ params }, context) => {
    const { db, viewer } = context
    const id = await idOfArticle(db, kind, params.slug, params.productId, viewer)
    return { data: await getArticle(db, name, id, linksFor(context)) }
  })

  implement(app, calls.create, async ({ query, body }, context) => {
    const { pdf_ids, ...article } = body
    demandWhen({ ...noWhen, ...article })
    const id = await createArticle(
      app,
      context,
      kind,
      productFor(query.product_id, context.viewer),
      article,
      {},
      true,
      (created) => putPdf(context, created, pdf_ids),
    )
    return { message: `${Named} created.`, data: await getArticle(context.db, name, id, linksFor(context)) }
  })

  implement(app, calls.update, async ({ params, query, body }, context) => {
    const { db, viewer } = context
    const id = await idOfArticle(db, kind, params.slug, query.product_id, viewer)
    const current = () => getArticle(db, name, id, linksFor(context))
    const { pdf_ids, ...article } = body
    if (hasPart(name, 'time'))
      demandWhen({ ...((await lockRecord(db, kind, id, viewer)) as unknown as When), ...article })
    const operation = await changeArticle(app, context, kind, id, article, {
      stated: { version: body.version, base: body.base },
      current,
      storeFiles: () => putPdf(context, id, pdf_ids),
    })
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
    if (action === undefined) throw notFound('Page not found.')
    const id = await idOfArticle(db, kind, params.slug, query.product_id, viewer)
    const done = await publishArticle(app, context, kind, id, action === 'publish', query.expected)
    return { ...done, data: await getArticleRow(db, name, id) }
  })

  if (!hasPart(name, 'pdf')) return

  implement(app, pdfOf(name), async ({ params }, { db, viewer, request, reply }) => {
    const id = await idOfArticle(db, kind, params.slug, params.productId, viewer)
    return sendFile(app.files, request, reply, await getPdf(db, name, id), { signed: false })
  })

  /** Replaces the PDF; an empty list removes it. */
  async function putPdf(
    context: ArticleWriting & { files: { pdf?: ReceivedFile[] } },
    id: number,
    pdf_ids: readonly number[] | undefined,
  ): Promise<void> {
    const { pdf = [] } = context.files
    if (!pdf.length && pdf_ids === undefined) return
    const place = { type: name, id, role: 'pdf' }
    const file_ids = pdf.length ? [] : [...pdf_ids!]
    const before = await context.db
      .selectFrom('file_links as l')
      .innerJoin('files as f', 'f.id', 'l.file_id')
      .select(['f.id', 'f.name'])
      .where('l.record_type', '=', name)
      .where('l.record_id', '=', id)
      .where('l.role', '=', 'pdf')
      .where('l.deleted_at', 'is', null)
      .execute()
    // Keep the current file as is, because another user may have uploaded it.
    if (!pdf.length && before.map((one) => one.id).join() === file_ids.join()) return
    await detachFiles(context, place)
    await attachFiles(app.files, context, { files: pdf, file_ids }, place)
    const held = file_ids.length || pdf.length ? [await getPdf(context.db, name, id)] : []
    if (held.some(({ mime }) => mime !== 'application/pdf'))
      throw invalid(pdf.length ? 'pdf' : 'pdf_ids', 'Upload a PDF file.')
    context.changed(name, [id])
    context.record({
      target: name,
      id,
      before: { pdf: before[0]?.name ?? null },
      after: { pdf: held[0]?.name ?? null },
    })
  }
}

/** @throws HttpError 422 on the invalid field. */
function demandWhen(when: When): void {
  const wrong = whyNotWhen(when)
  if (wrong) throw invalid(wrong.field, wrong.words)
}

/** Returns the product; defaults to the caller's only product. */
function productFor(product_id: number | undefined, { products }: Viewer): number {
  const chosen = product_id ?? (products.length === 1 ? products[0] : undefined)
  if (chosen === undefined) throw invalid('product_id', 'Choose a product.')
  return chosen
}
