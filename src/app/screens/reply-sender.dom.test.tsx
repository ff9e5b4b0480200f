import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('once a reply has a text, its form shows the sender of a ticket without a product, and the signature unless the text has it', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { sender_email: 'jana@resort.example' })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await write('Message', '<p>Soon.</p>')
  const signature = await screen.findByRole('note', { name: 'Signature' })
  expect(signature.textContent).toMatch(/^Kind regards,\n\S+/)
  const name = signature.textContent.split('\n')[1]!
  screen.getByText(
    new RegExp(
      `^No product is known for this ticket. The email comes from ${name} <.+> and has no heading.$`,
    ),
  )
  await write('Message', `<p>Kind regards,<br>${name}</p>`)
  await waitFor(() => expect(screen.queryByRole('note', { name: 'Signature' })).toBeNull())
})

test('the form of a reply that isn’t emailed shows neither', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await write('Message', '<p>Soon.</p>')
  await screen.findByText(/^No email will be sent/)
  expect(screen.queryByRole('note', { name: 'Signature' })).toBeNull()
  expect(screen.queryByText(/^No product is known/)).toBeNull()
})
