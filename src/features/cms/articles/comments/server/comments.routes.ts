import { comments } from '#features/cms/articles/comments/contract.ts'
import { commentStates } from '#features/cms/articles/comments/fields.ts'
import {
  commentKind,
  findComments,
  findCommentsOfPost,
  findThread,
} from '#features/cms/articles/comments/server/comments.queries.ts'
import { idOfArticle, spaceOf } from '#features/cms/articles/shared/server/articles.queries.ts'
import { findBySlug } from '#features/cms/articles/shared/server/slugs.queries.ts'
import { invalid } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { changeInBulk, inBackground, setValues } from '#server/record/batches.ts'
import { trashRecords } from '#server/record/record.ts'

export function commentRoutes(app: App): void {
  app.records.register(commentKind)

  implement(app, comments.list, ({ query }, { db, viewer }) => findComments(db, query, viewer))

  implement(app, comments.show, ({ params }, { db, viewer }) => findThread(db, params.id, viewer))

  implement(app, comments.byPost, async ({ params, query }, { db, viewer }) =>
    findCommentsOfPost(
      db,
      query,
      viewer,
      await idOfArticle(db, app.records.get('post'), params.id, undefined, viewer),
    ),
  )

  implement(app, comments.remove, async ({ params }, context) => {
    const operation = await trashRecords(context, commentKind, [params.id])
    return { message: `${operation.summary}.`, operation }
  })

  implement(app, comments.setState, async ({ body: { ids, state } }, context) => {
    const { leftOut, running, operation } = await changeInBulk(context, commentKind, ids, {
      change: setValues({ state }),
      summary: `Marked as ${commentStates[state].toLowerCase()}`,
      leaveOutRefused: true,
    })
    const said = operation ? `${operation.summary}.` : 'No comments were changed.'
    return { message: running ? inBackground : said + leftOut, operation }
  })

  implement(app, comments.inbound, async ({ body }, { db, audit, changed }) => {
    const there = await db
      .selectFrom('post_comments')
      .select('id')
      .where('message_id', '=', body.message_id)
      .executeTakeFirst()
    if (there) return { message: 'Already received.', id: there.id }
    const post_id = await findBySlug(db, spaceOf(app.records.get('post'), body.product_id), body.post, {
      products: [body.product_id],
    })
    if (post_id === undefined) throw invalid('post', 'This post doesn’t exist.')
    const added = await db
      .insertInto('post_comments')
      .values({
        post_id,
        sender_name: body.name,
        sender_email: body.email,
        body: body.body,
        message_id: body.message_id,
      })
      .onConflict((conflict) => conflict.column('message_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    const { id } =
      added ??
      (await db
        .selectFrom('post_comments')
        .select('id')
        .where('message_id', '=', body.message_id)
        .executeTakeFirstOrThrow())
    if (added) {
      audit({ target: 'comment', id, after: { sender_name: body.name, body: body.body } })
      changed('comment', [id])
    }
    return { message: added ? 'Received.' : 'Already received.', id }
  })
}
