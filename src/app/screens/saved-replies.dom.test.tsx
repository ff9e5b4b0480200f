import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const preview = async () => within(await screen.findByRole('region', { name: 'Preview' }))

test('a new saved reply is previewed with the latest ticket, or with one that is searched', async () => {
  const app = await startTestApp()
  const { id: wanted } = await enterTicket(app.db, { title: 'Towel tags' })
  const { id: latest } = await enterTicket(app.db, { title: 'Scanner stopped' })
  await openPanel(app, 'support', '/support/saved-replies/new')
  await write('Text', 'About {{ticket_number}} for {{organization}}.')
  const shown = await preview()
  // Neither ticket has an organization.
  await shown.findByText(`About #${latest} for {{organization}}.`)
  const ticket = shown.getByRole('combobox', { name: 'Preview with ticket' })
  fireEvent.click(ticket)
  fill(ticket, 'towel')
  fireEvent.click(await screen.findByRole('option', { name: /^#\d+ Towel tags/ }))
  await shown.findByText(`About #${wanted} for {{organization}}.`)
})

test('without a ticket, the preview says so', async () => {
  const app = await startTestApp()
  await openPanel(app, 'support', '/support/saved-replies/new')
  const shown = await preview()
  await shown.findByText(/^There are no tickets yet/)
  await waitFor(() => expect(shown.queryByRole('combobox')).toBeNull())
})
