import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

/* Undo send of an email to people of a record: nothing that was written may be lost. */

const message = () => screen.getByRole('textbox', { name: 'Message' })
const subject = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Subject' })

/** Opens the emails of a lead and sends one, which can still be undone. */
async function sendEmail() {
  const { url } = await startMailServer()
  const app = await startTestApp({ env: { SMTP_URL: url } })
  const id = await enterLead(app.db, { company_name: 'Aalto Linen', email: 'nora@aalto.example' })
  const panel = await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  await screen.findByRole('tab', { name: 'Email' })
  press(leadKeys.email, {}, document.body)
  fill(await screen.findByRole('textbox', { name: 'Subject' }), 'Our offer')
  await write('Message', 'The offer is attached.')
  press('Enter', { ctrlKey: true }, message())
  await screen.findByRole('button', { name: 'Undo send' })
  await waitFor(() => expect(message().textContent).not.toContain('The offer'))
  return panel
}

async function undo(): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: 'Undo send' }))
  await screen.findByText('Email canceled. Your text is back in the editor.')
  await waitFor(() => expect(message().textContent).toContain('The offer is attached.'))
  expect(subject().value).toBe('Our offer')
}

test('the text of an email whose sending was undone is back in the empty form', async () => {
  await sendEmail()
  await undo()
  expect(screen.queryByText(/You have a different draft/)).toBeNull()
})

test('an email that was begun meanwhile stays as a different draft, also after a reload', async () => {
  const { reload } = await sendEmail()
  fill(subject(), 'Your visit')
  await write('Message', 'See you on Monday.')
  // Before the pause after which the form has the text.
  await undo()
  expect(message().textContent).not.toContain('Monday')
  reload()
  await screen.findByRole('tab', { name: /^Email/ })
  press(leadKeys.email, {}, document.body)
  await screen.findByText(/You have a different draft/)
  await waitFor(() => expect(message().textContent).toContain('The offer is attached.'))
  fireEvent.click(screen.getByRole('button', { name: 'Use it' }))
  await waitFor(() => expect(message().textContent).toContain('See you on Monday.'))
  expect(subject().value).toBe('Your visit')
  // The other one is offered in turn.
  fireEvent.click(screen.getByRole('button', { name: 'Use it' }))
  await waitFor(() => expect(message().textContent).toContain('The offer is attached.'))
})
