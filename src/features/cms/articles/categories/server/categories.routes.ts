import {
  categories,
  categoryKindNames,
  categoryKindRows,
  faqCategories,
  type CategoryCalls,
  type CategoryKind,
} from '#features/cms/articles/categories/contract.ts'
import {
  categoryKinds,
  categorySpace,
  demandParent,
  findCategories,
  getCategory,
  idOfCategory,
  moderatorsIn,
  nameOf,
  searchCategories,
  setModerators,
  removeCategory,
} from '#features/cms/articles/categories/server/categories.queries.ts'
import { demandFileKind } from '#features/cms/articles/shared/server/articles.queries.ts'
import { demandSlug, freeSlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { chooseFiles } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { changeRecord, createRecord, getRecord } from '#server/record/record.ts'

type Context = Parameters<typeof chooseFiles>[1] & { app: App; files: { icon: ReceivedFile[] } }

/**
 * Returns the fields of the icon, which is either an image or text; setting one removes the other. Categories of a
 * tree without icons have none.
 */
async function chooseIcon(
  context: Context,
  kind: CategoryKind,
  sent: readonly number[] | undefined,
  text: string | undefined,
  id?: number,
): Promise<{ icon_ids?: number[] | undefined; icon?: string }> {
  if (!categoryKinds[kind].files) return {}
  const files = context.files.icon
  const chosen = files.length ? [] : sent
  await demandFileKind(context.db, chosen ?? [], 'image', 'icon_ids')
  const icon_ids = await chooseFiles(
    context.app.files,
    context,
    categoryKinds[kind],
    'icon_ids',
    { files, file_ids: chosen },
    id,
  )
  if (icon_ids?.length) return { icon_ids, icon: '' }
  return { icon_ids: text === undefined ? icon_ids : [] }
}

const listCategories =
  (kind: CategoryKind): Handler<CategoryCalls['list']> =>
  ({ query }, context) =>
    findCategories(context.db, kind, query, context.viewer, linksFor(context))

const searchParents =
  (kind: CategoryKind): Handler<CategoryCalls['search']> =>
  async ({ query: { q, chosen, current, product_id } }, { db, viewer }) => ({
    data: await searchCategories(db, kind, { q, chosen, product_id, without: current }, viewer),
  })

const searchChildren =
  (kind: CategoryKind): Handler<CategoryCalls['searchChild']> =>
  async ({ query: { q, current, product_id } }, { db, viewer }) => ({
    data: await searchCategories(db, kind, { q, product_id, without: current, children: true }, viewer),
  })

const lookUpFaqCategories: Handler<typeof faqCategories.lookup> = async (
  { query: { query, chosen } },
  { db, viewer },
) => ({ categories: await searchCategories(db, 'faq', { q: query, chosen }, viewer) })

const showCategory =
  (kind: CategoryKind): Handler<CategoryCalls['show']> =>
  async ({ params, query }, context) => {
    const { db, viewer } = context
    const id = await idOfCategory(db, kind, params.id, viewer, query.product_id)
    return { data: await getCategory(db, kind, id, viewer, linksFor(context)) }
  }

const createCategory =
  (kind: CategoryKind): Handler<CategoryCalls['create']> =>
  async ({ query, body: { slug: typed, icon_ids, ...body } }, context) => {
    const { db, viewer } = context
    const product_id = await productFor(db, kind, query.product_id, body.parent_id, viewer)
    if (body.parent_id) await demandParent(db, kind, product_id, body.parent_id)
    const space = categorySpace(kind, product_id)
    const slug = typed ? await demandSlug(db, space, typed, 'slug') : await freeSlug(db, space, body.title)
    const id = await createRecord(
      context,
      categoryKinds[kind],
      { ...body, ...(await chooseIcon(context, kind, icon_ids, body.icon)) },
      { kind, product_id, slug, created_by: viewer.id },
    )
    return {
      message: `${nameOf(kind)} created.`,
      data: await getCategory(db, kind, id, viewer, linksFor(context)),
    }
  }

const updateCategory =
  (kind: CategoryKind): Handler<CategoryCalls['update']> =>
  async ({ params, query, body: { slug: typed, icon_ids, version, base, ...values } }, context) => {
    const { db, viewer } = context
    const id = await idOfCategory(db, kind, params.id, viewer, query.product_id)
    const before = await getRecord(db, categoryKinds[kind], id, viewer)
    const product_id = before['product_id'] as number | null
    const current = () => getCategory(db, kind, id, viewer, linksFor(context))
    categoryKinds[kind].authorize!('change', before, viewer)
    if (values.parent_id) await demandParent(db, kind, product_id, values.parent_id, id)
    const slug =
      typed && typed !== before['slug']
        ? { slug: await demandSlug(db, categorySpace(kind, product_id), typed, 'slug', id) }
        : {}
    const { operation } = await changeRecord(
      context,
      categoryKinds[kind],
      id,
      { ...values, ...(await chooseIcon(context, kind, icon_ids, values.icon, id)), ...slug },
      { stated: { version, base }, current },
    )
    return { message: `${nameOf(kind)} saved.`, data: await current(), operation }
  }

const deleteCategory =
  (kind: CategoryKind): Handler<CategoryCalls['remove']> =>
  async ({ params, query: { product_id, move_to } }, context) => {
    const { app, db, viewer } = context
    const id = await idOfCategory(db, kind, params.id, viewer, product_id)
    const operation = await removeCategory(context, kind, app.records.get(kind), id, move_to)
    return { message: `${operation.summary}.`, operation }
  }

const listModerators =
  (kind: CategoryKind): Handler<CategoryCalls['moderators']> =>
  async ({ params }, { db, viewer }) => ({
    data: await moderatorsIn(db, await idOfCategory(db, kind, params.id, viewer)),
  })

const saveModerators =
  (kind: CategoryKind): Handler<CategoryCalls['setModerators']> =>
  async ({ params, body: { staff_ids } }, context) => {
    const id = await idOfCategory(context.db, kind, params.id, context.viewer)
    return { message: 'Moderators saved.', data: await setModerators(context, kind, id, staff_ids) }
  }

/** Registers the endpoints of both trees. */
export function categoryRoutes(app: App): void {
  for (const kind of categoryKindNames) {
    app.records.register(categoryKinds[kind])
    const calls = categories[kind]
    implement(app, calls.list, listCategories(kind))
    implement(app, calls.search, searchParents(kind))
    implement(app, calls.searchChild, searchChildren(kind))
    implement(app, calls.show, showCategory(kind))
    implement(app, calls.create, createCategory(kind))
    implement(app, calls.update, updateCategory(kind))
    implement(app, calls.remove, deleteCategory(kind))
    implement(app, calls.moderators, listModerators(kind))
    implement(app, calls.setModerators, saveModerators(kind))
  }
  implement(app, faqCategories.lookup, lookUpFaqCategories)
}

/**
 * Returns the product of a new category: the one that is given or, without it, that of the parent category or the
 * caller's only product; null in a tree without products.
 */
async function productFor(
  db: Db,
  kind: CategoryKind,
  given: number | undefined,
  parent_id: number | null | undefined,
  viewer: Viewer,
): Promise<number | null> {
  if (!categoryKindRows[kind].isOfProduct) return null
  if (given !== undefined) return given
  const parent = parent_id
    ? await db
        .selectFrom('article_categories')
        .select('product_id')
        .where('id', '=', parent_id)
        .executeTakeFirst()
    : undefined
  const product_id = parent?.product_id ?? (viewer.products.length === 1 ? viewer.products[0] : undefined)
  if (product_id === undefined || !viewer.products.includes(product_id))
    throw invalid('product_id', 'Choose a product.')
  return product_id
}
