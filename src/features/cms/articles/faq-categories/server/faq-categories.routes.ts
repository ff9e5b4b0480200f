import {
  categoryKinds,
  categorySpace,
  demandParent,
  findCategories,
  getCategory,
  moderatorsIn,
  removeCategory,
  searchCategories,
  setModerators,
} from '#features/cms/articles/categories/server/categories.queries.ts'
import { faqCategories } from '#features/cms/articles/faq-categories/contract.ts'
import { demandSlug, findBySlug, freeSlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { linksFor, type Links } from '#server/files/record-files.ts'
import { changeRecord, createRecord, getRecord } from '#server/record/record.ts'

const tree = categoryKinds.faq
const space = categorySpace('faq')
const whole = (db: Db, id: number, viewer: Viewer, links: Links) => getCategory(db, 'faq', id, viewer, links)

/** @throws HttpError 404 */
export async function idOfFaqCategory(db: Db, slug: string, viewer: Viewer): Promise<number> {
  const id = await findBySlug(db, space, slug, viewer)
  if (id === undefined) throw notFound('FAQ category not found.')
  return id
}

const named = (rows: { id: number; title: string; slug: string }[]) =>
  rows.map(({ id, title, slug }) => ({ id, title, slug }))

export function faqCategoryRoutes(app: App): void {
  app.records.register(tree)

  implement(app, faqCategories.list, ({ query }, { db, viewer }) => findCategories(db, 'faq', query, viewer))

  implement(app, faqCategories.lookup, async ({ query }, { db, viewer }) => ({
    categories: named(await searchCategories(db, 'faq', { q: query.query, chosen: query.chosen }, viewer)),
  }))

  implement(app, faqCategories.search, async ({ query: { q, chosen, current } }, { db, viewer }) => ({
    data: named(await searchCategories(db, 'faq', { q, chosen, without: current }, viewer)),
  }))

  implement(app, faqCategories.searchChild, async ({ query: { q, current } }, { db, viewer }) => ({
    data: named(await searchCategories(db, 'faq', { q, without: current, children: true }, viewer)),
  }))

  implement(app, faqCategories.show, async ({ params }, context) => {
    const { db, viewer } = context
    return { data: await whole(db, await idOfFaqCategory(db, params.id, viewer), viewer, linksFor(context)) }
  })

  implement(app, faqCategories.create, async ({ body: { slug: typed, ...body } }, context) => {
    const { db, viewer } = context
    if (body.parent_id) await demandParent(db, 'faq', null, body.parent_id)
    const slug = typed ? await demandSlug(db, space, typed, 'slug') : await freeSlug(db, space, body.title)
    const id = await createRecord(context, tree, body, { kind: 'faq', slug, created_by: viewer.id })
    return { message: 'FAQ category created.', data: await whole(db, id, viewer, linksFor(context)) }
  })

  implement(
    app,
    faqCategories.update,
    async ({ params, body: { slug: typed, version, base, ...values } }, context) => {
      const { db, viewer } = context
      const id = await idOfFaqCategory(db, params.id, viewer)
      const before = await getRecord(db, tree, id, viewer)
      const current = () => whole(db, id, viewer, linksFor(context))
      tree.authorize!('change', before, viewer)
      if (values.parent_id) await demandParent(db, 'faq', null, values.parent_id, id)
      const slug =
        typed && typed !== before['slug'] ? { slug: await demandSlug(db, space, typed, 'slug', id) } : {}
      const { operation } = await changeRecord(
        context,
        tree,
        id,
        { ...values, ...slug },
        { stated: { version, base }, current },
      )
      return { message: 'FAQ category saved.', data: await current(), operation }
    },
  )

  implement(app, faqCategories.remove, async ({ params, query: { move_to } }, context) => {
    const id = await idOfFaqCategory(context.db, params.id, context.viewer)
    const operation = await removeCategory(context, 'faq', app.records.get('faq'), id, move_to)
    return { message: `${operation.summary}.`, operation }
  })

  implement(app, faqCategories.moderators, async ({ params }, { db, viewer }) => ({
    data: await moderatorsIn(db, await idOfFaqCategory(db, params.id, viewer)),
  }))

  implement(app, faqCategories.setModerators, async ({ params, body: { staff_ids } }, context) => {
    const id = await idOfFaqCategory(context.db, params.id, context.viewer)
    return { message: 'Moderators saved.', data: await setModerators(context, 'faq', id, staff_ids) }
  })
}
