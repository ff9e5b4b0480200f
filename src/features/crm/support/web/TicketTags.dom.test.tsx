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

async function openTags() {
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
}

test('text typed in the menu searches the tags, and Enter sets the first one', async () => {
  await openTags()
  const search = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search tags', hidden: true })
  expect(document.activeElement).toBe(search)
  // Without a search, Enter would set a tag that no one chose.
  fireEvent.keyDown(search, { key: 'Enter' })
  fireEvent.change(search, { target: { value: 'LÁB' } })
  expect(
    screen.getAllByRole('menuitemcheckbox', { hidden: true }).map(({ textContent }) => textContent),
  ).toEqual(['labels'])
  fireEvent.keyDown(search, { key: 'Enter' })
  await settle()
  expect(changes().map(({ body }) => body)).toEqual([{ tag_ids: [1, 3], version: 4, base: { tag_ids: [1] } }])
  fireEvent.change(search, { target: { value: 'x' } })
  screen.getByText(/No tags match\./)
  fireEvent.change(search, { target: { value: '' } })
  fireEvent.keyDown(search, { key: 'ArrowDown' })
  expect(document.activeElement?.textContent).toBe('billing')
  // A letter typed on a tag is searched too.
  fireEvent.keyDown(document.activeElement!, { key: 'd' })
  expect(document.activeElement).toBe(search)
})

test('tags that are chosen one right after the other are all set', async () => {
  await openTags()
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
