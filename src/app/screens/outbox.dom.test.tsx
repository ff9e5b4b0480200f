import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { queue, startMailServer } from '#server/mail/mail.testing.ts'

const pane = () => within(screen.getByRole('region', { name: 'Reading pane' }))
const rows = async () => within(await screen.findByRole('list', { name: 'Outbox' })).getAllByRole('listitem')

const fail = ({ db }: TestApp, id: number, response: string) =>
  sql`update mail_recipients set state = 'failed', attempts = 1, sent_at = null, last_error = ${response}, last_error_at = now()
    where mail_id = ${id}`.execute(db)

/** Emails that were sent, one that a mail server refused, and one that failed because the server was down. */
async function withFailures() {
  const server = await startMailServer()
  const app = await startTestApp({ env: { SMTP_URL: server.url } })
  const ids = []
  for (const [to, subject] of [
    ['kit@heron.example', 'Your account'],
    ['nora@brackwater.example', 'Your proposal'],
    ['bo@staff.example', 'Missing hours'],
  ])
    ids.push(await queue(app, [to!], { subject: subject! }))
  const [refused, down] = ids
  const isSent = async () =>
    (await app.db.selectFrom('mail_recipients').select('state').where('state', '=', 'sent').execute()).length
  await waitFor(async () => expect(await isSent()).toBe(3), { timeout: 30_000 })
  await fail(app, refused!, '550 5.1.1 Mailbox unavailable')
  await fail(app, down!, 'connect ECONNREFUSED 127.0.0.1:25')
  return { app, server }
}

test('a failed email says why; its address is corrected and it is sent again', async () => {
  const { app, server } = await withFailures()
  const { address } = await openPanel(app, 'super_admin', '/settings/outbox')
  await waitFor(async () => expect(await rows()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: /^Failed/ }))
  await waitFor(() => expect(address()).toContain('state=failed'))
  await waitFor(async () => expect(await rows()).toHaveLength(2))
  fill(screen.getByRole('searchbox', { name: 'Search subject or recipient' }), 'heron')
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  const [row] = await rows()
  expect(row!.textContent).toContain('The address doesn’t exist.')
  fireEvent.click(within(row!).getByRole('link', { name: 'Your account' }))
  await pane().findByText('Not delivered to 1 of 1 recipient.')
  expect(pane().getByText(/550 5\.1\.1 Mailbox unavailable/)).toBeTruthy()
  fireEvent.click(pane().getByRole('button', { name: 'Correct address and resend' }))
  fill(pane().getByRole('textbox', { name: 'New address' }), 'kit.ansel@heron.example')
  fireEvent.click(pane().getByRole('button', { name: 'Resend email' }))
  await waitFor(() => expect(server.received.map(({ to }) => to[0])).toContain('kit.ansel@heron.example'), {
    timeout: 30_000,
  })
  // The email no longer belongs to the tab, and its row has the state of the open email.
  await waitFor(() => expect(pane().queryByText('Failed')).toBeNull())
  await waitFor(async () => expect((await rows())[0]!.textContent).toContain('kit.ansel@heron.example'))
  expect((await rows())[0]!.textContent).not.toContain('Failed')
})

test('after the mail server was down, all failed emails are retried together', async () => {
  const { app, server } = await withFailures()
  await openPanel(app, 'admin', '/settings/outbox')
  fireEvent.click(await screen.findByRole('button', { name: 'Retry all failed' }))
  const question = within(await screen.findByRole('dialog', { name: 'Retry all failed emails?' }))
  fireEvent.click(question.getByRole('button', { name: 'Proceed' }))
  await screen.findByText('Retrying 1 email.')
  await waitFor(
    () => expect(server.received.filter(({ to }) => to[0] === 'nora@brackwater.example')).toHaveLength(2),
    { timeout: 30_000 },
  )
})

test('the outbox says that email isn’t set up, and offers no retry', async () => {
  const app = await startTestApp()
  await fail(app, await queue(app, ['kit@heron.example']), 'connect ECONNREFUSED')
  await openPanel(app, 'super_admin', '/settings/outbox')
  await screen.findByText('Email isn’t set up')
  expect(screen.queryByRole('button', { name: 'Retry all failed' })).toBeNull()
})

test('an empty outbox, and an empty tab, say where the state of invitations is shown', async () => {
  await openPanel(await startTestApp(), 'super_admin', '/settings/outbox')
  expect(await screen.findByText('No emails yet')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /^Failed/ }))
  expect(await screen.findByText('No failed emails')).toBeTruthy()
  expect(screen.getByText(/^Invitations and password links aren’t listed\./)).toBeTruthy()
})
