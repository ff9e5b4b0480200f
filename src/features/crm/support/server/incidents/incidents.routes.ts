import { incidents, type IncidentTicket } from '#features/crm/support/incidents.contract.ts'
import { unfilledError } from '#features/crm/support/saved-reply.rules.ts'
import { answerTicket, cleanAnswer } from '#features/crm/support/server/replies/answer.ts'
import { findRequester, writeReply } from '#features/crm/support/server/replies/reply-email.ts'
import { asksForRating } from '#features/crm/support/server/report/ratings.queries.ts'
import { addNote } from '#features/crm/support/server/notes.ts'
import { findIncident, findSuggestions } from '#features/crm/support/server/incidents/incidents.queries.ts'
import {
  countUses,
  fillVariables,
  findVariables,
} from '#features/crm/support/server/saved-replies/saved-replies.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import type { ReadContext } from '#server/http/context.ts'
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

type Context = Pick<ReadContext<typeof incidents.preview, App>, 'app' | 'db' | 'viewer'>

/** Returns the tickets that an incident's answer can go to, by ID. */
async function findParts({ db, viewer }: Context, incident: number) {
  const { head, linked } = await findIncident(db, incident, viewer)
  return new Map([...(head ? [head] : []), ...linked].map((part) => [part.id, part]))
}

/** Returns an answer with the values of a ticket, or why the ticket can't get it. */
async function writeAnswer(
  { app, db, viewer }: Context,
  part: IncidentTicket | undefined,
  message: string,
): Promise<{ text: string } | { why: keyof typeof reasons }> {
  if (!part) return { why: 'gone' }
  if (part.why !== null && part.why !== 'solved') return { why: part.why }
  if (unfilledError(textOf(message)) === undefined) return { text: message }
  const text = fillVariables(message, await findVariables(app, db, part.id, viewer))
  return unfilledError(textOf(text)) === undefined ? { text } : { why: 'unfilled' }
}

const preview: Handler<typeof incidents.preview> = async ({ params: { ticket }, body }, context) => {
  const { app, db, viewer } = context
  await getRecord(db, ticketKind, ticket, viewer)
  const part = (await findParts(context, ticket)).get(body.ticket_id)
  const answer = await writeAnswer(context, part, cleanAnswer(body.message))
  if ('why' in answer) throw invalid('ticket_id', reasons[answer.why])
  const { id, title, status } = part!
  const asksRating = await asksForRating(app, db, body.status ?? status)
  const requester = await findRequester(db, id)
  const reply = { id, title, message: answer.text, asksRating }
  const { subject, html } = await app.mail.preview(db, await writeReply(app, context, reply, requester))
  return { data: { to: part!.email!, subject, html } }
}

/**
 * Locks an incident and tickets of it; returns those of the tickets that the viewer can see.
 * @throws HttpError 404 if the viewer can't see the incident, or 422 if it is part of another one
 */
async function lockParts(
  { db, viewer }: WriteContext<typeof incidents.answer>,
  incident: number,
  wanted: readonly number[],
) {
  const held = await findRecords(db, ticketKind, [...wanted, incident], viewer, { lock: true })
  const own = held.find(({ id }) => id === incident)
  if (!own) throw notFound('Ticket not found.')
  if (own.incident_id !== null)
    throw invalid('ticket_ids', `Ticket #${incident} is part of incident #${own.incident_id}.`)
  return held.filter(({ id }) => wanted.includes(id))
}

const answerAll: Handler<typeof incidents.answer> = async ({ params: { ticket }, body }, context) => {
  const { app, db, viewer } = context
  const { file_ids, status } = body
  const message = cleanAnswer(body.message)
  const own = new Map(
    body.texts?.map((text, at) => [text.ticket_id, cleanAnswer(text.message, `texts.${at}.message`)]),
  )
  const wanted = [...new Set(body.ticket_ids)]
  const held = await lockParts(context, ticket, wanted)
  const parts = await findParts(context, ticket)
  const left_out: { id: number; title: string; why: string }[] = []
  const sent: { id: number; message_id: number; mail_id: number }[] = []
  for (const one of held) {
    const answer = await writeAnswer(context, parts.get(one.id), own.get(one.id) ?? message)
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

const noteAll: Handler<typeof incidents.note> = async ({ params: { ticket }, body }, context) => {
  const { support_comment } = body
  const held = await lockParts(context, ticket, [...new Set(body.ticket_ids)])
  const parts = await findParts(context, ticket)
  const [noted, left] = [held.filter(({ id }) => parts.has(id)), held.filter(({ id }) => !parts.has(id))]
  if (noted.length === 0)
    throw invalid('ticket_ids', left.length ? reasons.gone : 'These tickets don’t exist.')
  for (const one of noted) await addNote(context, one, { support_comment })
  return {
    message: noted.length === 1 ? 'Note added.' : `Note added to ${noted.length} tickets.`,
    left_out: left.map(({ id, title }) => ({ id, title, why: reasons.gone })),
  }
}

const sentText = (count: number) => (count === 1 ? '1 reply sent.' : `${count} replies sent.`)

export function incidentRoutes(app: App): void {
  implement(app, incidents.show, show)
  implement(app, incidents.suggestions, suggest)
  implement(app, incidents.preview, preview)
  implement(app, incidents.note, noteAll)
  implement(app, incidents.answer, answerAll)
}
