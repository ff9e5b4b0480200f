import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('spam says why it is spam, and “Not spam” and “Mark as spam” change it', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { title: 'A free prize' })
  await app.db
    .updateTable('tickets')
    .set({ spam_reason: 'Rule 2: sender promo.example' })
    .where('id', '=', id)
    .execute()
  const { go } = await openPanel(app, 'support', '/support?queue=spam')
  await screen.findByText(/Rule 2: sender promo.example/)
  await screen.findByTitle('Rule 2: sender promo.example')
  await go(`/support/ticket/${id}/0`)
  await screen.findByText('Spam, so lists leave this ticket out. Rule 2: sender promo.example.')
  fireEvent.click(await screen.findByRole('button', { name: 'Not spam' }))
  await waitFor(() => expect(screen.queryByText(/^Spam, so lists/)).toBeNull())
  fireEvent.click((await screen.findAllByRole('button', { name: 'More' }))[0]!)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Mark as spam' }))
  await screen.findByText(/^Spam, so lists leave this ticket out. Marked by /)
})
