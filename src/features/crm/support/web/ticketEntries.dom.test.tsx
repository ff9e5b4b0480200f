import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { tickets, type TicketMessage } from '#features/crm/support/contract.ts'
import { entryOfMessage } from '#features/crm/support/web/ticketEntries.tsx'
import { sampleReply } from '#features/crm/support/web/ticketMessage.testing.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { holdRequests, renderPage, signIn } from '#web/dom.testing.tsx'

const replyIn = (state: string): TicketMessage => ({
  ...sampleReply,
  mail: { id: 1, state, undo_seconds: null, sent_with: {}, error: null },
})

test('a reply shows how the customer rated it', async () => {
  signIn(['all_tickets_view'])
  holdRequests()
  const rating = { score: 'bad' as const, comment: 'It is still broken.', rated_at: '2026-11-25T12:00:00Z' }
  await renderPage(() => <>{entryOfMessage({ ...replyIn('sent'), rating }, 7).content}</>)
  expect(screen.getByText('Bad')).toBeTruthy()
  expect(screen.getByText('“It is still broken.”')).toBeTruthy()
})

async function show(state: string, isOn: boolean): Promise<void> {
  signIn(['all_tickets_view'])
  holdRequests()
  queries.setQueryData(queryOptionsFor(tickets.show, { params: { id: 7 } }).queryKey, { is_on: isOn })
  await renderPage(() => <>{entryOfMessage(replyIn(state), 7).state}</>)
}

beforeEach(() => queries.clear())

test.each(['held', 'waiting'])('a reply that is %s says that email is not set up', async (state) => {
  await show(state, false)
  expect(screen.getByText('Not sent yet. Email isn’t set up.')).toBeTruthy()
})

test.each([
  ['waiting', 'Email: queued'],
  ['failed', 'Email: failed'],
])('a reply whose email is %s says so', async (state, words) => {
  await show(state, true)
  expect(screen.getByText(words).closest('[title]')).toBeNull()
})

test('a reply on its way has an icon', async () => {
  await show('held', true)
  expect(screen.getByText('Email: scheduled').closest('[title]')).not.toBeNull()
})
