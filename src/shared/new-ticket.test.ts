import { expect, test } from 'vitest'
import { callerFields, newTicketDraft } from '#shared/new-ticket.ts'

test('a caller who was searched by a number doesn’t get the draft of the organization with that number', () => {
  const names = [newTicketDraft('335'), newTicketDraft('335', '7'), newTicketDraft('', '', '335')]
  expect(names).toEqual(['ticket-new-335', 'ticket-new-335-7', 'ticket-new-caller-335'])
})

test.each([
  ['+45 33 55 01 91', { sender_phone: '+45 33 55 01 91' }],
  ['front@aalto.example', { sender_email: 'front@aalto.example' }],
  ['Aino', { sender_name: 'Aino' }],
])('a search for a caller, %s, fills its field', (typed, fields) => {
  expect(callerFields(typed)).toEqual(fields)
})
