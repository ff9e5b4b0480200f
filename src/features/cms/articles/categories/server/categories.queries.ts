import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, selectOf } from '#shared/field.ts'
import type { OperationRef } from '#shared/record.contract.ts'
import { counted, liveNameOf, recordTypes } from '#shared/records.ts'
import { capitalize } from '#shared/capitalize.ts'
import {
  categoryKindRows,
  mostFound,
  type Category,
  type CategoryFilters,
  type CategoryKind,
  type CategoryName,
  type CategoryRow,
} from '#features/cms/articles/categories/contract.ts'
import { categoryFields, categoryFieldsOf } from '#features/cms/articles/categories/fields.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { demandPolicy, moderatorsOf, withPolicy } from '#features/cms/articles/shared/server/article-kind.ts'
import { findBySlug, oldSlugsOf, type SlugSpace } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { conditionsOf, findPage, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { joinOperations } from '#server/record/operations.ts'
import { changeRecords, getRecord, trashRecords } from '#server/record/record.ts'
import { lockKind, type RecordKind, type Row, type Writing } from '#server/record/rows.ts'

/** Where the content of each tree's categories is. */
const contentOfTree = {
  post: { table: 'articles', column: 'category' },
  faq: { table: 'faqs', column: 'category_id' },
} as const

const treeOf = (more: Pick<RecordKind, 'type' | 'visibility' | 'files'>): RecordKind => ({
  table: 'article_categories',
  name: 'r.title',
  columns: columnsOf(categoryFields),
  extraColumns: { moderators: moderatorsOf('r.id'), product_id: 'r.product_id' },
  authorize: (act, row, viewer) =>
    demandPolicy(policies.category[act === 'remove' ? 'remove' : 'update'], viewer, {
      moderated: (row['moderators'] as number[]).includes(viewer.id),
    }),
  ...more,
})
export const categoryKinds: Readonly<Record<CategoryKind, RecordKind>> = {
  post: treeOf({
    type: 'category',
    files: { icon_ids: { role: 'icon', most: 1 } },
    visibility: {
      products: { of: 'array[r.product_id]' },
      scope: ({ products }) => sql`r.kind = 'post' and r.product_id = any(${products}::int[])`,
    },
  }),
  faq: treeOf({ type: 'faq_category', visibility: { scope: () => sql`r.kind = 'faq'` } }),
}

export const categorySpace = (kind: CategoryKind, product_id: number | null = null): SlugSpace => ({
  table: 'article_categories',
  kind,
  name: `category-${kind}`,
  ...(categoryKindRows[kind].isOfProduct ? {} : { ofNoProduct: true as const }),
  ...(product_id === null ? {} : { product_id }),
})

/** Returns the name of a tree's record type, for messages. */
export const nameOf = (kind: CategoryKind) => capitalize(recordTypes[categoryKindRows[kind].type].one)

/** @throws HttpError 404 */
export async function idOfCategory(
  db: Db,
  kind: CategoryKind,
  slug: string,
  viewer: Viewer,
  product_id?: number,
): Promise<number> {
  const id = await findBySlug(db, categorySpace(kind, product_id), slug, viewer)
  if (id === undefined) throw notFound(`${nameOf(kind)} not found.`)
  return id
}

const perPage = 20
const selected = (kind: CategoryKind, part: 'reply' | 'detail') =>
  sql.join(selectOf(categoryFieldsOf[kind], 'c', part).map((column) => sql.ref(column)))
const ownOf = (kind: CategoryKind) => (categoryKindRows[kind].isOfProduct ? sql`c.product_id,` : sql``)
function countsOf(kind: CategoryKind) {
  const { table, column } = contentOfTree[kind]
  const { content } = categoryKindRows[kind]
  const living = sql`(select count(*) from ${sql.table(table)} a where a.${sql.ref(column)} = c.id and a.deleted_at is null`
  return sql`${living}) as ${sql.ref(`total_${content}`)}, ${living} and a.published = 1) as ${sql.ref(`published_${content}`)}`
}
const moderated = (viewer: Viewer) =>
  sql`exists(select from category_moderators m where m.category_id = c.id and m.staff_id = ${viewer.id}) as moderated`
const ofProducts = (kind: CategoryKind, product_id: number | undefined, viewer: Viewer) =>
  categoryKindRows[kind].isOfProduct
    ? sql`c.product_id = any(${product_id === undefined ? viewer.products : [product_id]}::int[])`
    : sql`true`

/** Returns the rows with their icons, if the tree's categories have any. */
async function withIcons<Row extends Pick<CategoryRow, 'id' | 'icon_file'>>(
  db: Db,
  kind: CategoryKind,
  rows: Row[],
  links: Links,
): Promise<Row[]> {
  const { type, files } = categoryKinds[kind]
  if (!files) return rows
  const ids = rows.map(({ id }) => id)
  const icons = await filesOf(db, type, ids, links, 'icon')
  return rows.map((row) => ({ ...row, icon_file: icons.get(row.id)?.[0] ?? null }))
}

/** SQL for the FAQ categories with their position in the tree: `id`, and `path` to order by. */
export const faqCategoryTree = sql<{ id: number; path: string[] }>`(with recursive tree as (
    select c.id, array[c.search || ' ' || c.id] as path from article_categories c
      where c.kind = 'faq' and c.deleted_at is null and not exists (select from article_categories p where p.id = c.parent_id and p.deleted_at is null)
    union all
    select c.id, t.path || (c.search || ' ' || c.id) from article_categories c join tree t on c.parent_id = t.id where c.deleted_at is null
  ) select id, path from tree)`

/** Returns a page of the tree, in tree order. For a search, returns the matches with their depth. */
export async function findCategories(
  db: Db,
  kind: CategoryKind,
  filters: CategoryFilters,
  viewer: Viewer,
  links: Links,
): Promise<{ data: CategoryRow[]; total: number; per_page: number }> {
  const { page } = filters
  const conditions = conditionsOf<CategoryFilters>(filters, {
    search: (search) => matchesSearch('c.search', search),
    // Applies to the whole tree.
    product_id: handledElsewhere,
  })
  const fits = conditions.length ? sql.join(conditions, sql` and `) : sql`true`
  const ofProduct = ofProducts(kind, filters.product_id, viewer)
  const living = sql`c.kind = ${kind} and c.deleted_at is null and ${ofProduct}`
  const found = await findPage(
    db,
    page,
    perPage,
    (limit) => sql<CategoryRow>`with recursive tree as (
        select c.id, 0 as depth, array[c.search || ' ' || c.id] as path from article_categories c
          where ${living} and not exists (select from article_categories p where p.id = c.parent_id and p.deleted_at is null)
        union all
        select c.id, t.depth + 1, t.path || (c.search || ' ' || c.id) from article_categories c join tree t on c.parent_id = t.id where c.deleted_at is null
      ), page as (
        select t.id, t.depth, t.path from tree t join article_categories c on c.id = t.id where ${fits} order by t.path ${limit}
      )
      select c.id, ${ownOf(kind)} ${selected(kind, 'reply')}, page.depth, ${countsOf(kind)}, ${moderated(viewer)}, c.updated_at, c.version
      from page join article_categories c on c.id = page.id order by page.path`,
    sql`from article_categories c where ${living} and ${fits}`,
  )
  return { ...found, data: await withIcons(db, kind, found.data, links) }
}

/** @throws HttpError 404 */
export async function getCategory(
  db: Db,
  kind: CategoryKind,
  id: number,
  viewer: Viewer,
  links: Links,
): Promise<Category> {
  const { rows } = await sql<Omit<Category, 'old_slugs'>>`
    select c.id, ${ownOf(kind)} ${selected(kind, 'reply')}, ${selected(kind, 'detail')}, p.title as parent_title,
      ${countsOf(kind)}, ${moderated(viewer)}, c.updated_at, c.version
    from article_categories c left join article_categories p on p.id = c.parent_id
    where c.id = ${id} and c.kind = ${kind} and c.deleted_at is null and ${ofProducts(kind, undefined, viewer)}`.execute(
    db,
  )
  if (!rows[0]) throw notFound(`${nameOf(kind)} not found.`)
  const [[category], old_slugs] = await Promise.all([
    withIcons(db, kind, rows, links),
    oldSlugsOf(db, `category-${kind}`, id),
  ])
  return { ...category!, old_slugs }
}

/** Builds the SQL set of IDs of a category and its descendants. */
const subtreeIds = (id: number) =>
  sql`(with recursive low as (select ${id}::int as id union select k.id from article_categories k join low on k.parent_id = low.id) select id from low)`

/**
 * Searches categories by name, listing `chosen` first. Excludes `without` and its descendants; `children`
 * excludes roots.
 */
export async function searchCategories(
  db: Db,
  kind: CategoryKind,
  {
    q,
    chosen,
    product_id,
    without,
    children,
  }: {
    q: string
    chosen?: number | undefined
    product_id?: number | undefined
    without?: number | undefined
    children?: boolean
  },
  viewer: Viewer,
): Promise<CategoryName[]> {
  const { rows } = await sql<CategoryName>`
    select c.id, ${ownOf(kind)} c.title, c.slug from article_categories c
    where c.kind = ${kind} and c.deleted_at is null and ${ofProducts(kind, product_id, viewer)}
      and (${matchesSearch('c.search', q)} or c.id = ${chosen ?? 0})
      and ${without === undefined ? sql`true` : sql`c.id not in ${subtreeIds(without)}`} and ${children ? sql`c.parent_id is not null` : sql`true`}
    order by c.id = ${chosen ?? 0} desc, c.search, c.id limit ${mostFound}`.execute(db)
  return rows
}

/**
 * Checks that a category can be moved below another, and locks the tree against concurrent moves.
 * @throws HttpError 422 on `parent_id` if the category does not exist or belongs to another product, or if
 * the move would create a cycle; the message then describes the cycle.
 */
export async function demandParent(
  db: Db,
  kind: CategoryKind,
  product_id: number | null,
  parent_id: number,
  own?: number,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`tree ${kind} ${product_id ?? ''}`}))`.execute(db)
  const { rows } = await sql<{ id: number; title: string; product_id: number | null; kind: string }>`
    with recursive up as (
      select c.id, c.title, c.parent_id, c.product_id, c.kind, 1 as step from article_categories c where c.id = ${parent_id} and c.deleted_at is null
      union all
      select c.id, c.title, c.parent_id, c.product_id, c.kind, up.step + 1 from article_categories c join up on c.id = up.parent_id where up.step < 1000
    ) select id, title, product_id, kind from up order by step`.execute(db)
  const parent = rows[0]
  if (!parent || parent.kind !== kind) throw invalid('parent_id', 'Choose an existing category.')
  if (parent.product_id !== product_id) throw invalid('parent_id', 'Choose a category in this product.')
  const at = rows.findIndex(({ id }) => id === own)
  if (own !== undefined && at >= 0) {
    const names = rows.slice(0, at + 1).map(({ title }) => title)
    throw invalid(
      'parent_id',
      `A category can’t be inside its own subcategory: ${[...names.toReversed(), names.at(-1)].join(' › ')}.`,
    )
  }
}

/**
 * Moves a category to the trash and appends its content to the category `move_to`.
 * @throws HttpError 409 with counts if the category has content and `move_to` is missing; 422 if the content
 * cannot be moved there.
 */
export async function removeCategory(
  context: Writing,
  kind: CategoryKind,
  heldKind: RecordKind,
  id: number,
  move_to: number | undefined,
): Promise<OperationRef> {
  const { db, viewer } = context
  const tree = categoryKinds[kind]
  const { table, column } = contentOfTree[kind]
  const category = await getRecord(db, tree, id, viewer)
  await lockKind(db, heldKind)
  const idsIn = async (from: string, by: string) =>
    (
      await sql<{
        id: number
      }>`select id from ${sql.table(from)} where ${sql.ref(by)} = ${id} and deleted_at is null order by id`.execute(
        db,
      )
    ).rows.map((row) => row.id)
  const [held, children] = [await idsIn(table, column), await idsIn('article_categories', 'parent_id')]
  if (held.length + children.length > 0) {
    const says = `${counted(kind, held.length)} and ${counted('category', children.length)}`
    if (move_to === undefined)
      throw conflict(`This category contains ${says}. Choose where to move them.`, {
        [categoryKindRows[kind].content]: held.length,
        children: children.length,
      })
    if (move_to === id) throw invalid('move_to', 'Choose another category.')
    await demandParent(db, kind, category['product_id'] as number | null, move_to, id)
    const asAdmin = withPolicy(heldKind, policies.category.remove)
    const place = (row: Row) =>
      row['order_number'] === undefined ? {} : { order_number: behindAll + (row['order_number'] as number) }
    const moves = []
    if (held.length)
      moves.push(
        await changeRecords(context, asAdmin, held, 'Moved to another category', (row) => ({
          [column]: move_to,
          ...place(row),
        })),
      )
    if (children.length)
      moves.push(
        await changeRecords(context, tree, children, 'Moved under another category', () => ({
          parent_id: move_to,
        })),
      )
    const removal = await trashRecords(context, tree, [id])
    // A single undo restores the category together with its content.
    await joinOperations(
      db,
      removal.id,
      moves.flatMap(({ operation }) => operation?.id ?? []),
    )
    return removal
  }
  return trashRecords(context, tree, [id])
}

/** Offset that places a record after all existing records. */
const behindAll = 1_000_000_000

/** Replaces a category's moderators. */
export async function setModerators(
  context: Writing,
  kind: CategoryKind,
  id: number,
  staff_ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  const { db, audit, changed } = context
  const before = await moderatorsIn(db, id)
  await db.deleteFrom('category_moderators').where('category_id', '=', id).execute()
  if (staff_ids.length)
    await db
      .insertInto('category_moderators')
      .values([...new Set(staff_ids)].map((staff_id) => ({ category_id: id, staff_id })))
      .execute()
  const after = await moderatorsIn(db, id)
  const names = (people: { name: string }[]) => people.map(({ name }) => name)
  audit({
    target: categoryKinds[kind].type,
    id,
    before: { moderators: names(before) },
    after: { moderators: names(after) },
  })
  changed(liveNameOf(categoryKinds[kind].type), [id])
  return after
}

export const moderatorsIn = (db: Db, category_id: number) =>
  db
    .selectFrom('category_moderators as m')
    .innerJoin('staff as s', 's.id', 'm.staff_id')
    .select(['s.id', 's.name'])
    .where('m.category_id', '=', category_id)
    .orderBy('s.first_name')
    .orderBy('s.id')
    .execute()
