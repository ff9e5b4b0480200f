import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('an hour of the support report opens the tickets that came in then', async () => {
  const app = await startTestApp()
  // Two on Tuesday, one of them at night, and one on Wednesday.
  for (const [title, created_at] of [
    ['Scanner', '2026-03-10T09:10:00Z'],
    ['Printer', '2026-03-10T03:59:00Z'],
    ['Folder', '2026-03-11T09:50:00Z'],
  ] as const) {
    const { id } = await enterTicket(app.db, { title })
    await app.db.updateTable('tickets').set({ created_at }).where('id', '=', id).execute()
  }
  const { address } = await openPanel(app, 'support', '/support/report?from=2026-03-09&to=2026-03-12')
  const hours = within(await screen.findByRole('table', { name: /^When tickets come in/ }))
  expect(hours.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
    '1: Received, Tue 0–6',
    '1: Received, Tue 9',
    '1: Received, Wed 9',
  ])
  fireEvent.click(hours.getByRole('link', { name: '1: Received, Tue 0–6' }))
  await screen.findByText('Created on Tuesday from 0:00 until 6:59')
  await screen.findByText('Printer')
  expect(screen.queryByText('Scanner')).toBeNull()
  expect(screen.queryByText('Folder')).toBeNull()
  expect(address()).toMatch(/created_weekday=2/)
})
