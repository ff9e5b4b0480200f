import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('Ctrl, Shift, and a digit send a reply with the status that has this place', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const statuses = await app.db
    .selectFrom('ticket_statuses')
    .select(['id', 'name'])
    .orderBy('position')
    .execute()
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('textbox', { name: 'Message' })
  await write('Message', 'The fix is in testing.')
  fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
  const item = await screen.findByRole('menuitem', { name: `Send and set ${statuses[2]!.name}` })
  expect(item.textContent).toContain('Ctrl Shift 3')
  const keys = { key: '#', code: 'Digit3', ctrlKey: true, shiftKey: true }
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Message' }), keys)
  await waitFor(() =>
    expect(sent.find(({ path }) => path.includes('/sendReply/'))).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('The fix is in testing.'), status: statuses[2]!.id },
    }),
  )
})

test('the next ticket opens after each reply, once the user has chosen so', async () => {
  const app = await startTestApp()
  for (const title of ['Towel tags', 'Towel racks', 'Towel labels']) await enterTicket(app.db, { title })
  await openPanel(app, 'support', '/support?layout=table&column=id&direction=asc')
  fireEvent.click(await screen.findByRole('link', { name: /Towel tags/ }))
  const shows = (title: string) => screen.findByRole('heading', { level: 1, name: new RegExp(title) })
  const send = async () => {
    await write('Message', 'It is fixed.')
    press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message' }))
  }
  await shows('Towel tags')
  fireEvent.click(await screen.findByRole('button', { name: 'More ways to send' }))
  fireEvent.click(
    await screen.findByRole('menuitemcheckbox', { name: 'Open the next ticket after each reply' }),
  )
  await send()
  await shows('Towel racks')
  // The choice is kept for the tickets that follow.
  await screen.findByRole('button', { name: 'Send and next' })
  await send()
  await shows('Towel labels')
})
