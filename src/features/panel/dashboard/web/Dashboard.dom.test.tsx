import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Parts } from '#features/panel/dashboard/web/cards.ts'
import { Dashboard } from '#features/panel/dashboard/web/Dashboard.tsx'
import { asked, nextRequest, renderPage, settle, signIn } from '#web/dom.testing.tsx'

const part = (id: string, mayShow = true) => ({
  id,
  name: `The ${id}`,
  Part: () => <p data-testid="part">{id}</p>,
  mayShow: () => mayShow,
})
const parts: Parts = {
  tiles: [part('won'), part('lost'), part('secret', false)],
  wide: [part('day')],
  narrow: [],
  full: [],
  half: [],
}
const shown = () => screen.getAllByTestId('part').map(({ textContent }) => textContent)

async function open(data: { hidden: string[]; order: string[] }) {
  signIn([])
  await renderPage(() => <Dashboard parts={parts} />, '/dashboard')
  ;(await nextRequest(0)).answer(200, { data })
  await settle()
}

test('cards are in the person’s order, without those that are hidden or that they can’t see', async () => {
  await open({ hidden: ['day'], order: ['lost', 'won'] })
  await waitFor(() => expect(shown()).toEqual(['lost', 'won']))
})

test('a card is hidden and moved immediately, and the arrangement is saved', async () => {
  await open({ hidden: [], order: [] })
  expect(shown()).toEqual(['won', 'lost', 'day'])
  fireEvent.click(screen.getByRole('button', { name: 'Arrange cards' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Arrange cards' }))
  expect(dialog.queryByText('The secret')).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Move down: The won' }))
  await settle()
  expect(asked[1]).toMatchObject({ method: 'PUT', body: { hidden: [], order: ['lost', 'won', 'day'] } })
  expect(shown()).toEqual(['lost', 'won', 'day'])
  fireEvent.click(dialog.getByRole('button', { name: 'Hide: The won' }))
  await settle()
  expect(asked[2]).toMatchObject({ method: 'PUT', body: { hidden: ['won'], order: ['lost', 'won', 'day'] } })
  expect(shown()).toEqual(['lost', 'day'])
  asked[1]!.answer(200, { message: 'Dashboard saved.' })
  fireEvent.click(dialog.getByRole('button', { name: 'Show: The won' }))
  await settle()
  expect(shown()).toEqual(['lost', 'won', 'day'])
})
