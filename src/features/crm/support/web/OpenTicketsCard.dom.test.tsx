import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { OpenTicketsCard } from '#features/crm/support/web/OpenTicketsCard.tsx'
import type { Permission } from '#shared/access.ts'
import { asked, nextRequest, renderPage, settle } from '#web/dom.testing.tsx'
import { storeSession } from '#web/session.ts'

const trend = { total: 0, before: 0, parts: [] }
const numbersWith = (by: readonly object[]) => ({
  created: trend,
  open: { ...trend, by },
  overdue: 0,
  first_response: { answered: 0, seconds: null, before: null, parts: [] },
  weeks: [],
  opened: [],
  closed: [],
})

/** Signs in a support agent, because the role of other tests can't open the list of tickets. */
const signIn = (user_permissions: readonly Permission[]) =>
  storeSession({
    token: 'token',
    user: { id: 7, first_name: 'Ada', last_name: 'Berg', role_id: 4, avatar: null },
    products: [{ id: 1, name: 'Atlas', status: 1 } as never],
    user_product: [1],
    user_permissions,
  })

async function open(by: readonly object[]) {
  signIn(['all_tickets_list'])
  await renderPage(OpenTicketsCard)
  ;(await nextRequest(0)).answer(200, numbersWith(by))
  await settle()
}
const card = () => screen.getByRole('region', { name: /^Open tickets/ })

test('each line opens exactly the open tickets of its assignee', async () => {
  await open([
    { id: 7, name: 'Ada Berg', total: 1205 },
    { id: 0, name: 'Unassigned', total: 3 },
  ])
  const links = within(card()).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Ada Berg', '/support?search=is%3Aopen&assignee=7'],
    ['Unassigned', '/support?search=is%3Aopen&assignee=none'],
  ])
  expect(within(card()).getAllByRole('listitem')[0]!.textContent).toContain('1,205')
})

test('without open tickets, the card says what will be here', async () => {
  await open([])
  expect(card().textContent).toContain('No open ticketsEveryone’s open tickets will appear here.')
})

test('a card whose numbers are refused says so', async () => {
  signIn(['all_tickets_list'])
  await renderPage(OpenTicketsCard)
  ;(await nextRequest(0)).answer(403, { message: 'No.' })
  await settle()
  expect(within(card()).getByRole('alert').textContent).toBe('You don’t have access to thisNo.')
})

test('users without permission to list tickets have no card, and send no request', async () => {
  signIn([])
  await renderPage(OpenTicketsCard)
  await settle()
  expect(screen.queryByRole('region')).toBe(null)
  expect(asked).toEqual([])
})
