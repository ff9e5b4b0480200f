import type { z } from 'zod'
import type {
  AnswerPreview,
  AnswerToPreview,
  IncidentAnswer,
  incidents,
  SentAnswers,
} from '#features/crm/support/incidents.contract.ts'
import type { BulkRecipient } from '#features/crm/support/bulk-reply.contract.ts'
import { unfilledError, variableError } from '#features/crm/support/saved-reply.rules.ts'
import { answerTicket, cleanAnswer } from '#features/crm/support/server/replies/answer.ts'
import { findRequester, writeReply } from '#features/crm/support/server/replies/reply-email.ts'
import { asksForRating } from '#features/crm/support/server/report/ratings.queries.ts'
import {
  countUses,
  fillVariables,
  findVariables,
} from '#features/crm/support/server/saved-replies/saved-replies.queries.ts'
import type { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, WriteContext } from '#server/app.ts'
import type { ReadContext } from '#server/http/context.ts'
import { invalid } from '#server/http/errors.ts'
import { textOf } from '#server/html/html-clean.ts'
import { findMailRules } from '#server/mail/rules.ts'
import type { StoredOf } from '#server/record/rows.ts'

/* One answer to several tickets, of an incident or selected in the list: each gets its own reply. */

type Context = Pick<ReadContext<typeof incidents.preview, App>, 'app' | 'db' | 'viewer'>
type Writing = Omit<WriteContext<typeof incidents.answer>, 'files'>

/** Why tickets are left out. */
export const reasons = {
  gone: 'It is no longer part of the incident.',
  unknown: 'This ticket doesn’t exist.',
  merged: 'It was merged into another ticket.',
  'in trash': 'It is in the trash.',
  banned: 'The requester is banned.',
  'no address': 'The requester has no email address.',
  bounced: 'Emails to the requester’s address bounce.',
  unfilled: 'It has no value for a variable of the text.',
} as const

/** A ticket that gets an answer, unless there is a reason against it; solved ones get one if they are chosen. */
type Recipient = Pick<BulkRecipient, 'id' | 'title' | 'status' | 'email'> & {
  why: BulkRecipient['why'] | 'solved'
}
type LeftOut = z.output<typeof SentAnswers>['left_out']

/**
 * Returns the text of an answer as clean HTML.
 * @throws HttpError 422 if it has an unknown variable, which every requester would see.
 */
function cleanText(unclean: z.output<typeof IncidentAnswer>['message'], field: string): string {
  const message = cleanAnswer(unclean, field)
  const wrong = variableError(textOf(message), 'replies to several tickets')
  if (wrong !== undefined) throw invalid(field, wrong)
  return message
}

/** Returns an answer with the values of a ticket, or why the ticket can't get it. */
async function writeAnswer(
  { app, db, viewer }: Context,
  { id, why }: Recipient,
  message: string,
): Promise<{ text: string } | { why: keyof typeof reasons }> {
  if (why !== null && why !== 'solved') return { why }
  if (unfilledError(textOf(message)) === undefined) return { text: message }
  const text = fillVariables(message, await findVariables(app, db, id, viewer))
  return unfilledError(textOf(text)) === undefined ? { text } : { why: 'unfilled' }
}

/**
 * Returns the email of an answer to a ticket.
 * @throws HttpError 422 if the ticket can't get it.
 */
export async function previewAnswer(
  context: Context,
  part: Recipient,
  body: z.output<typeof AnswerToPreview>,
): Promise<z.output<typeof AnswerPreview>> {
  const { app, db } = context
  const answer = await writeAnswer(context, part, cleanText(body.message, 'message'))
  if ('why' in answer) throw invalid('ticket_id', reasons[answer.why])
  const { id, title, status, email } = part
  const asksRating = await asksForRating(app, db, body.status ?? status)
  const requester = await findRequester(db, id)
  const reply = { id, title, message: answer.text, asksRating }
  const { subject, html } = await app.mail.preview(db, await writeReply(app, context, reply, requester))
  return { data: { to: email!, subject, html } }
}

/**
 * Answers locked tickets, each with its own reply, and names those that are left out.
 * @param parts the tickets that the answer can go to, by ID; others have left the incident
 * @param others further tickets that are left out
 * @throws HttpError 422 if no ticket gets the answer.
 */
export async function answerEach(
  context: Writing,
  body: z.output<typeof IncidentAnswer>,
  held: readonly StoredOf<typeof ticketKind>[],
  parts: ReadonlyMap<number, Recipient>,
  others: LeftOut = [],
): Promise<z.output<typeof SentAnswers>> {
  const { app, db, viewer } = context
  const { file_ids, status } = body
  const message = cleanText(body.message, 'message')
  const own = new Map(
    body.texts?.map((text, at) => [text.ticket_id, cleanText(text.message, `texts.${at}.message`)]),
  )
  const left_out = [...others]
  const sent: { id: number; message_id: number; mail_id: number }[] = []
  for (const one of held) {
    const part = parts.get(one.id)
    const answer = part
      ? await writeAnswer(context, part, own.get(one.id) ?? message)
      : { why: 'gone' as const }
    if ('why' in answer) left_out.push({ id: one.id, title: one.title, why: reasons[answer.why] })
    else {
      const { message_id, mail_id } = await answerTicket(
        app,
        { ...context, files: { attachment: [] } },
        one,
        { message: answer.text, file_ids, status },
      )
      sent.push({ id: one.id, message_id, mail_id: mail_id! })
    }
  }
  if (sent.length === 0) throw invalid('ticket_ids', left_out[0]?.why ?? 'These tickets don’t exist.')
  await countUses(db, body.saved_reply_ids ?? [], viewer)
  const { undo_seconds } = await findMailRules(db)
  return { message: sentText(sent.length), data: { sent, undo_seconds }, left_out }
}

/** They aren’t sent yet: sending them can be undone. */
const sentText = (count: number) => `Sending ${count === 1 ? '1 reply' : `${count} replies`}.`
