import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { EditTags } from '#features/crm/support/web/TicketTags.tsx'
import { addPopovers, asked, renderPage, settle, signIn } from '#web/dom.testing.tsx'

const ticket = { id: 7, version: 4, tag_ids: [1] }
const changes = () => asked.filter(({ method }) => method === 'POST')
const shownTags = () =>
  screen
    .getAllByRole('menuitemcheckbox', { hidden: true })
    .filter((item) => item.ariaChecked === 'true' || item.getAttribute('aria-checked') === 'true')
    .map(({ textContent }) => textContent)

test('tags that are chosen one right after the other are all set', async () => {
  signIn(['all_tickets_view'])
  addPopovers()
  await renderPage(() => <EditTags ticket={ticket} />)
  await settle()
  for (const { address, answer } of asked)
    answer(200, {
      data: address.includes('lists')
        ? {
            ticket_tags: [
              { id: 1, name: 'billing' },
              { id: 2, name: 'devices' },
              { id: 3, name: 'labels' },
            ],
          }
        : [],
    })
  await settle()
  fireEvent.click(screen.getByRole('button', { name: 'Change tags' }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'devices', hidden: true }))
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'labels', hidden: true }))
  await settle()
  expect(shownTags()).toEqual(['billing', 'devices', 'labels'])
  expect(changes().map(({ body }) => body)).toEqual([{ tag_ids: [1, 2], version: 4, base: { tag_ids: [1] } }])

  // The second change is based on what the first one made of the ticket.
  changes()[0]!.answer(200, {
    message: 'Ticket saved.',
    operation: null,
    data: { id: 7, version: 5, tag_ids: [1, 2] },
  })
  await settle()
  expect(changes().map(({ body }) => body)).toEqual([
    { tag_ids: [1, 2], version: 4, base: { tag_ids: [1] } },
    { tag_ids: [1, 2, 3], version: 5, base: { tag_ids: [1, 2] } },
  ])
  expect(shownTags()).toEqual(['billing', 'devices', 'labels'])
})
