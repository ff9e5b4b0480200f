import { bulkReply } from '#features/crm/support/bulk-reply.contract.ts'
import { answerEach, previewAnswer, reasons } from '#features/crm/support/server/replies/answer-many.ts'
import { findRecipients } from '#features/crm/support/server/replies/recipients.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, Handler } from '#server/app.ts'
import { invalid } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { findRecords } from '#server/record/rows.ts'

const list: Handler<typeof bulkReply.recipients> = async ({ query }, { app, db, viewer }) => ({
  data: await findRecipients(db, query.ids, viewer),
  is_on: app.mail.isOn,
})

const preview: Handler<typeof bulkReply.preview> = async ({ body }, context) => {
  const [part] = await findRecipients(context.db, [body.ticket_id], context.viewer)
  if (!part) throw invalid('ticket_id', reasons.unknown)
  return previewAnswer(context, part, body)
}

const answer: Handler<typeof bulkReply.answer> = async ({ body }, context) => {
  const { db, viewer } = context
  const wanted = [...new Set(body.ticket_ids)]
  const held = await findRecords(db, ticketKind, wanted, viewer, { lock: true })
  // After the lock: a ticket that someone merged or moved to the trash in the meantime is left out.
  const found = await findRecipients(db, wanted, viewer)
  const parts = new Map(found.map((part) => [part.id, part]))
  const locked = new Set(held.map(({ id }) => id))
  const others = wanted
    .filter((id) => !locked.has(id))
    .map((id) => {
      const part = parts.get(id)
      return { id, title: part?.title ?? '', why: part ? reasons['in trash'] : reasons.unknown }
    })
  return answerEach(context, body, held, parts, others)
}

export function bulkReplyRoutes(app: App): void {
  implement(app, bulkReply.recipients, list)
  implement(app, bulkReply.preview, preview)
  implement(app, bulkReply.answer, answer)
}
