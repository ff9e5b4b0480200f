import type { Viewer } from '#shared/endpoint.ts'
import type { z } from 'zod'
import type { OperationRef } from '#shared/record.contract.ts'
import { capitalize } from '#shared/capitalize.ts'
import { type LiveName, recordTypes } from '#shared/records.ts'
import {
  announce,
  announcementSuffix,
  cancelAnnouncement,
  canceledText,
} from '#features/cms/articles/announcing/server/announcing.queries.ts'
import { whyNot } from '#features/cms/articles/rules.ts'
import type { ArticleChange } from '#features/cms/articles/shared/contract.ts'
import {
  demandSlug,
  findBySlug,
  freeSlug,
  nextSlug,
  type SlugSpace,
} from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Clock } from '#server/clock.ts'
import { cleanHtml, imagesIn } from '#server/html/html-clean.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import type { SignedIn } from '#server/http/session.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { chooseFiles, setInlineImages } from '#server/files/record-files.ts'
import { changeLocked, createRecord, lockRecord, type Stated } from '#server/record/record.ts'
import type { Called } from '#server/http/context.ts'
import type { RecordKind, Row, StoredRecord } from '#server/record/rows.ts'
import type { Transaction } from 'kysely'
import {
  type PublishedKind,
  relationsOf,
  demandPolicy,
  withPolicy,
} from '#features/cms/articles/shared/server/article-kind.ts'

/*
 * Articles of every kind are rows of the same table. Categories and tags, which only posts have, are handled
 * in the descriptor of posts.
 */

const nameOfKind = ({ type }: RecordKind) => capitalize(recordTypes[type].one)

export const spaceOf = (kind: RecordKind, product_id?: number): SlugSpace => ({
  table: 'articles',
  kind: kind.type,
  name: kind.type,
  ...(product_id === undefined ? {} : { product_id }),
})

/**
 * Returns the ID of the article with a slug.
 * @throws HttpError 404
 */
export async function idOfArticle(
  db: Db,
  kind: RecordKind,
  slug: string,
  product_id: number | undefined,
  viewer: Viewer,
): Promise<number> {
  const id = await findBySlug(db, spaceOf(kind, product_id), slug, viewer)
  if (id === undefined) throw notFound(`${nameOfKind(kind)} not found.`)
  return id
}

export interface ArticleWriting {
  db: Transaction<Database>
  viewer: SignedIn
  clock: Clock
  called: Called
  audit: Parameters<typeof createRecord>[0]['audit']
  changed: (type: LiveName, ids: readonly number[]) => void
  onRollback: (action: () => void) => void
  files: { image: ReceivedFile[] }
}

/** The parts of the app that article actions need. */
type Platform = Pick<App, 'files' | 'mail' | 'addresses'>

type Sent = Partial<z.output<typeof ArticleChange>>

/**
 * Returns the column values from a request: the body is sanitized, and `published` is included only if the
 * caller is allowed to publish.
 */
function valuesOf(sent: Sent, mayPublish: boolean, before: Row | undefined, now: string): Row {
  const {
    body,
    published,
    new_slug: _slug,
    remove_image: _remove,
    image_ids: _image,
    version: _version,
    base: _base,
    ...values
  } = sent
  return {
    ...values,
    ...(body === undefined ? {} : { body: cleanHtml(body, 'body') }),
    ...(published === undefined || !mayPublish || published === (before?.['published'] ?? 0)
      ? {}
      : publishedAs(published === 1, before, now)),
  }
}

const publishedAs = (on: boolean, before: Row | undefined, now: string): Row =>
  on
    ? { published: 1, published_at: now, first_published_at: before?.['first_published_at'] ?? now }
    : { published: 0, published_at: null }

/** @throws HttpError 422 on the field if a staged file is of a different type. */
export async function demandFileKind(
  db: Db,
  ids: readonly number[],
  kind: 'image' | 'video',
  field: string,
): Promise<void> {
  if (ids.length === 0) return
  const other = await db
    .selectFrom('files')
    .select('name')
    .where('id', 'in', [...ids])
    .where('kind', '<>', kind)
    .executeTakeFirst()
  if (other) throw invalid(field, `${other.name} isn’t ${kind === 'image' ? 'an image' : 'a video'}.`)
}

/**
 * Returns the article's image, which replaces the previous one; an empty list if it is removed, undefined if
 * it is kept.
 */
async function chooseImage(
  { files: store }: Platform,
  context: ArticleWriting,
  kind: RecordKind,
  sent: Sent,
  id?: number,
): Promise<number[] | undefined> {
  const { image } = context.files
  const kept = sent.remove_image === 1 ? [] : undefined
  const chosen = image.length ? [] : (sent.image_ids ?? kept)
  await demandFileKind(context.db, chosen ?? [], 'image', 'image_ids')
  return chooseFiles(store, context, kind, 'image_ids', { files: image, file_ids: chosen }, id)
}

/** Links an article's text to the images in it. */
async function linkImages(
  { files: store }: Platform,
  context: ArticleWriting,
  { type }: RecordKind,
  id: number,
  body: unknown,
): Promise<void> {
  if (typeof body === 'string') await setInlineImages(store, context, { type, id }, imagesIn(body))
}

/** Creates an article in a product, with the caller as its author. */
export async function createArticle(
  app: Platform,
  context: ArticleWriting,
  kind: RecordKind,
  product_id: number,
  sent: Sent & { title: string },
  own: Row = {},
  mayPublish = false,
): Promise<number> {
  const space = spaceOf(kind, product_id)
  const image_ids = await chooseImage(app, context, kind, sent)
  const values: Row = {
    ...valuesOf(sent, mayPublish, undefined, context.clock.now().toISOString()),
    image_ids,
    ...own,
  }
  const slug = sent.new_slug
    ? await demandSlug(context.db, space, sent.new_slug, 'new_slug')
    : await freeSlug(context.db, space, sent.title)
  const { viewer } = context
  const id = await createRecord(context, kind, values, {
    kind: kind.type,
    product_id,
    slug,
    author_id: viewer.id,
    created_by: viewer.id,
  })
  await linkImages(app, context, kind, id, values['body'])
  await announce(app, context, kind.type, id, undefined)
  return id
}

/**
 * Changes the fields that are sent of an article that is locked. Until the article is first published, changing the title
 * creates a new slug.
 * @throws HttpError 403 for everyone except the author, 409 on conflicting changes, 422 for an unusable slug.
 */
export async function changeArticle(
  app: Platform,
  context: ArticleWriting,
  kind: PublishedKind,
  before: StoredRecord,
  sent: Sent,
  { own = {}, stated, current }: { own?: Row; stated: Stated; current: () => Promise<unknown> },
): Promise<OperationRef | null> {
  const { db, viewer } = context
  const { id } = before
  const product_id = before['product_id'] as number
  demandPolicy(kind.policy?.update, viewer, relationsOf(before, viewer))
  const mayPublish =
    kind.policy === undefined ||
    whyNot(kind.policy.publish, viewer, relationsOf(before, viewer)) === undefined
  const image_ids = await chooseImage(app, context, kind, sent, id)
  const values: Row = {
    ...valuesOf(sent, mayPublish, before, context.clock.now().toISOString()),
    image_ids,
    ...own,
  }
  if (sent.send_email === 1 && before['send_email'] === 0 && before['first_published_at'] !== null)
    throw invalid('send_email', 'This was already published, so no email can be sent.')
  const slug = await nextSlug(
    db,
    spaceOf(kind, product_id),
    before,
    { slug: sent.new_slug, title: sent.title },
    'new_slug',
  )
  // The server sets the slug and the timestamps, so callers don't have to send the current values.
  const ours = {
    slug: before['slug'],
    published_at: before['published_at'],
    first_published_at: before['first_published_at'],
  }
  const seen = stated.base ? { version: stated.version, base: { ...stated.base, ...ours } } : stated
  const { operation } = await changeLocked(
    context,
    kind,
    before,
    { ...values, ...(slug === undefined ? {} : { slug }) },
    { stated: seen, current },
  )
  await linkImages(app, context, kind, id, values['body'])
  if (operation && values['published'] === 0 && kind.table === 'articles')
    await cancelAnnouncement(context, id)
  if (before['first_published_at'] === null) await announce(app, context, kind.type, id, undefined)
  return operation
}

/**
 * Publishes or unpublishes an article.
 * @throws HttpError 403, with a message that says who can do so.
 */
export async function publishArticle(
  app: Platform,
  context: ArticleWriting | Omit<ArticleWriting, 'files'>,
  kind: PublishedKind,
  id: number,
  on: boolean,
  expected?: number,
): Promise<{ message: string; operation: OperationRef | null }> {
  const before = await lockRecord(context.db, kind, id, context.viewer)
  const by = withPolicy(kind, kind.policy?.publish)
  const isAlready = (before['published'] === 1) === on
  const values = isAlready ? {} : publishedAs(on, before, context.clock.now().toISOString())
  const { operation } = await changeLocked(context, by, before, values, {
    summary: on ? 'Published' : 'Unpublished',
  })
  const title = before['title'] as string
  if (isAlready) return { message: `“${title}” is already ${on ? 'published' : 'unpublished'}.`, operation }
  if (!on) {
    const { canceled, sent } =
      kind.table === 'articles' ? await cancelAnnouncement(context, id) : { canceled: 0, sent: 0 }
    const what = canceled > 0 ? ` ${canceledText({ canceled, sent })}` : ''
    return { message: `“${title}” unpublished.${what}`, operation }
  }
  const isFirst = kind.table === 'articles' && before['first_published_at'] === null
  const count = isFirst ? await announce(app, context, kind.type, id, expected) : undefined
  return { message: `“${title}” published.${announcementSuffix(count)}`, operation }
}

/**
 * Hands over an article to another author.
 * @throws HttpError 422 on `author_id` if the author does not exist or has no access to the product.
 */
export async function handArticleOver(
  context: Omit<ArticleWriting, 'files'>,
  kind: PublishedKind,
  id: number,
  author_id: number,
): Promise<OperationRef | null> {
  const before = await lockRecord(context.db, kind, id, context.viewer)
  const product_id = before['product_id'] as number | undefined
  const author = await context.db
    .selectFrom('staff')
    .select(['staff.id', 'first_name', 'last_name'])
    .where('staff.id', '=', author_id)
    .where('banned_at', 'is', null)
    .$if(product_id !== undefined, (of) =>
      of.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('staff_products as p')
            .select('p.staff_id')
            .whereRef('p.staff_id', '=', 'staff.id')
            .where('p.product_id', '=', product_id ?? 0),
        ),
      ),
    )
    .executeTakeFirst()
  if (!author)
    throw invalid(
      'author_id',
      product_id === undefined
        ? 'Choose an active admin user.'
        : 'Choose an active admin user with access to this product.',
    )
  const by = withPolicy(kind, kind.policy?.handOver)
  const { operation } = await changeLocked(
    context,
    by,
    before,
    { author_id },
    { summary: `Author changed to ${author.first_name} ${author.last_name}` },
  )
  return operation
}
