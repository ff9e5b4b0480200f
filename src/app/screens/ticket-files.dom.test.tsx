import { fireEvent, screen, within } from '@testing-library/react'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { inboundSecret, receiveTicket } from '#features/crm/support/server/support.testing.ts'

test('the contents of a customer’s archive and email open below their rows', async () => {
  const app = await startTestApp({ env: inboundSecret })
  const archive = zipSync({ 'logs/app.log': strToU8('It stopped.'), '../x.txt': strToU8('') })
  const id = await receiveTicket(app, [
    { name: 'logs.zip', bytes: Buffer.from(archive) },
    { name: 'cut.zip', bytes: Buffer.from(archive.subarray(0, 20)) },
    { name: 'Fwd.eml', bytes: Buffer.from('From: Jana <jana@resort.example>\r\n\r\nSee the log.') },
    { name: 'note.txt', bytes: Buffer.from('Hello') },
  ])
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const open = async (name: string) => {
    const button = await screen.findByRole('button', { name: `Show contents of ${name}` })
    expect(button.getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(button)
    return within(await screen.findByRole('group', { name: `Contents of ${name}` }))
  }
  const list = await open('logs.zip')
  await list.findByText('2 files')
  expect(list.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'app.log in logs1 kB',
    'x.txt in ..EmptyIts path leads out of the archive.',
  ])
  await (await open('cut.zip')).findByText('This file can’t be read as a ZIP archive.')
  const letter = await open('Fwd.eml')
  await letter.findByText('Jana <jana@resort.example>')
  letter.getByText('See the log.')
  expect(screen.queryByRole('button', { name: 'Show contents of note.txt' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Hide contents of logs.zip' }))
  expect(screen.queryByRole('group', { name: 'Contents of logs.zip' })).toBeNull()
})
