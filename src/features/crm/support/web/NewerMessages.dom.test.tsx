import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { TicketMessage } from '#features/crm/support/contract.ts'
import { NewerMessages } from '#features/crm/support/web/Reply.tsx'
import { sampleReply } from '#features/crm/support/web/ticketMessage.testing.ts'
import { renderPage, settle, signIn } from '#web/dom.testing.tsx'

const message = sampleReply

async function show(shown: readonly TicketMessage[]) {
  signIn(['all_tickets_view'])
  const onDiscard = vi.fn()
  await renderPage(() => <NewerMessages messages={[message]} shown={shown} onDiscard={onDiscard} />)
  return onDiscard
}

test('a button leads to a newer message that the conversation shows, which is not repeated', async () => {
  await show([message])
  expect(screen.queryByText('We are on it.')).toBeNull()
  const there = document.body.appendChild(document.createElement('p'))
  there.id = 'message-5'
  there.scrollIntoView = vi.fn()
  fireEvent.click(screen.getByRole('button', { name: 'Go to message' }))
  expect(there.scrollIntoView).toHaveBeenCalledOnce()
  there.remove()
})

test('a newer message that the conversation doesn’t show yet is in the notice', async () => {
  await show([])
  expect(screen.getByText('We are on it.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Go to message' })).toBeNull()
})

test('a reply is discarded after a question', async () => {
  const ask = vi.spyOn(await import('#web/message/messages.ts'), 'askToDiscard').mockResolvedValue(true)
  const onDiscard = await show([message])
  fireEvent.click(screen.getByRole('button', { name: 'Discard reply' }))
  await settle()
  expect([ask.mock.calls.length, onDiscard.mock.calls.length]).toEqual([1, 1])
})
