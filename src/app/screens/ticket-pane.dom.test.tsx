import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

async function openPane() {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { title: 'Towel tags', sender_email: 'jana@resort.example' })
  await openPanel(app, 'admin', `/support?open=${id}`)
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }))
  await pane.findByRole('heading', { name: /Towel tags/ })
  const row = () => app.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { pane, row }
}

test('the rare actions of a ticket are in its menu beside the list, too', async () => {
  const { pane, row } = await openPane()
  fireEvent.click(pane.getByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Merge with another ticket', hidden: true }))
  const dialog = await screen.findByRole('dialog', { name: /^Merge #/ })
  fireEvent.click(within(dialog).getByRole('button', { name: /close/i }))
  fireEvent.click(pane.getByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to trash', hidden: true }))
  await waitFor(async () => expect((await row()).deleted_at).not.toBeNull())
  await clickUndo(/^Moved to trash: 1 ticket/)
  await waitFor(async () => expect((await row()).deleted_at).toBeNull())
})

test('where the properties of a ticket don’t fit beside its conversation, a button shows them', async () => {
  const { pane } = await openPane()
  const button = pane.getByRole('button', { name: 'Details' })
  expect([button.getAttribute('aria-expanded'), pane.queryByRole('region', { name: 'Requester' })]).toEqual([
    'false',
    null,
  ])
  fireEvent.click(button)
  const requester = within(await pane.findByRole('region', { name: 'Requester' }))
  expect(requester.getAllByText('jana@resort.example').length).toBeGreaterThan(0)
  fireEvent.click(button)
  await waitFor(() => expect(pane.queryByRole('region', { name: 'Requester' })).toBeNull())
})
