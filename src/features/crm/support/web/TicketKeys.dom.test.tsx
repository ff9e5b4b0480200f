import { fireEvent, screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Ticket } from '#features/crm/support/contract.ts'
import { TicketMore } from '#features/crm/support/web/TicketMore.tsx'
import { asked, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { onOpenAct, takeAskedAct, usePageActs } from '#web/palette/pageActs.ts'

const ticket = {
  id: 7,
  title: 'Scanner',
  version: 4,
  staff_id: null,
  is_followed: false,
  is_snoozed: false,
  spam_reason: null,
  linked_count: 0,
  messages: [],
} as unknown as Ticket
const choices = [{ id: '2', label: 'High', isCurrent: false, run: () => {} }]

/** Shows the menu of a ticket as the inbox does, beside what the palette offers. */
function Pane() {
  usePageActs([{ id: 'priority', label: 'Change priority', run: () => {}, choices }])
  return <TicketMore ticket={ticket} />
}

test('keys merge, snooze, and follow the open ticket, also beside the list', async () => {
  signIn(['all_tickets_view'])
  await renderPage(Pane)
  await settle()
  fireEvent.keyDown(document.body, { key: 'm' })
  await screen.findByRole('dialog', { name: /^Merge/ })
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  await settle()
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.keyDown(document.body, { key: 's' })
  await screen.findByRole('dialog', { name: 'Snooze #7 Scanner' })
  // A key typed in a dialog belongs to the dialog.
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'f' })
  await settle()
  const writes = () => asked.filter(({ method }) => method !== 'GET')
  expect(writes()).toEqual([])
})

test('p opens the priorities in the palette where the properties aren’t shown', async () => {
  let opened = 0
  onTestFinished(onOpenAct(() => opened++))
  signIn(['all_tickets_view'])
  await renderPage(Pane)
  await settle()
  fireEvent.keyDown(document.body, { key: 'p' })
  expect(opened).toBe(1)
  expect(takeAskedAct()).toMatchObject({ id: 'priority', choices })
  // Only once: the palette opens without it the next time.
  expect(takeAskedAct()).toBeUndefined()
})

test('without the permission, the keys do nothing', async () => {
  let opened = 0
  onTestFinished(onOpenAct(() => opened++))
  signIn(['all_tickets_list'])
  await renderPage(Pane)
  await settle()
  for (const key of ['m', 's', 'f', 'p', 't']) fireEvent.keyDown(document.body, { key })
  await settle()
  expect([opened, screen.queryByRole('dialog'), asked.filter(({ method }) => method !== 'GET')]).toEqual([
    0,
    null,
    [],
  ])
})
