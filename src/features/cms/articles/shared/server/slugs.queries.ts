import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { reservedSlugs, slugFrom, whyNotSlug } from '#features/cms/articles/rules.ts'
import type { Database, Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { StoredRecord } from '#server/record/rows.ts'

/*
 * Slugs are unique in their namespace and can still be found after they change. A trigger keeps the old ones
 * (0016_articles.sql).
 */

/** Namespace in which slugs are unique: one type of record in one product. */
export interface SlugSpace {
  table: keyof Database
  /** Kind within the table, if the table contains several. */
  kind?: string
  /** Name under which old slugs are stored: `post`, `category-post`, `tag`. */
  name: string
  product_id?: number
  /** Set if the records do not belong to a product. */
  ofNoProduct?: true
}

const inSpace = ({ kind, product_id }: SlugSpace) =>
  sql`${kind === undefined ? sql`true` : sql`r.kind = ${kind}`} and ${product_id === undefined ? sql`true` : sql`r.product_id = ${product_id}`}`

/** Locks the namespace, so that only one of two concurrent requests for the same slug succeeds. */
const lockSlugs = (db: Db, { name, product_id = 0 }: SlugSpace) =>
  sql`select pg_advisory_xact_lock(hashtext(${`slug ${name} ${product_id}`}))`.execute(db)

async function takenLike(
  db: Db,
  space: SlugSpace,
  base: string,
  own: number | undefined,
): Promise<Set<string>> {
  const fits = sql`(slug = ${base} or starts_with(slug, ${`${base}-`}))`
  const { rows } = await sql<{ slug: string }>`
    select slug from ${sql.table(space.table)} r where ${inSpace(space)} and ${fits} and r.id <> ${own ?? 0}
    union all
    select slug from slug_redirects where kind = ${space.name} and product_id = ${space.product_id ?? 0} and ${fits} and record_id <> ${own ?? 0}`.execute(
    db,
  )
  return new Set(rows.map(({ slug }) => slug))
}

function baseSlug({ name }: SlugSpace, title: string): string {
  const from = slugFrom(title)
  return whyNotSlug(from) === undefined ? from : [name, from].filter(Boolean).join('-')
}

/** Derives from a title a slug that no record has or has had, with a number appended if necessary. */
export async function freeSlug(db: Db, space: SlugSpace, title: string, own?: number): Promise<string> {
  await lockSlugs(db, space)
  const base = baseSlug(space, title)
  const taken = await takenLike(db, space, base, own)
  const isFree = (slug: string) => !taken.has(slug) && !reservedSlugs[space.name]?.includes(slug)
  for (let count = 1; ; count += 1) {
    const slug = count === 1 ? base : `${base}-${count}`
    if (isFree(slug)) return slug
  }
}

/**
 * @throws HttpError 422 on the field if the slug is invalid, reserved, or currently or formerly used by
 * another record.
 */
export async function demandSlug(
  db: Db,
  space: SlugSpace,
  slug: string,
  field: string,
  own?: number,
): Promise<string> {
  const why = whyNotSlug(slug, reservedSlugs[space.name])
  if (why !== undefined) throw invalid(field, why)
  await lockSlugs(db, space)
  if ((await takenLike(db, space, slug, own)).has(slug))
    throw invalid(field, 'Another page uses or once used this slug. Choose another one.')
  return slug
}

/**
 * Returns the slug after an edit, or undefined if it doesn't change: the entered slug or, until first
 * publication, a new one derived from a new title. A slug that a user chose is kept.
 * @param sent the entered slug and the title that were sent, if any
 * @param field the field for the entered slug, for errors
 */
export async function nextSlug(
  db: Db,
  space: SlugSpace,
  before: StoredRecord,
  sent: { slug?: string | undefined; title?: string | undefined },
  field: string,
): Promise<string | undefined> {
  const { id } = before
  const [slug, title] = [before['slug'] as string, before['title'] as string]
  if (sent.slug) return sent.slug === slug ? undefined : demandSlug(db, space, sent.slug, field, id)
  if (before['first_published_at'] !== null || sent.title === undefined || sent.title === title)
    return undefined
  const base = baseSlug(space, title)
  const isChosen =
    slug !== base && !(slug.startsWith(`${base}-`) && /^\d+$/.test(slug.slice(base.length + 1)))
  return isChosen ? undefined : freeSlug(db, space, sent.title, id)
}

/** Finds a record in the viewer's products by ID, slug, or former slug; current slugs take precedence. */
export async function findBySlug(
  db: Db,
  { table, kind, name, product_id, ofNoProduct }: SlugSpace,
  slug: string,
  viewer: Pick<Viewer, 'products'>,
): Promise<number | undefined> {
  const products = product_id === undefined ? viewer.products : [product_id]
  const isOfProduct = ofNoProduct ? sql`true` : sql`r.product_id = any(${products}::int[])`
  const isOfKind = kind === undefined ? sql`true` : sql`r.kind = ${kind}`
  const id = /^\d{1,9}$/.test(slug) ? Number(slug) : undefined
  const is = id === undefined ? sql`r.slug = ${slug}` : sql`r.id = ${id}`
  const { rows } = await sql<{ id: number }>`
    (select r.id, 0 as late, ${ofNoProduct ? sql`0` : sql`r.product_id`} as product from ${sql.table(table)} r where ${is} and ${isOfKind} and ${isOfProduct} and r.deleted_at is null)
    union all
    (select r.id, 1, o.product_id from slug_redirects o join ${sql.table(table)} r on r.id = o.record_id
      where o.kind = ${name} and o.slug = ${slug} and ${isOfKind} and ${isOfProduct} and r.deleted_at is null)
    order by 2, 3 limit 1`.execute(db)
  return rows[0]?.id
}

/** Returns the former slugs that still lead to a record. */
export async function oldSlugsOf(db: Db, name: string, id: number): Promise<string[]> {
  const rows = await db
    .selectFrom('slug_redirects')
    .select('slug')
    .where('kind', '=', name)
    .where('record_id', '=', id)
    .orderBy('created_at')
    .execute()
  return rows.map(({ slug }) => slug)
}
