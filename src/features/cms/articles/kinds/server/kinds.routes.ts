import { articleKindNames, articleKindRow, hasPart, type ArticleKindName } from '#shared/article-kinds.ts'
import { publishAction } from '#features/cms/articles/shared/contract.ts'
import { callsOf, pdfOf } from '#features/cms/articles/kinds/contract.ts'
import { articleKinds, getArticle, getPdf } from '#features/cms/articles/kinds/server/kinds.queries.ts'
import { noWhen, whyNotWhen, type When } from '#features/cms/articles/event.rules.ts'
import {
  changeArticle,
  createArticle,
  idOfArticle,
  publishArticle,
  type ArticleWriting,
} from '#features/cms/articles/shared/server/articles.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { chooseFiles } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { lockRecord, trashRecords } from '#server/record/record.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { sendFile } from '#server/files/send-file.ts'
import { capitalize } from '#shared/capitalize.ts'

/** Registers the endpoints of every kind of article. */
export function kindRoutes(app: App): void {
  for (const name of articleKindNames) routesOf(app, name)
}

type Calls = ReturnType<typeof callsOf>

const pdfFor = async (
  app: App,
  name: ArticleKindName,
  kind: RecordKind,
  context: Parameters<typeof choosePdf>[1],
  sent: readonly number[] | undefined,
  id?: number,
) => (hasPart(name, 'pdf') ? { pdf_ids: await choosePdf(app.files, context, kind, sent, id) } : {})

const showArticle =
  (name: ArticleKindName, kind: RecordKind): Handler<Calls['show']> =>
  async ({ params }, context) => {
    const { db, viewer } = context
    const id = await idOfArticle(db, kind, params.slug, params.productId, viewer)
    return { data: await getArticle(db, name, id, viewer, linksFor(context)) }
  }

const addArticle =
  (name: ArticleKindName, kind: RecordKind): Handler<Calls['create']> =>
  async ({ query, body }, context) => {
    const { app } = context
    const { pdf_ids, ...article } = body
    demandWhen({ ...noWhen, ...article })
    const id = await createArticle(
      app,
      context,
      kind,
      productFor(query.product_id, context.viewer),
      article,
      await pdfFor(app, name, kind, context, pdf_ids),
      true,
    )
    return {
      message: `${capitalize(articleKindRow(name).one)} created.`,
      data: await getArticle(context.db, name, id, context.viewer, linksFor(context)),
    }
  }

const updateArticle =
  (name: ArticleKindName, kind: RecordKind): Handler<Calls['update']> =>
  async ({ params, query, body }, context) => {
    const { app, db, viewer } = context
    const id = await idOfArticle(db, kind, params.slug, query.product_id, viewer)
    const current = () => getArticle(db, name, id, viewer, linksFor(context))
    const { pdf_ids, ...article } = body
    const before = await lockRecord(db, kind, id, viewer)
    if (hasPart(name, 'time')) demandWhen({ ...(before as unknown as When), ...article })
    const operation = await changeArticle(app, context, kind, before, article, {
      own: await pdfFor(app, name, kind, context, pdf_ids, id),
      stated: { version: body.version, base: body.base },
      current,
    })
    return { message: `${capitalize(articleKindRow(name).one)} saved.`, data: await current(), operation }
  }

const removeArticle =
  (kind: RecordKind): Handler<Calls['remove']> =>
  async ({ params }, context) => {
    const id = await idOfArticle(context.db, kind, params.slug, params.productId, context.viewer)
    const operation = await trashRecords(context, kind, [id])
    return { message: `${operation.summary}.`, operation }
  }

const publishOrUnpublish =
  (name: ArticleKindName, kind: RecordKind): Handler<Calls['publishing']> =>
  async ({ params, query }, context) => {
    const { app, db, viewer } = context
    const action = publishAction.safeParse(params.action).data
    if (action === undefined) throw notFound('Page not found.')
    const id = await idOfArticle(db, kind, params.slug, query.product_id, viewer)
    const done = await publishArticle(app, context, kind, id, action === 'publish', query.expected)
    return { ...done, data: await articleKinds[name].reads.row(db, id, viewer) }
  }

const sendPdf =
  (name: ArticleKindName, kind: RecordKind): Handler<ReturnType<typeof pdfOf>> =>
  async ({ params }, { app, db, viewer, request, reply }) => {
    const id = await idOfArticle(db, kind, params.slug, params.productId, viewer)
    return sendFile(app.files, request, reply, await getPdf(db, name, id), { signed: false })
  }

function routesOf(app: App, name: ArticleKindName): void {
  const calls = callsOf(name)
  const { kind, reads } = articleKinds[name]
  app.records.register(kind)
  implement(app, calls.list, ({ query }, { db, viewer }) => reads.page(db, query, viewer))
  implement(app, calls.show, showArticle(name, kind))
  implement(app, calls.create, addArticle(name, kind))
  implement(app, calls.update, updateArticle(name, kind))
  implement(app, calls.remove, removeArticle(kind))
  implement(app, calls.publishing, publishOrUnpublish(name, kind))
  if (!hasPart(name, 'pdf')) return
  implement(app, pdfOf(name), sendPdf(name, kind))
}

/**
 * Returns the PDF that replaces the previous one; an empty list if it is removed, undefined if it is kept.
 * @throws HttpError 422 if the file is not a PDF.
 */
async function choosePdf(
  store: App['files'],
  context: ArticleWriting & { files: { pdf?: ReceivedFile[] } },
  kind: RecordKind,
  sent: readonly number[] | undefined,
  id?: number,
): Promise<number[] | undefined> {
  const { pdf = [] } = context.files
  const chosen = pdf.length ? [] : sent
  const pdf_ids = await chooseFiles(store, context, kind, 'pdf_ids', { files: pdf, file_ids: chosen }, id)
  if (!pdf_ids?.length) return pdf_ids
  const other = await context.db
    .selectFrom('files')
    .select('id')
    .where('id', 'in', pdf_ids)
    .where('mime', '<>', 'application/pdf')
    .executeTakeFirst()
  if (other) throw invalid(pdf.length ? 'pdf' : 'pdf_ids', 'Upload a PDF file.')
  return pdf_ids
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
