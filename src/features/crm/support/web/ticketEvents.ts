import type { RecordEvent } from '#shared/record.contract.ts'

/** Fields that the conversation shows in other entries: the texts, and their files and emails. */
const saidElsewhere = new Set([
  'reply',
  'forwarded_to',
  'message',
  'comment',
  'from',
  'files',
  'resent',
  'mail',
  'task',
  'rating',
  'rating_comment',
])

/**
 * Returns the events of a ticket's history that are neither messages nor readers, which the page shows
 * elsewhere. Changes made along with a reply are one event, which doesn’t repeat that someone replied, with the
 * operation that undoes the change.
 */
export function changesToShow(events: readonly RecordEvent[]): RecordEvent[] {
  const rest = events
    .filter(({ act }) => act !== 'Received')
    .map((event) => ({ ...event, changes: event.changes.filter(({ field }) => !saidElsewhere.has(field)) }))
  const changes = new Map(
    rest.filter((event) => !isOnlySaid(event)).map((event) => [requestOf(event), event]),
  )
  for (const { operation, ...event } of rest) {
    const change = changes.get(requestOf(event))
    if (operation && change) change.operation ??= operation
  }
  return rest
    .filter((event) => !isOnlySaid(event) || (event.operation !== null && !changes.has(requestOf(event))))
    .map((event) => (said.has(event.act) && event.changes.length > 0 ? { ...event, act: 'Edited' } : event))
}

/** Acts whose words are a separate entry of the conversation. */
const said = new Set([
  'Replied',
  'Forwarded a message',
  'Commented',
  'Replied to a request',
  'Rated an answer',
])

/** Events of the same request have the same time. */
const requestOf = ({ at, act }: Pick<RecordEvent, 'at' | 'act'>) => `${at} ${act}`

/** Returns whether an event only recorded a message, a note, or a reader. */
const isOnlySaid = ({ act, changes }: RecordEvent) =>
  changes.length === 0 && (act === 'Opened' || said.has(act))
