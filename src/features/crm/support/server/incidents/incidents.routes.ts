import { incidents } from '#features/crm/support/incidents.contract.ts'
import { answerEach, previewAnswer, reasons } from '#features/crm/support/server/replies/answer-many.ts'
import { addNote } from '#features/crm/support/server/notes.ts'
import { findIncident, findSuggestions } from '#features/crm/support/server/incidents/incidents.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import type { ReadContext } from '#server/http/context.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
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

type Context = Pick<ReadContext<typeof incidents.preview, App>, 'db' | 'viewer'>

/** Returns the tickets that an incident's answer can go to, by ID. */
async function findParts({ db, viewer }: Context, incident: number) {
  const { head, linked } = await findIncident(db, incident, viewer)
  return new Map([...(head ? [head] : []), ...linked].map((part) => [part.id, part]))
}

const preview: Handler<typeof incidents.preview> = async ({ params: { ticket }, body }, context) => {
  await getRecord(context.db, ticketKind, ticket, context.viewer)
  const part = (await findParts(context, ticket)).get(body.ticket_id)
  if (!part) throw invalid('ticket_id', reasons.gone)
  return previewAnswer(context, part, body)
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
  const held = await lockParts(context, ticket, [...new Set(body.ticket_ids)])
  return answerEach(context, body, held, await findParts(context, ticket))
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

export function incidentRoutes(app: App): void {
  implement(app, incidents.show, show)
  implement(app, incidents.suggestions, suggest)
  implement(app, incidents.preview, preview)
  implement(app, incidents.note, noteAll)
  implement(app, incidents.answer, answerAll)
}
