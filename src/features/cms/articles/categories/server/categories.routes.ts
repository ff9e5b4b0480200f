import { categories } from '#features/cms/articles/categories/contract.ts'
import {
  categoryKinds,
  categorySpace,
  demandParent,
  findCategories,
  getCategory,
  moderatorsIn,
  searchCategories,
  setModerators,
  removeCategory,
} from '#features/cms/articles/categories/server/categories.queries.ts'
import { demandFileKind } from '#features/cms/articles/shared/server/articles.queries.ts'
import { demandSlug, findBySlug, freeSlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { ReceivedFile } from '#server/files/inspect-file.ts'
import { chooseFiles, filesOf, linksFor } from '#server/files/record-files.ts'
import { changeRecord, createRecord, getRecord } from '#server/record/record.ts'

const categoryKind = categoryKinds.post

async function idOf(db: Db, slug: string, product_id: number | undefined, viewer: Viewer): Promise<number> {
  const id = await findBySlug(db, categorySpace('post', product_id), slug, viewer)
  if (id === undefined) throw notFound('Category not found.')
  return id
}

type Context = Parameters<typeof chooseFiles>[1] & { files: { icon: ReceivedFile[] } }

/** Returns the fields of the icon, which is either an image or text; setting one removes the other. */
async function chooseIcon(
  app: App,
  context: Context,
  sent: readonly number[] | undefined,
  text: string | undefined,
  id?: number,
): Promise<{ icon_ids?: number[] | undefined; icon?: string }> {
  const files = context.files.icon
  const chosen = files.length ? [] : sent
  await demandFileKind(context.db, chosen ?? [], 'image', 'icon_ids')
  const icon_ids = await chooseFiles(
    app.files,
    context,
    categoryKind,
    'icon_ids',
    { files, file_ids: chosen },
    id,
  )
  if (icon_ids?.length) return { icon_ids, icon: '' }
  return { icon_ids: text === undefined ? icon_ids : [] }
}

const listCategories: Handler<typeof categories.list> = async ({ query }, context) => {
  const { data, ...page } = await findCategories(context.db, 'post', query, context.viewer)
  const icons = await filesOf(
    context.db,
    'category',
    data.map(({ id }) => id),
    linksFor(context),
    'icon',
  )
  return { ...page, data: data.map((row) => ({ ...row, icon_file: icons.get(row.id)?.[0] ?? null })) }
}

const searchParents: Handler<typeof categories.search> = async (
  { query: { q, chosen, current, product_id } },
  { db, viewer },
) => ({
  data: await searchCategories(db, 'post', { q, chosen, product_id, without: current }, viewer),
})

const searchChildren: Handler<typeof categories.searchChild> = async (
  { query: { q, current, product_id } },
  { db, viewer },
) => ({
  data: await searchCategories(db, 'post', { q, product_id, without: current, children: true }, viewer),
})

const showCategory: Handler<typeof categories.show> = async ({ params, query }, context) => {
  const { db, viewer } = context
  return {
    data: await getCategory(
      db,
      'post',
      await idOf(db, params.id, query.product_id, viewer),
      viewer,
      linksFor(context),
    ),
  }
}

const createCategory =
  (app: App): Handler<typeof categories.create> =>
  async ({ query, body: { slug: typed, icon_ids, ...body } }, context) => {
    const { db, viewer } = context
    const product_id = query.product_id ?? (await productOf(db, body.parent_id, viewer))
    if (body.parent_id) await demandParent(db, 'post', product_id, body.parent_id)
    const space = categorySpace('post', product_id)
    const slug = typed ? await demandSlug(db, space, typed, 'slug') : await freeSlug(db, space, body.title)
    const icon = await chooseIcon(app, context, icon_ids, body.icon)
    const id = await createRecord(
      context,
      categoryKind,
      { ...body, ...icon },
      {
        kind: 'post',
        product_id,
        slug,
        created_by: viewer.id,
      },
    )
    return {
      message: 'Category created.',
      data: await getCategory(db, 'post', id, viewer, linksFor(context)),
    }
  }

const updateCategory =
  (app: App): Handler<typeof categories.update> =>
  async ({ params, query, body: { slug: typed, icon_ids, version, base, ...values } }, context) => {
    const { db, viewer } = context
    const id = await idOf(db, params.id, query.product_id, viewer)
    const before = await getRecord(db, categoryKind, id, viewer)
    const product_id = before['product_id'] as number
    const current = () => getCategory(db, 'post', id, viewer, linksFor(context))
    categoryKind.authorize!('change', before, viewer)
    if (values.parent_id) await demandParent(db, 'post', product_id, values.parent_id, id)
    const slug =
      typed && typed !== before['slug']
        ? { slug: await demandSlug(db, categorySpace('post', product_id), typed, 'slug', id) }
        : {}
    const { operation } = await changeRecord(
      context,
      categoryKind,
      id,
      { ...values, ...(await chooseIcon(app, context, icon_ids, values.icon, id)), ...slug },
      { stated: { version, base }, current },
    )
    return { message: 'Category saved.', data: await current(), operation }
  }

const deleteCategory =
  (app: App): Handler<typeof categories.remove> =>
  async ({ params, query: { product_id, move_to } }, context) => {
    const id = await idOf(context.db, params.id, product_id, context.viewer)
    const operation = await removeCategory(context, 'post', app.records.get('post'), id, move_to)
    return { message: `${operation.summary}.`, operation }
  }

const listModerators: Handler<typeof categories.moderators> = async ({ params }, { db, viewer }) => ({
  data: await moderatorsIn(db, await idOf(db, params.id, undefined, viewer)),
})

const saveModerators: Handler<typeof categories.setModerators> = async (
  { params, body: { staff_ids } },
  context,
) => {
  const id = await idOf(context.db, params.id, undefined, context.viewer)
  return { message: 'Moderators saved.', data: await setModerators(context, 'post', id, staff_ids) }
}

export function categoryRoutes(app: App): void {
  app.records.register(categoryKind)
  implement(app, categories.list, listCategories)
  implement(app, categories.search, searchParents)
  implement(app, categories.searchChild, searchChildren)
  implement(app, categories.show, showCategory)
  implement(app, categories.create, createCategory(app))
  implement(app, categories.update, updateCategory(app))
  implement(app, categories.remove, deleteCategory(app))
  implement(app, categories.moderators, listModerators)
  implement(app, categories.setModerators, saveModerators)
}

/**
 * Returns the product to use if none is given: the parent category's or, without a parent, the caller's only
 * product.
 */
async function productOf(db: Db, parent_id: number | null | undefined, viewer: Viewer): Promise<number> {
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
