import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('keys follow a ticket, edit its title, and begin its merge', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByTitle('Edit Title')
  const followers = () => app.db.selectFrom('ticket_followers').select('staff_id').execute()
  press('f')
  await waitFor(async () => expect(await followers()).toEqual([{ staff_id: app.as('support').id }]))
  press('e')
  const title = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
  // In a field, keys are text.
  press('m', {}, title)
  expect(screen.queryByRole('dialog')).toBeNull()
  press('Escape', {}, title)
  press('m')
  await screen.findByRole('dialog', { name: /^Merge/ })
})
