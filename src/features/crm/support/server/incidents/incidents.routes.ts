import { incidents } from '#features/crm/support/incidents.contract.ts'
import { unfilledError } from '#features/crm/support/saved-reply.rules.ts'
import { answerTicket, cleanAnswer } from '#features/crm/support/server/replies/answer.ts'
import { findIncident, findSuggestions } from '#features/crm/support/server/incidents/incidents.queries.ts'
import {
  countUses,
  fillVariables,
  findVariables,
} from '#features/crm/support/server/saved-replies/saved-replies.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { textOf } from '#server/html/html-clean.ts'
import { implement } from '#server/http/implement.ts'
import { findMailRules } from '#server/mail/rules.ts'
import { getRecord } from '#server/record/record.ts'
import { findRecords } from '#server/record/rows.ts'

const show: Handler<typeof incidents.show> = async ({ params: { ticket } }, { db, viewer }) => {
  await getRecord(db, ticketKind, ticket, viewer)
  return { data: await findIncident(db, ticket, viewer) }
}

const suggest: Handler<typeof incidents.suggestions> = async ({ params: { ticket } }, { db, viewer }) => {
  await getRecord(db, ticketKind, ticket, viewer)
  return { data: await findSuggestions(db, ticket, viewer) }
}

const reasons = {
  gone: 'It is no longer part of the incident.',
  banned: 'The requester is banned.',
  'no address': 'The requester has no email address.',
  unfilled: 'It has no value for a variable of the text.',
}

/** Returns the texts for tickets: the answer with the values of each, or why a ticket can't get it. */
async function writeAnswers(
  { app, db, viewer }: WriteContext<typeof incidents.answer>,
  incident: number,
  ids: readonly number[],
  message: string,
): Promise<Map<number, { text: string } | { why: keyof typeof reasons }>> {
  const { head, linked } = await findIncident(db, incident, viewer)
  const parts = new Map([...(head ? [head] : []), ...linked].map((part) => [part.id, part]))
  const hasVariables = unfilledError(textOf(message)) !== undefined
  const texts = new Map<number, { text: string } | { why: keyof typeof reasons }>()
  for (const id of ids) {
    const why = parts.has(id) ? parts.get(id)!.why : 'gone'
    const isReached = why === null || why === 'solved'
    const text =
      isReached && hasVariables ? fillVariables(message, await findVariables(app, db, id, viewer)) : message
    const isFilled = unfilledError(textOf(text)) === undefined
    texts.set(id, isReached ? (isFilled ? { text } : { why: 'unfilled' }) : { why })
  }
  return texts
}

const answerAll: Handler<typeof incidents.answer> = async ({ params: { ticket }, body }, context) => {
  const { app, db, viewer } = context
  const { file_ids, status } = body
  const message = cleanAnswer(body.message)
  const wanted = [...new Set(body.ticket_ids)]
  const held = await findRecords(db, ticketKind, [...wanted, ticket], viewer, { lock: true })
  const own = held.find(({ id }) => id === ticket)
  if (!own) throw notFound('Ticket not found.')
  if (own.incident_id !== null)
    throw invalid('ticket_ids', `Ticket #${ticket} is part of incident #${own.incident_id}.`)
  const texts = await writeAnswers(context, ticket, wanted, message)
  const left_out: { id: number; title: string; why: string }[] = []
  const sent: { id: number; message_id: number; mail_id: number }[] = []
  for (const one of held.filter(({ id }) => wanted.includes(id))) {
    const answer = texts.get(one.id)!
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

const sentText = (count: number) => (count === 1 ? '1 reply sent.' : `${count} replies sent.`)

export function incidentRoutes(app: App): void {
  implement(app, incidents.show, show)
  implement(app, incidents.suggestions, suggest)
  implement(app, incidents.answer, answerAll)
}
