import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const text = 'Message to all'
const textBox = () => screen.getByRole('textbox', { name: text })

/** The list of tickets with three of them selected, one of which has no address. */
async function withSelected() {
  const app = await startTestApp()
  const enter = async (title: string, sender_email?: string) =>
    (await enterTicket(app.db, { title, ...(sender_email === undefined ? {} : { sender_email }) })).id
  const titles = ['Towel tags', 'Towel racks', 'Towel counts'] as const
  const ids = [
    await enter(titles[0], 'jana@resort.example'),
    await enter(titles[1], 'bert@spa.example'),
    await enter(titles[2]),
  ] as const
  const panel = await openPanel(app, 'support', '/support?search=towel&layout=table')
  for (const title of titles)
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${title}` }))
  const open = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Reply' }))
    return within(await screen.findByRole('dialog', { name: 'Reply to 3 tickets' }))
  }
  const answered = () =>
    panel.sent.find(({ method, path }) => method === 'POST' && path === '/admin/support/bulk-reply')
  return { app, ids, ...panel, open, answered }
}

test('one reply goes to those of the selected tickets that it reaches, and can be undone', async () => {
  const { app, ids, sent, open, answered } = await withSelected()
  const dialog = await open()
  const box = (name: RegExp) => dialog.findByRole<HTMLInputElement>('checkbox', { name })
  expect([(await box(/Towel tags/)).checked, (await box(/Towel racks/)).checked]).toEqual([true, true])
  const silent = await box(/Towel counts/)
  expect([silent.checked, silent.disabled]).toEqual([false, true])
  dialog.getByText('Gets no reply: the requester has no email address')
  await write(text, 'It is fixed.')
  await dialog.findByTitle('Email to jana@resort.example')
  fireEvent.click(dialog.getByRole('button', { name: 'Next ticket' }))
  await dialog.findByTitle('Email to bert@spa.example')
  fireEvent.click(dialog.getByRole('button', { name: 'More ways to send to all' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Send and set Resolved on all' }))
  await waitFor(() => expect(answered()?.status).toBe(200))
  expect(answered()!.body).toMatchObject({ ticket_ids: ids.slice(0, 2), status: 4 })
  fireEvent.click(await dialog.findByRole('button', { name: 'Undo send' }))
  await waitFor(() => expect(sent.filter(({ path }) => path.endsWith('/call-off')).length).toBe(2))
  await waitFor(() => expect(textBox().textContent).toContain('It is fixed.'))
  for (const id of ids)
    expect((await app.as('support').get(`/admin/support/ticket/${id}`))['data']).toMatchObject({
      status: 0,
      messages: [{ sent_by_admin: false }],
    })
  screen.getByText('3 selected')
})

test('after a reply was sent, closing the dialog clears the selection', async () => {
  const { open, answered } = await withSelected()
  const dialog = await open()
  await write(text, 'It is fixed.')
  press('Enter', { ctrlKey: true }, textBox())
  await waitFor(() => expect(answered()?.status).toBe(200))
  fireEvent.click(await dialog.findByRole('button', { name: 'Back to tickets' }))
  await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('closing the dialog before the reply is sent keeps its text and the selection', async () => {
  const { open, answered } = await withSelected()
  await open()
  await write(text, 'It is fixed.')
  press('Escape', {}, await screen.findByRole('dialog'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  screen.getByText('3 selected')
  const dialog = await open()
  await waitFor(() => expect(textBox().textContent).toBe('It is fixed.'))
  await dialog.findByRole('button', { name: 'Send 2 replies' })
  expect(answered()).toBeUndefined()
})

test('a reply that is refused says why, and keeps its text', async () => {
  const { app, ids, open, answered } = await withSelected()
  const dialog = await open()
  await write(text, 'It is fixed.')
  await app.as('admin').send('DELETE', `/admin/support/ticket/${ids[0]}`)
  await app.as('admin').send('DELETE', `/admin/support/ticket/${ids[1]}`)
  fireEvent.click(await dialog.findByRole('button', { name: 'Send 2 replies' }))
  await waitFor(() => expect(answered()?.status).toBe(422))
  await dialog.findByText('It is in the trash.')
  expect(textBox().textContent).toBe('It is fixed.')
})
