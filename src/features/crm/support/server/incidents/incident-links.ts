import { sql } from 'kysely'
import { batchSize } from '#shared/operations.ts'
import type { Row, Writing } from '#server/record/rows.ts'

/* Links of tickets to incidents, as the record kind and the changes of tickets need them. */

export const isIncident = 'Other tickets are linked to it.'
const isPart = 'The incident is part of another incident.'

/** Messages for the constraints of the links, for tickets that are left out of a change, an undo, or a redo. */
export const incidentErrors = {
  tickets_incident_itself: 'A ticket can’t be linked to itself.',
  tickets_incident_one_level: isPart,
  tickets_incident_has_parts: isIncident,
}

type Noting = Pick<Writing, 'audit' | 'changed'>

/** Notes in the history of an incident that tickets were linked to it or unlinked from it. */
export function noteOnIncident(
  { audit, changed }: Noting,
  incident: number,
  ids: readonly number[],
  isLinked: boolean,
): void {
  if (ids.length === 0) return
  const linked = { linked_tickets: ids.map((id) => `#${id}`) }
  audit({
    target: 'ticket',
    id: incident,
    ...(isLinked ? { after: linked } : { before: linked, after: { linked_tickets: [] } }),
  })
  changed('ticket', [incident])
}

/** Notes in the histories of incidents which tickets an operation linked to them and unlinked from them. */
export async function noteLinks(
  { db, ...noting }: Noting & Pick<Writing, 'db'>,
  operation_id: number,
): Promise<void> {
  const { rows } = await sql<{ id: number; unlinked: number | null; linked: number | null }>`
    select record_id as id, (before ->> 'incident_id')::int as unlinked, (after ->> 'incident_id')::int as linked
    from record_changes where operation_id = ${operation_id} and record_type = 'ticket' order by record_id`.execute(
    db,
  )
  const note = (side: 'unlinked' | 'linked') => {
    const byIncident = Map.groupBy(rows, (row) => row[side])
    for (const [incident, tickets] of byIncident) {
      const ids = tickets.map(({ id }) => id)
      for (let at = 0; at < ids.length; at += batchSize)
        if (incident !== null)
          noteOnIncident(noting, incident, ids.slice(at, at + batchSize), side === 'linked')
    }
  }
  note('unlinked')
  note('linked')
}

/** Notes an undo or redo of a link in the histories of its incidents. */
export async function noteUndoOnIncidents(
  writing: Noting,
  id: number,
  { from, to }: { from: Row; to: Row },
): Promise<void> {
  if (!('incident_id' in to)) return
  if (typeof from['incident_id'] === 'number') noteOnIncident(writing, from['incident_id'], [id], false)
  if (typeof to['incident_id'] === 'number') noteOnIncident(writing, to['incident_id'], [id], true)
}
