import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'
import { keepDraft } from '#web/form/draft.ts'

const openBell = async () => {
  fireEvent.click(await screen.findByRole('button', { name: /^Notifications/ }))
  return within(await screen.findByRole('dialog', { name: 'Notifications' }))
}

/** Sends a reply to a ticket from the bell. */
async function replyFromBell() {
  const { url } = await startMailServer()
  const app = await startTestApp({ env: { SMTP_URL: url } })
  const { id } = await enterTicket(app.db, { title: 'Towel tags', sender_email: 'jana@resort.example' })
  const panel = await openPanel(app, 'support', '/dashboard')
  const bell = await openBell()
  fireEvent.click(await bell.findByRole('button', { name: 'Reply to Towel tags' }))
  await write('Reply to Towel tags', 'The fix is in testing.')
  fireEvent.click(bell.getByRole('button', { name: 'Send' }))
  const undo = await bell.findByRole('button', { name: 'Undo send' })
  bell.getByText(`Sending reply to #${id}…`)
  return { ...panel, app, id, undo, bell }
}

test('the sending of a reply from the bell can be undone, and its text is kept as a draft', async () => {
  const { app, id, undo, bell, go } = await replyFromBell()
  fireEvent.click(undo)
  await bell.findByText(/^Its text is kept as a draft in/)
  const mail = await app.db.selectFrom('mails').select('called_off_at').executeTakeFirstOrThrow()
  expect(mail.called_off_at).not.toBeNull()
  await go(`/support/ticket/${id}/0`)
  await waitFor(async () =>
    expect((await screen.findByRole('textbox', { name: 'Message' })).textContent).toContain(
      'The fix is in testing.',
    ),
  )
  expect(screen.queryByRole('button', { name: 'Undo send' })).toBeNull()
})

test('a text that was begun since is set aside when the sending of a reply from the bell is undone', async () => {
  const { id, undo, bell, go } = await replyFromBell()
  keepDraft(`ticket-reply-${id}`, { message: '<p>One more thing.</p>' }, {})
  fireEvent.click(undo)
  await bell.findByText(/^Its text is kept as a draft in/)
  await go(`/support/ticket/${id}/0`)
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Message' }).textContent).toBe('The fix is in testing.'),
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Use it' }))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Message' }).textContent).toBe('One more thing.'),
  )
})

test('a reply from the bell can also be undone when the bell is opened again, and on the page of another ticket', async () => {
  const { app, id, go } = await replyFromBell()
  const other = await enterTicket(app.db, { sender_email: 'bert@spa.example' })
  await go(`/support/ticket/${other.id}/0`)
  const main = within(document.querySelector<HTMLElement>('main')!)
  await main.findByText(`Sending reply to #${id}…`)
  const bell = await openBell()
  expect(await bell.findByRole('button', { name: 'Undo send' })).toBeTruthy()
})
