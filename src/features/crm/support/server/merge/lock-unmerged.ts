import type { Viewer } from '#shared/endpoint.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict } from '#server/http/errors.ts'
import { lockRecord } from '#server/record/record.ts'

/**
 * Locks a ticket before a message or note is added, because merged tickets are hidden with their content.
 * @throws HttpError 409 if it was merged into another ticket.
 */
export async function lockUnmerged(db: Db, id: number, viewer: Viewer) {
  const held = await lockRecord(db, ticketKind, id, viewer)
  if (held.merged_into !== null) throw conflict(`Ticket #${id} was merged into #${held.merged_into}.`)
  return held
}
