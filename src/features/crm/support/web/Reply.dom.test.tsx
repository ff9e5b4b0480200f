import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import type { Ticket } from '#features/crm/support/contract.ts'
import { ReplyForm } from '#features/crm/support/web/Reply.tsx'
import { addPopovers, holdRequests, renderPage, settle, signIn } from '#web/dom.testing.tsx'

const ticket = {
  id: 12,
  org_id: 0,
  status: 0,
  category: 1,
  card_id: 0,
  assignee_id: null,
  requester: 'Ana Lima',
  requester_email: 'ana@linen.example',
  requester_banned: false,
  reply_cc: [],
  messages: [],
} as unknown as Ticket

beforeEach(() => localStorage.clear())

test.each([
  ['Request feedback', 'Requests feedback.', 'Don’t request feedback'],
  ['Add a card to the board', 'Adds a card to the board.', 'Don’t add a card'],
  ['Assign to me', 'Assigns the ticket to you.', 'Keep the assignee'],
])('“%s” is shown in the composer until it is left out', async (choice, words, not) => {
  addPopovers()
  signIn(['all_tickets_view'])
  holdRequests()
  await renderPage(() => <ReplyForm ticket={ticket} />)
  await settle()
  expect(screen.queryByText(words)).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
  await settle()
  fireEvent.click(screen.getByText(choice))
  await settle()
  expect(screen.getByText(words, { exact: false })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: not }))
  await settle()
  expect(screen.queryByText(words, { exact: false })).toBeNull()
})

test('a choice of the menu that is on has one check mark', async () => {
  addPopovers()
  signIn(['all_tickets_view'])
  holdRequests()
  await renderPage(() => <ReplyForm ticket={ticket} />)
  await settle()
  fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
  await settle()
  fireEvent.click(screen.getByText('Request feedback'))
  await settle()
  fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
  const item = await screen.findByRole('menuitemcheckbox', { name: 'Request feedback', hidden: true })
  // Its style adds the mark.
  expect([item.getAttribute('aria-checked'), item.querySelectorAll('svg').length]).toEqual(['true', 0])
})
