import { expect, test } from 'vitest'
import type { RecordEvent } from '#shared/record.contract.ts'
import { changesToShow } from '#features/crm/support/web/ticketEvents.ts'

const event = (id: number, act: string, more: Partial<RecordEvent> = {}): RecordEvent => ({
  id,
  at: '2026-11-18T14:42:00.000Z',
  endpoint: 'POST /admin/support/sendReply/{id}',
  act,
  who: 'Tom Whitfield',
  changes: [],
  operation: null,
  ...more,
})
const reply = [{ field: 'reply', before: null, after: 'Hello' }]
const status = [{ field: 'status', before: 0, after: 3 }]
const operation = { id: 7, way: 'undo', changed: 1 } as const

test('a reply that set the status is one line that only says the change, with Undo on it', () => {
  const events = [
    event(33, 'Replied', { changes: reply, operation }),
    event(32, 'Replied', { changes: status }),
  ]
  // The reply itself is a message of the conversation.
  expect(changesToShow(events)).toEqual([event(32, 'Edited', { changes: status, operation })])
})

test('messages and readers are not repeated among the changes, and other changes stay', () => {
  const later = '2026-11-18T15:00:00.000Z'
  const events = [
    event(9, 'Edited', { at: later, changes: status, operation }),
    event(8, 'Replied', { changes: reply }),
    event(7, 'Opened'),
    event(6, 'Received', { changes: [{ field: 'title', before: null, after: 'Towels' }] }),
  ]
  expect(changesToShow(events)).toEqual([events[0]])
})

test('an operation without a change of its own keeps its line, so that it can be undone', () => {
  const events = [event(5, 'Replied', { changes: reply, operation })]
  expect(changesToShow(events)).toEqual([event(5, 'Replied', { operation })])
})
