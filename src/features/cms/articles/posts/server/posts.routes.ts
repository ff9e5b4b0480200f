import { policies, whyNot } from '#features/cms/articles/rules.ts'
import { posts } from '#features/cms/articles/posts/contract.ts'
import {
  categoryFor,
  getPost,
  nameAllPosts,
  postKind,
  postReads,
  titlesWithSame,
} from '#features/cms/articles/posts/server/posts.queries.ts'
import { idOfCategory } from '#features/cms/articles/categories/server/categories.queries.ts'
import {
  changeArticle,
  createArticle,
  handArticleOver,
  idOfArticle,
  publishArticle,
} from '#features/cms/articles/shared/server/articles.queries.ts'
import { withPolicy } from '#features/cms/articles/shared/server/article-kind.ts'
import { findBySlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import { tagSpace, tagsByName } from '#features/cms/articles/tags/server/tags.queries.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { changeRecord, lockRecord, trashRecords } from '#server/record/record.ts'

const listUnpublished: Handler<typeof posts.unpublished> = ({ query }, { db, viewer }) =>
  postReads.page(db, { ...query, state: 0 }, viewer)

const listByCategory: Handler<typeof posts.byCategory> = async ({ params, query }, { db, viewer }) => {
  const category_id = await idOfCategory(db, 'post', params.category, viewer, query.product_id)
  return postReads.page(db, { ...query, category_id }, viewer)
}

const listByTag: Handler<typeof posts.byTag> = async ({ params, query }, { db, viewer }) => {
  const tag_id = await findBySlug(db, tagSpace, params.tag, viewer)
  if (tag_id === undefined) throw notFound('Tag not found.')
  return postReads.page(db, { ...query, tag_id }, viewer)
}

const listByUser: Handler<typeof posts.byUser> = async ({ params, query }, { db, viewer }) => {
  const is = /^\d{1,9}$/.test(params.user)
    ? (['id', Number(params.user)] as const)
    : (['slug', params.user] as const)
  const user = await db.selectFrom('staff').select('id').where(is[0], '=', is[1]).executeTakeFirst()
  if (!user) throw notFound('User not found.')
  return postReads.page(db, { ...query, user_id: user.id }, viewer)
}

const listNames: Handler<typeof posts.getPost> = async ({ query }, { db, viewer }) => ({
  data: await nameAllPosts(db, query.product_id, viewer),
})

const findSameMeta: Handler<typeof posts.sameMeta> = async (
  { query: { meta_title, meta_description, ...of } },
  { db },
) => ({
  meta_title: await titlesWithSame(db, 'meta_title', meta_title, of),
  meta_description: await titlesWithSame(db, 'meta_description', meta_description, of),
})

const showPost: Handler<typeof posts.show> = async ({ params, query }, context) => {
  const id = await idOfArticle(context.db, postKind, params.slug, query.product_id, context.viewer)
  return { data: await getPost(context.db, id, context.viewer, linksFor(context)) }
}

const createPost: Handler<typeof posts.create> = async (
  { query, body: { tags, category, ...body } },
  context,
) => {
  const { app, db, viewer } = context
  const its = await categoryFor(db, category, query.product_id, viewer)
  const mayPublish = whyNot(policies.post.publish, viewer, { moderated: its.moderated }) === undefined
  const own = { category: category, ...(tags ? { tags: await tagsByName(db, tags) } : {}) }
  const id = await createArticle(app, context, postKind, its.product_id, body, own, mayPublish)
  return { message: 'Post created.', data: await getPost(db, id, viewer, linksFor(context)) }
}

const updatePost: Handler<typeof posts.update> = async (
  { params, query, body: { tags, category, ...body } },
  context,
) => {
  const { app, db, viewer } = context
  const id = await idOfArticle(db, postKind, params.slug, query.product_id, viewer)
  const current = () => getPost(db, id, viewer, linksFor(context))
  const before = await lockRecord(db, postKind, id, viewer)
  if (category !== undefined && category !== before['category'])
    await categoryFor(db, category, before['product_id'] as number, viewer)
  const own = {
    ...(category === undefined ? {} : { category }),
    ...(tags ? { tags: await tagsByName(db, tags) } : {}),
  }
  // The tags that are sent replace the stored tags and are not merged with them.
  const stated = {
    version: body.version,
    ...(body.base ? { base: { ...body.base, tags: before['tags'] } } : {}),
  }
  const operation = await changeArticle(app, context, postKind, before, body, { own, stated, current })
  return { message: 'Post saved.', data: await current(), operation }
}

const removePost: Handler<typeof posts.remove> = async ({ params, query }, context) => {
  const id = await idOfArticle(context.db, postKind, params.slug, query.product_id, context.viewer)
  const operation = await trashRecords(context, postKind, [id])
  return { message: `${operation.summary}.`, operation }
}

const publishPost: Handler<typeof posts.publishing> = async ({ params, query }, context) => {
  const { app, db, viewer } = context
  const id = await idOfArticle(db, postKind, params.slug, query.product_id, viewer)
  const done = await publishArticle(app, context, postKind, id, query.action === 'publish', query.expected)
  return { ...done, data: await postReads.row(db, id, viewer) }
}

const assignTags: Handler<typeof posts.assignTags> = async ({ params, query, body }, context) => {
  const { db, viewer } = context
  const id = await idOfArticle(db, postKind, params.slug, query.product_id, viewer)
  const tags = await tagsByName(db, body.tags)
  const { operation } = await changeRecord(
    context,
    withPolicy(postKind, policies.post.assignTags),
    id,
    { tags },
    { summary: 'Tags changed' },
  )
  return { message: 'Tags saved.', data: await getPost(db, id, viewer, linksFor(context)), operation }
}

const handOver: Handler<typeof posts.handOver> = async ({ params, query, body }, context) => {
  const { db, viewer } = context
  const id = await idOfArticle(db, postKind, params.slug, query.product_id, viewer)
  const operation = await handArticleOver(context, postKind, id, body.author_id)
  return {
    message: 'Post author changed.',
    data: await getPost(db, id, viewer, linksFor(context)),
    operation,
  }
}

export function postRoutes(app: App): void {
  app.records.register(postKind)
  implement(app, posts.list, ({ query }, { db, viewer }) => postReads.page(db, query, viewer))
  implement(app, posts.unpublished, listUnpublished)
  implement(app, posts.byCategory, listByCategory)
  implement(app, posts.byTag, listByTag)
  implement(app, posts.byUser, listByUser)
  implement(app, posts.getPost, listNames)
  implement(app, posts.sameMeta, findSameMeta)
  implement(app, posts.show, showPost)
  implement(app, posts.create, createPost)
  implement(app, posts.update, updatePost)
  implement(app, posts.remove, removePost)
  implement(app, posts.publishing, publishPost)
  implement(app, posts.assignTags, assignTags)
  implement(app, posts.handOver, handOver)
}
