import { idOfCategory } from '#features/cms/articles/categories/server/categories.queries.ts'
import { faqs, type FaqFilters } from '#features/cms/articles/faqs/contract.ts'
import {
  demandCategory,
  faqKind,
  faqSpace,
  faqReads,
  findFaqs,
  getFaq,
  placeIn,
} from '#features/cms/articles/faqs/server/faqs.queries.ts'
import { policies } from '#features/cms/articles/rules.ts'
import {
  demandFileKind,
  handArticleOver,
  publishArticle,
  type ArticleWriting,
} from '#features/cms/articles/shared/server/articles.queries.ts'
import { demandPolicy, relationsOf, withPolicy } from '#features/cms/articles/shared/server/article-kind.ts'
import {
  demandSlug,
  findBySlug,
  freeSlug,
  nextSlug,
} from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { cleanHtml, imagesIn } from '#server/html/html-clean.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { chooseFiles, setInlineImages } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { changeLocked, createRecord, lockRecord, trashRecords } from '#server/record/record.ts'
import { lockKind } from '#server/record/rows.ts'

/** @throws HttpError 404 */
async function idOf(db: Db, slug: string, viewer: Viewer): Promise<number> {
  const id = await findBySlug(db, faqSpace, slug, viewer)
  if (id === undefined) throw notFound('FAQ not found.')
  return id
}

type Context = Omit<ArticleWriting, 'files'> & { files: { video: ReceivedFile[] } }

/** Returns the fields of the video, which is either a URL or a file; setting one removes the other. */
async function chooseVideo(
  app: App,
  context: Context,
  sent: readonly number[] | undefined,
  address: string | undefined,
  id?: number,
): Promise<{ video_ids?: number[] | undefined; video?: string }> {
  const files = context.files.video
  const chosen = files.length ? [] : sent
  await demandFileKind(context.db, chosen ?? [], 'video', 'video_ids')
  const video_ids = await chooseFiles(
    app.files,
    context,
    faqKind,
    'video_ids',
    { files, file_ids: chosen },
    id,
  )
  if (video_ids?.length) return { video_ids, video: '' }
  return { video_ids: address ? [] : video_ids }
}

const chosen = async (db: Db, { category }: FaqFilters, viewer: Viewer) =>
  category === undefined
    ? []
    : [typeof category === 'number' ? category : await idOfCategory(db, 'faq', category, viewer)]

const listFaqs: Handler<typeof faqs.list> = async ({ query }, { db, viewer }) =>
  findFaqs(db, query, viewer, await chosen(db, query, viewer))

const listUnpublished: Handler<typeof faqs.unpublished> = async ({ query }, { db, viewer }) =>
  findFaqs(db, { ...query, state: 0 }, viewer, await chosen(db, query, viewer))

const listByCategory: Handler<typeof faqs.byCategory> = async ({ params, query }, { db, viewer }) =>
  findFaqs(db, query, viewer, [
    await idOfCategory(db, 'faq', params.category, viewer),
    ...(await chosen(db, query, viewer)),
  ])

const showFaq: Handler<typeof faqs.show> = async ({ params }, context) => {
  const { db, viewer } = context
  return { data: await getFaq(db, await idOf(db, params.slug, viewer), viewer, linksFor(context)) }
}

const createFaq: Handler<typeof faqs.create> = async (
  { body: { body: html, video_ids, slug: typed, order_number, category_id, ...values } },
  context,
) => {
  const { app, db, viewer } = context
  await lockKind(db, faqKind)
  await demandCategory(db, category_id)
  const body = html === undefined ? '' : cleanHtml(html, 'body')
  const slug = typed
    ? await demandSlug(db, faqSpace, typed, 'slug')
    : await freeSlug(db, faqSpace, values.title)
  const place = await placeIn(db, category_id, order_number ?? Infinity)
  const video = await chooseVideo(app, context, video_ids, values.video)
  const id = await createRecord(
    context,
    faqKind,
    { ...values, ...video, body, category_id, order_number: place },
    { slug, author_id: viewer.id, created_by: viewer.id },
  )
  await setInlineImages(app.files, context, { type: 'faq', id }, imagesIn(body))
  return { message: 'FAQ created.', data: await getFaq(db, id, viewer, linksFor(context)) }
}

const updateFaq: Handler<typeof faqs.update> = async ({ params, body: sent }, context) => {
  const { body: html, video_ids, slug: typed, order_number, category_id, version, base, ...values } = sent
  const { app, db, viewer } = context
  await lockKind(db, faqKind)
  const id = await idOf(db, params.slug, viewer)
  const before = await lockRecord(db, faqKind, id, viewer)
  demandPolicy(policies.faq.update, viewer, relationsOf(before, viewer))
  const isElsewhere = category_id !== undefined && category_id !== before['category_id']
  if (isElsewhere) await demandCategory(db, category_id)
  // If the FAQ moves to another category, it goes last unless a position is sent.
  const isMoved = isElsewhere || order_number !== undefined
  const place = isMoved
    ? await placeIn(db, category_id ?? (before['category_id'] as number), order_number ?? Infinity, id)
    : undefined
  const body = html === undefined ? undefined : cleanHtml(html, 'body')
  const slug = await nextSlug(db, faqSpace, before, { slug: typed, title: values.title }, 'slug')
  const current = () => getFaq(db, id, viewer, linksFor(context))
  const patch = {
    ...values,
    body,
    slug,
    category_id,
    order_number: place,
    ...(await chooseVideo(app, context, video_ids, values.video, id)),
  }
  // The server can set the slug, and the position shifts when other FAQs move, so callers don't have to
  // send the current values.
  const seen = base
    ? {
        slug: before['slug'],
        order_number: before['order_number'],
        ...base,
        ...(isMoved ? { order_number: before['order_number'] } : {}),
      }
    : base
  const { operation } = await changeLocked(context, faqKind, before, patch, {
    stated: { version, base: seen },
    current,
  })
  if (body !== undefined) await setInlineImages(app.files, context, { type: 'faq', id }, imagesIn(body))
  return { message: 'FAQ saved.', data: await current(), operation }
}

const removeFaq: Handler<typeof faqs.remove> = async ({ params }, context) => {
  const operation = await trashRecords(context, faqKind, [
    await idOf(context.db, params.slug, context.viewer),
  ])
  return { message: `${operation.summary}.`, operation }
}

const publishFaq: Handler<typeof faqs.publishing> = async ({ params, query }, context) => {
  const { app, db, viewer } = context
  const id = await idOf(db, params.slug, viewer)
  await lockKind(db, faqKind)
  const done = await publishArticle(app, context, faqKind, id, query.action === 'publish')
  return { ...done, data: await faqReads.row(db, id, viewer) }
}

const moveFaq: Handler<typeof faqs.move> = async ({ params, body: { order_number: wanted } }, context) => {
  const { db, viewer } = context
  await lockKind(db, faqKind)
  const id = await idOf(db, params.slug, viewer)
  const before = await lockRecord(db, faqKind, id, viewer)
  const order_number = await placeIn(db, before['category_id'] as number, wanted, id)
  const by = withPolicy(faqKind, policies.faq.move)
  const { operation } = await changeLocked(
    context,
    by,
    before,
    { order_number },
    { summary: `Moved to position ${order_number}` },
  )
  return {
    message: `“${before['title'] as string}” moved to position ${order_number}.`,
    data: await faqReads.row(db, id, viewer),
    operation,
  }
}

const handOver: Handler<typeof faqs.handOver> = async ({ params, body }, context) => {
  const { db, viewer } = context
  const id = await idOf(db, params.slug, viewer)
  const operation = await handArticleOver(context, faqKind, id, body.author_id)
  return {
    message: 'FAQ author changed.',
    data: await getFaq(db, id, viewer, linksFor(context)),
    operation,
  }
}

export function faqRoutes(app: App): void {
  app.records.register(faqKind)
  implement(app, faqs.list, listFaqs)
  implement(app, faqs.unpublished, listUnpublished)
  implement(app, faqs.byCategory, listByCategory)
  implement(app, faqs.show, showFaq)
  implement(app, faqs.create, createFaq)
  implement(app, faqs.update, updateFaq)
  implement(app, faqs.remove, removeFaq)
  implement(app, faqs.publishing, publishFaq)
  implement(app, faqs.move, moveFaq)
  implement(app, faqs.handOver, handOver)
}
