import { categories } from '#features/cms/articles/categories/contract.ts'
import {
  categoryKind,
  categorySpace,
  demandParent,
  findCategories,
  getCategory,
  moderatorsIn,
  searchCategories,
  usesOf,
} from '#features/cms/articles/categories/server/categories.queries.ts'
import { postKind } from '#features/cms/articles/posts/server/posts.queries.ts'
import { policies } from '#features/cms/articles/rules.ts'
import { withPolicy } from '#features/cms/articles/shared/server/articles.queries.ts'
import { demandSlug, findBySlug, freeSlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { attachFiles, detachFiles, linksFor } from '#server/record-files.ts'
import { changeRecord, changeRecords, createRecord, getRecord, isVisible, trashRecords } from '#server/record/record.ts'

async function idOf(db: Db, slug: string, product_id: number | undefined, viewer: Viewer): Promise<number> {
  const id = await findBySlug(db, categorySpace('post', product_id), slug, viewer)
  if (id === undefined) throw notFound('Category')
  return id
}

export function categoryRoutes(app: App): void {
  app.records.register(categoryKind)
  app.files.mayRead('category', async (db, id, viewer) => can(viewer, 'categories_list') && (await isVisible(db, categoryKind, id, viewer)))

  implement(app, categories.list, ({ query }, { db, viewer }) => findCategories(db, query, viewer))

  implement(app, categories.search, async ({ query: { q, current, product_id } }, { db, viewer }) => ({
    data: await searchCategories(db, 'post', { q, product_id, without: current }, viewer),
  }))

  implement(app, categories.searchChild, async ({ query: { q, current, product_id } }, { db, viewer }) => ({
    data: await searchCategories(db, 'post', { q, product_id, without: current, children: true }, viewer),
  }))

  implement(app, categories.show, async ({ params, query }, context) => {
    const { db, viewer } = context
    return { data: await getCategory(db, await idOf(db, params.id, query.product_id, viewer), viewer, linksFor(context)) }
  })

  implement(app, categories.create, async ({ query, body: { slug: typed, ...body } }, context) => {
    const { db, viewer, files } = context
    const product_id = query.product_id ?? (await productOf(db, body.parent_id, viewer))
    if (body.parent_id) await demandParent(db, 'post', product_id, body.parent_id)
    const space = categorySpace('post', product_id)
    const slug = typed ? await demandSlug(db, space, typed, 'slug') : await freeSlug(db, space, body.title)
    const id = await createRecord(context, categoryKind, body, { kind: 'post', product_id, slug, created_by: viewer.id })
    await attachFiles(app.files, context, { files: files.icon }, { type: 'category', id, role: 'icon' })
    return { message: 'Category created.', data: await getCategory(db, id, viewer, linksFor(context)) }
  })

  implement(app, categories.update, async ({ params, query, body: { slug: typed, version, base, ...values } }, context) => {
    const { db, viewer, files } = context
    const id = await idOf(db, params.id, query.product_id, viewer)
    const before = await getRecord(db, categoryKind, id, viewer)
    const product_id = before['product_id'] as number
    const current = () => getCategory(db, id, viewer, linksFor(context))
    categoryKind.demand!('change', before, viewer)
    if (values.parent_id) await demandParent(db, 'post', product_id, values.parent_id, id)
    const slug = typed && typed !== before['slug'] ? { slug: await demandSlug(db, categorySpace('post', product_id), typed, 'slug', id) } : {}
    const { operation } = await changeRecord(context, categoryKind, id, { ...values, ...slug }, { stated: { version, base }, current })
    if (files.icon.length || values.icon !== undefined) await detachFiles(context, { type: 'category', id, role: 'icon' })
    await attachFiles(app.files, context, { files: files.icon }, { type: 'category', id, role: 'icon' })
    return { message: 'Category saved.', data: await current(), operation }
  })

  implement(app, categories.remove, async ({ params, query: { product_id, move_to } }, context) => {
    const { db, viewer } = context
    const id = await idOf(db, params.id, product_id, viewer)
    const category = await getRecord(db, categoryKind, id, viewer)
    const uses = await usesOf(db, id)
    if (uses.posts + uses.children > 0) {
      const held = `${uses.posts} ${uses.posts === 1 ? 'post' : 'posts'} and ${uses.children} ${uses.children === 1 ? 'category' : 'categories'} below it`
      if (move_to === undefined) throw conflict(`This category has ${held}. Choose where they go.`, uses)
      if (move_to === id) throw invalid('move_to', 'Choose another category.')
      await demandParent(db, 'post', category['product_id'] as number, move_to, id)
      const [posts, children] = await Promise.all([
        db.selectFrom('articles').select('id').where('category', '=', id).where('deleted_at', 'is', null).execute(),
        db.selectFrom('article_categories').select('id').where('parent_id', '=', id).where('deleted_at', 'is', null).execute(),
      ])
      const ids = (rows: { id: number }[]) => rows.map((row) => row.id)
      const asAdmin = withPolicy(postKind, policies.category.remove)
      if (posts.length) await changeRecords(context, asAdmin, ids(posts), 'Moved to another category', () => ({ category: move_to }))
      if (children.length) await changeRecords(context, categoryKind, ids(children), 'Moved below another category', () => ({ parent_id: move_to }))
    }
    const operation = await trashRecords(context, categoryKind, [id])
    return { message: `${operation.summary}.`, operation }
  })

  implement(app, categories.moderators, async ({ params }, { db, viewer }) => ({ data: await moderatorsIn(db, await idOf(db, params.id, undefined, viewer)) }))

  implement(app, categories.setModerators, async ({ params, body: { staff_ids } }, { db, viewer, record, changed }) => {
    const id = await idOf(db, params.id, undefined, viewer)
    const before = await moderatorsIn(db, id)
    await db.deleteFrom('category_moderators').where('category_id', '=', id).execute()
    if (staff_ids.length)
      await db
        .insertInto('category_moderators')
        .values([...new Set(staff_ids)].map((staff_id) => ({ category_id: id, staff_id })))
        .execute()
    const data = await moderatorsIn(db, id)
    const names = (people: { name: string }[]) => people.map(({ name }) => name)
    record({ target: 'category', id, before: { moderators: names(before) }, after: { moderators: names(data) } })
    changed('category', [id])
    return { message: 'Moderators saved.', data }
  })
}

/** Where no product is said: that of the category above it, else the caller's only one. */
async function productOf(db: Db, parent_id: number | null | undefined, viewer: Viewer): Promise<number> {
  const parent = parent_id ? await db.selectFrom('article_categories').select('product_id').where('id', '=', parent_id).executeTakeFirst() : undefined
  const product_id = parent?.product_id ?? (viewer.products.length === 1 ? viewer.products[0] : undefined)
  if (product_id === undefined || !viewer.products.includes(product_id)) throw invalid('product_id', 'Choose a product.')
  return product_id
}
