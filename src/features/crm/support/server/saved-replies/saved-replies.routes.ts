import type { Viewer } from '#shared/endpoint.ts'
import { requiredError, type UncleanHtml } from '#shared/schemas.ts'
import {
  findPublishedFaqs,
  getPublishedAnswer,
} from '#features/cms/articles/faqs/server/published.queries.ts'
import { savedReplies } from '#features/crm/support/saved-replies.contract.ts'
import { onlyAdminsShare, sharesReplies, variableError } from '#features/crm/support/saved-reply.rules.ts'
import {
  fillSavedReply,
  fillVariables,
  findSavedReplies,
  findVariables,
  getSavedReply,
  savedReplyKind,
} from '#features/crm/support/server/saved-replies/saved-replies.queries.ts'
import type { App, Handler } from '#server/app.ts'
import { chooseFiles, setInlineImages } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { cleanHtml, imagesIn, textOf, withoutImages } from '#server/html/html-clean.ts'
import { invalid, notAllowed } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { changeRecord, createRecord } from '#server/record/record.ts'

/** @throws HttpError 422 if the text is empty or has an unknown variable. */
function cleanContent(unclean: UncleanHtml): string {
  const content = cleanHtml(unclean, 'content')
  if (textOf(content) === '') throw invalid('content', requiredError)
  const wrong = variableError(content, 'saved replies')
  if (wrong !== undefined) throw invalid('content', wrong)
  return content
}

/** @throws HttpError 403 if the viewer can't make a reply available to everyone; its kind checks shared ones. */
function authorizeSharing({ is_shared }: { is_shared?: boolean | undefined }, viewer: Viewer): void {
  if (is_shared === true && !sharesReplies(viewer)) throw notAllowed(onlyAdminsShare)
}

const showSavedReply: Handler<typeof savedReplies.show> = async ({ params }, context) => ({
  data: await getSavedReply(context.db, params.id, context.viewer, linksFor(context)),
})

const fillReply: Handler<typeof savedReplies.fill> = async ({ params }, context) => ({
  data: await fillSavedReply(context.app, context.db, params, context.viewer, linksFor(context)),
})

const previewReply: Handler<typeof savedReplies.preview> = async ({ params, body }, { app, db, viewer }) => {
  const values = await findVariables(app, db, params.ticket, viewer)
  return { data: { content: fillVariables(cleanHtml(body.content, 'content'), values) } }
}

const mostFaqs = 3

const showFaqAnswer: Handler<typeof savedReplies.faqAnswer> = async ({ params }, { db }) => {
  const answer = await getPublishedAnswer(db, params.id)
  return { data: { content: withoutImages(answer), images: imagesIn(answer).length } }
}

const createSavedReply: Handler<typeof savedReplies.create> = async (
  { body: { content: unclean, file_ids: sent, ...values } },
  context,
) => {
  const { app, db, viewer } = context
  authorizeSharing(values, viewer)
  const content = cleanContent(unclean)
  const file_ids = await chooseFiles(app.files, context, savedReplyKind, 'file_ids', { file_ids: sent })
  const id = await createRecord(
    context,
    savedReplyKind,
    { ...values, content, file_ids },
    { created_by: viewer.id },
  )
  await setInlineImages(app.files, context, { type: 'saved_reply', id }, imagesIn(content))
  return { message: 'Saved reply created.', data: await getSavedReply(db, id, viewer, linksFor(context)) }
}

const updateSavedReply: Handler<typeof savedReplies.update> = async (
  { params: { id }, body: { version, base, content: unclean, file_ids: sent, ...values } },
  context,
) => {
  const { app, db, viewer } = context
  authorizeSharing(values, viewer)
  const content = unclean && cleanContent(unclean)
  const current = () => getSavedReply(db, id, viewer, linksFor(context))
  const file_ids = await chooseFiles(app.files, context, savedReplyKind, 'file_ids', { file_ids: sent }, id)
  const { operation } = await changeRecord(
    context,
    savedReplyKind,
    id,
    { ...values, content, file_ids },
    { stated: { version, base }, current },
  )
  if (content !== undefined)
    await setInlineImages(app.files, context, { type: 'saved_reply', id }, imagesIn(content))
  return { message: 'Saved reply saved.', data: await current(), operation }
}

export function savedReplyRoutes(app: App): void {
  app.records.register(savedReplyKind)
  implement(app, savedReplies.list, ({ query }, { db, viewer }) => findSavedReplies(db, query, viewer))
  implement(app, savedReplies.show, showSavedReply)
  implement(app, savedReplies.fill, fillReply)
  implement(app, savedReplies.preview, previewReply)
  implement(app, savedReplies.faqs, async ({ query }, { db }) => ({
    data: await findPublishedFaqs(db, query.search, mostFaqs),
  }))
  implement(app, savedReplies.faqAnswer, showFaqAnswer)
  implement(app, savedReplies.create, createSavedReply)
  implement(app, savedReplies.update, updateSavedReply)
}
