import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fill, openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

test.each(['another status', 'the status that the ticket has'])(
  'Ctrl, Shift, and a digit send a reply with the status that has this place: %s',
  async (which) => {
    const app = await startTestApp()
    const { id } = await enterTicket(app.db)
    const statuses = await app.db
      .selectFrom('ticket_statuses')
      .select(['id', 'name'])
      .orderBy('position')
      .execute()
    const { status } = await app.db
      .selectFrom('tickets')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const at = which === 'another status' ? 2 : statuses.findIndex((one) => one.id === status)
    const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
    await screen.findByRole('textbox', { name: 'Message' })
    await write('Message', 'The fix is in testing.')
    fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
    const item = await screen.findByRole('menuitem', { name: `Send and set ${statuses[2]!.name}` })
    expect(item.textContent).toContain('Ctrl Shift 3')
    const keys = { key: '#', code: `Digit${at + 1}`, ctrlKey: true, shiftKey: true }
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Message' }), keys)
    await waitFor(() =>
      expect(sent.find(({ path }) => path.includes('/sendReply/'))).toMatchObject({
        status: 200,
        body: { message: expect.stringContaining('The fix is in testing.'), status: statuses[at]!.id },
      }),
    )
  },
)

for (const [setting, isOn, words, body] of [
  ['assigns', true, 'Leaves the ticket unassigned.', { assignee_id: 0 }],
  ['doesn’t assign', false, 'Assigns the ticket to you.', { assignee_id: expect.any(Number) }],
] as const)
  test(`the composer shows that a reply ${setting} an unassigned ticket, and the other can be chosen`, async () => {
    const app = await startTestApp()
    const { id } = await enterTicket(app.db)
    await app.as('super_admin').post('/admin/settings', { reply_assigns: isOn })
    const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
    await screen.findByRole('textbox', { name: 'Message' })
    await write('Message', 'The fix is in testing.')
    expect(screen.queryByText('Assigns the ticket to you.') !== null).toBe(isOn)
    fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
    const item = await screen.findByRole('menuitemcheckbox', { name: 'Assign to me' })
    expect(item.getAttribute('aria-checked')).toBe(String(isOn))
    fireEvent.click(item)
    expect(screen.getByText(words)).toBeTruthy()
    press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message' }))
    await waitFor(() =>
      expect(sent.find(({ path }) => path.includes('/sendReply/'))).toMatchObject({ status: 200, body }),
    )
    const { assignee_id } = await app.db
      .selectFrom('tickets')
      .select('assignee_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(assignee_id).toBe(isOn ? null : app.as('support').id)
  })

test('without an SMTP server, the composer says before and after a reply that it isn’t sent', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { sender_email: 'jana@resort.example' })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const form = within(await screen.findByRole('form', { name: 'Reply' }))
  expect(form.getByText('Email isn’t set up yet, so your reply will wait in the outbox.')).toBeTruthy()
  await write('Message', 'The fix is in testing.')
  press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message' }))
  await screen.findByText('Reply saved. It will be sent once email is set up.')
  await screen.findByText('Not sent yet. Email isn’t set up.')
  await screen.findByText(/Reply saved, but not sent\./)
  expect(screen.queryByText(/sent successfully/)).toBeNull()
})

test('a reply whose sending was undone is above the next one, also after a reload', async () => {
  const { url } = await startMailServer()
  const app = await startTestApp({ env: { SMTP_URL: url } })
  const { id } = await enterTicket(app.db, { sender_email: 'jana@resort.example' })
  const { reload } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('textbox', { name: 'Message' })
  await write('Message', 'The first answer.')
  press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message' }))
  await screen.findByRole('button', { name: 'Undo send' })
  reload()
  await screen.findByRole('button', { name: 'Undo send' })
  await write('Message', 'Half of the next')
  const undo = screen.getByRole('button', { name: 'Undo send' })
  undo.focus()
  fireEvent.click(undo)
  await screen.findByText('Reply canceled. Your text is back in the editor.')
  const { textContent } = screen.getByRole('textbox', { name: 'Message' })
  expect(textContent).toBe('The first answer.Half of the next')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })))
})

test('a reply whose email was sent is resent after a question', async () => {
  const server = await startMailServer()
  const app = await startTestApp({ env: { SMTP_URL: server.url } })
  const { id } = await enterTicket(app.db, { sender_email: 'jana@resort.example' })
  await app.as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Under the mat.</p>' })
  await sql`update mail_recipients set state = 'sent', sent_at = now()`.execute(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByText('Email: sent')
  fireEvent.click(await screen.findByRole('button', { name: 'Resend' }))
  const question = await screen.findByRole('dialog', { name: 'Resend this reply?' })
  expect(server.received).toHaveLength(0)
  fireEvent.click(within(question).getByRole('button', { name: 'Proceed' }))
  await screen.findByText('Resending the reply.')
  await waitFor(() => expect(server.received).toHaveLength(1), { timeout: 30_000 })
})

test('text that is typed while a note or a reply is sent stays in the composer', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { intercept } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  /** Holds the next such request until the returned function is called. */
  const hold = (path: RegExp) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = intercept('POST', path, async (_request, forward) => {
      stop()
      await promise
      return forward()
    })
    return resolve
  }
  const text = (name: string) => screen.getByRole('textbox', { name })
  await screen.findByRole('textbox', { name: 'Message' })
  await write('Message', 'It is fixed.')
  const reply = hold(/\/sendReply\//)
  press('Enter', { ctrlKey: true }, text('Message'))
  await write('Message', ' Please restart it.')
  reply()
  await screen.findByText('It is fixed.', { selector: 'article *' })
  await waitFor(() => expect(text('Message').textContent).toBe('Please restart it.'))

  fireEvent.click(screen.getByRole('tab', { name: 'Internal note' }))
  const note = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })
  await screen.findByRole('textbox', { name: 'Note' })
  fill(note(), 'They called.')
  const comment = hold(/\/create-ticket\/comment/)
  press('Enter', { ctrlKey: true }, note())
  fill(note(), 'They called. Call them back.')
  comment()
  await screen.findByText('They called.', { selector: 'article *' })
  await waitFor(() => expect(note().value).toBe('Call them back.'))
})

test('moving a ticket to the trash leads back to the list that it was opened from', async () => {
  const app = await startTestApp()
  for (const title of ['Towel tags', 'Towel racks']) await enterTicket(app.db, { title })
  const list = '/support?search=towel&layout=table'
  const { address } = await openPanel(app, 'super_admin', list)
  const filters = address()
  fireEvent.click(await screen.findByRole('link', { name: /Towel tags/ }))
  await screen.findByRole('heading', { level: 1, name: /Towel tags/ })
  fireEvent.click((await screen.findAllByRole('button', { name: 'More' }))[0]!)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to trash' }))
  await waitFor(() => expect(address()).toBe(filters))
  await screen.findByRole('link', { name: /Towel racks/ })
  await waitFor(() => expect(screen.queryByRole('link', { name: /Towel tags/ })).toBeNull())
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

test('a reply that is undone from the next ticket is a draft, to which a link leads', async () => {
  const { url } = await startMailServer()
  const app = await startTestApp({ env: { SMTP_URL: url } })
  for (const title of ['Towel tags', 'Towel racks'])
    await enterTicket(app.db, { title, sender_email: 'jana@resort.example' })
  await openPanel(app, 'support', '/support?layout=table&column=id&direction=asc')
  fireEvent.click(await screen.findByRole('link', { name: /Towel tags/ }))
  await screen.findByRole('heading', { level: 1, name: /Towel tags/ })
  await screen.findByRole('textbox', { name: 'Message' })
  await write('Message', 'It is fixed.')
  fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Send and next' }))
  await screen.findByRole('heading', { level: 1, name: /Towel racks/ })
  fireEvent.click(await screen.findByRole('button', { name: 'Undo send' }))
  await screen.findByText('Reply canceled.')
  fireEvent.click(await screen.findByRole('link', { name: /^ticket #\d+$/ }))
  await screen.findByRole('heading', { level: 1, name: /Towel tags/ })
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Message' }).textContent).toContain('It is fixed.'),
  )
})

test('a copy of a reply goes to any address, which can be pasted with its name', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { sender_email: 'ana@linen.example' })
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click(await screen.findByRole('button', { name: 'Cc' }))
  const cc = await screen.findByRole('combobox', { name: 'Cc' })
  expect(screen.queryByRole('button', { name: 'Cc' })).toBeNull()
  fill(cc, 'Zoë <zoe@inn.example>')
  press('Enter', {}, cc)
  await write('Message', 'It is fixed.')
  press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message' }))
  await waitFor(() =>
    expect(sent.find(({ path }) => path.includes('/sendReply/'))).toMatchObject({
      status: 200,
      body: { cc: ['zoe@inn.example'] },
    }),
  )
})

test('in a queue, tickets that were dealt with keep their place with what is true now, and the next one is another', async () => {
  const app = await startTestApp()
  const ids: number[] = []
  for (const title of ['Towel tags', 'Towel racks', 'Towel labels']) {
    const { id } = await enterTicket(app.db, { title })
    await app.db
      .insertInto('ticket_unread')
      .values({ ticket_id: id, staff_id: app.as('support').id })
      .execute()
    ids.push(id)
  }
  const [first, second, third] = ids
  const queue = '/support?queue=unread&column=id&direction=asc'
  const { go, address } = await openPanel(app, 'support', `${queue}&open=${second}`)
  const row = (id: number) => document.querySelector<HTMLElement>(`[data-row="${id}"]`)!
  const isNew = (id: number) => within(row(id)).queryByText('New') !== null
  await waitFor(() => expect(isNew(second!)).toBe(false))
  expect(isNew(first!)).toBe(true)

  await go(`${queue}&open=${first}`)
  await waitFor(() => expect(isNew(first!)).toBe(false))
  fireEvent.click(await screen.findByRole('button', { name: /^Reply/ }))
  await write('Message', 'It is fixed.')
  fireEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Send and next' }))
  await waitFor(() => expect(address()).toContain(`open=${third}`))
  await waitFor(() => expect(row(first!).textContent).toContain('You'))
  expect(row(first!).textContent).toContain('It is fixed.')
  expect([first, second, third].map((id) => row(id!).isConnected)).toEqual([true, true, true])
})
