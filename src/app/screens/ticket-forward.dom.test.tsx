import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket, inboundSecret, receiveTicket } from '#features/crm/support/server/support.testing.ts'

test('a message is forwarded, and the conversation shows to whom; undoing it removes it', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click(await screen.findByRole('button', { name: 'Forward message from Someone' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Forward message' }))
  const to = await dialog.findByRole('combobox', { name: 'To' })
  fireEvent.click(dialog.getByRole('button', { name: 'Send email' }))
  await dialog.findByText('Enter at least one recipient.')
  expect(sent.filter(({ path }) => path.includes('/forward'))).toEqual([])
  fill(to, 'Scanner Help <help@scanner.example>')
  press('Enter', {}, to)
  await write('Text above the message', 'Is this known?')
  fireEvent.click(dialog.getByRole('button', { name: 'Send email' }))
  await waitFor(() =>
    expect(sent.find(({ path }) => path.includes('/forward'))).toMatchObject({
      status: 200,
      body: { to: ['help@scanner.example'], content: expect.stringContaining('Is this known?') },
    }),
  )
  const list = await screen.findByRole('list', { name: 'Forwarded to' })
  expect(list.textContent).toBe('To help@scanner.example Not sent yet. Email isn’t set up.')
  fireEvent.click(screen.getByRole('button', { name: 'Undo send' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Forwarded to' })).toBeNull())
})

test('a forwarded message that is undone is in its form again: recipients, text, and files', async () => {
  const app = await startTestApp({ env: inboundSecret })
  const id = await receiveTicket(app, [
    { name: 'log.txt', bytes: Buffer.from('Started.') },
    { name: 'other.txt', bytes: Buffer.from('Stopped.') },
  ])
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const forward = async () => {
    fireEvent.click(await screen.findByRole('button', { name: /^Forward message from/ }))
    return within(await screen.findByRole('dialog', { name: 'Forward message' }))
  }
  const dialog = await forward()
  const to = await dialog.findByRole('combobox', { name: 'To' })
  fill(to, 'help@scanner.example')
  press('Enter', {}, to)
  await write('Text above the message', 'Is this known?')
  fireEvent.click(dialog.getByRole('checkbox', { name: 'other.txt' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Send email' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo send' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Forwarded to' })).toBeNull())
  const again = await forward()
  await again.findByText('help@scanner.example')
  expect(again.getByRole('textbox', { name: 'Text above the message' }).textContent).toBe('Is this known?')
  const isChosen = (name: string) => again.getByRole<HTMLInputElement>('checkbox', { name }).checked
  expect([isChosen('log.txt'), isChosen('other.txt')]).toEqual([true, false])
  fireEvent.click(again.getByRole('button', { name: 'Send email' }))
  await waitFor(() =>
    expect(sent.filter(({ path }) => path.includes('/forward')).map(({ body }) => body)).toEqual([
      { to: ['help@scanner.example'], content: '<p>Is this known?</p>', file_ids: [expect.any(Number)] },
      { to: ['help@scanner.example'], content: '<p>Is this known?</p>', file_ids: [expect.any(Number)] },
    ]),
  )
})

test('an address that is refused is named at its field, and the text stays', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click(await screen.findByRole('button', { name: 'Forward message from Someone' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Forward message' }))
  const to = await dialog.findByRole('combobox', { name: 'To' })
  fill(to, 'nowhere')
  press('Enter', {}, to)
  await write('Text above the message', 'Is this known?')
  fireEvent.click(dialog.getByRole('button', { name: 'Send email' }))
  await dialog.findByText('Enter a valid email address.')
  expect(dialog.getByRole('textbox', { name: 'Text above the message' }).textContent).toBe('Is this known?')
})
