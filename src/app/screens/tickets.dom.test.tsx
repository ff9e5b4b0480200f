import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  choose,
  chooseFiles,
  chooseFound,
  clickUndo,
  fill,
  openPanel,
  press,
  undoLast,
  write,
} from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { replyDraft } from '#features/crm/support/reply.fields.ts'
import { queries } from '#web/api/queries.ts'
import { dropDraft } from '#web/form/draft.ts'

const row = (title: string) =>
  within(screen.getByRole('checkbox', { name: `Select ${title}` }).closest<HTMLElement>('tr')!)
const bar = () => screen.findByRole('group', { name: 'Selected rows' })

/** Creates a ticket for each title; the tickets are in this order in the table. */
async function enterTickets({ db }: TestApp, ...titles: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const title of titles) ids.push((await enterTicket(db, { title })).id)
  return ids
}

test('the trash is offered for the user’s own tickets only, and a request is deleted on its own page', async () => {
  const app = await startTestApp()
  await enterTicket(app.db, { title: 'Of another' })
  const own = { title: 'My own request', message: '<p>It stays black.</p>' }
  const { data } = await app.as('support').post('/admin/support/ticket', own)
  const { address, go } = await openPanel(app, 'support', '/support?layout=table')
  await screen.findByRole('checkbox', { name: 'Select Of another' })
  fireEvent.click(row('Of another').getByRole('checkbox'))
  const selected = await bar()
  await waitFor(() => expect(selected.textContent).toContain('1 selected'))
  await within(selected).findByRole('button', { name: 'Assign' })
  expect(within(selected).queryByRole('button', { name: 'Move to trash' })).toBeNull()
  fireEvent.click(row('My own request').getByRole('checkbox'))
  await within(selected).findByRole('button', { name: 'Move to trash' })

  await go(`/support-requests/request/${data.id}/0`)
  fireEvent.click(await screen.findByRole('button', { name: 'Move to trash' }))
  await waitFor(() => expect(address()).toMatch(/^\/support-requests$/))
  await waitFor(() => expect(screen.queryByRole('link', { name: /My own request/ })).toBeNull())
  await undoLast()
  await screen.findByRole('link', { name: /My own request/ })
})

test('every request of a ticket names its organization', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db)
  const { id } = await enterTicket(app.db, { organization_id })
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/${organization_id}`)
  await screen.findByRole('heading', { level: 1 })
  const asked = sent.filter(({ path }) => path === `/admin/support/ticket/${id}`)
  expect(asked.length).toBeGreaterThan(0)
  for (const { headers } of asked) expect(headers.get('x-organization')).toBe(String(organization_id))
})

test('an internal note mentions a colleague, and is between the messages', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('textbox', { name: 'Message' })
  press('n', {}, document.body)
  const note = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })
  await waitFor(() => expect(document.activeElement).toBe(note))
  fill(note, 'Ask @dan')
  const people = within(await screen.findByRole('listbox', { name: 'People' }))
  fireEvent.mouseDown(people.getByRole('option', { name: 'Daniel Aguirre' }))
  await waitFor(() => expect(note.value).toBe('Ask @Daniel Aguirre '))
  // A space that is typed by habit isn't a second one.
  expect([fireEvent.keyDown(note, { key: ' ' }), fireEvent.keyDown(note, { key: ' ' })]).toEqual([
    false,
    true,
  ])
  fill(note, `${note.value}about #${id}.`)
  press('Enter', { ctrlKey: true }, note)
  const talk = within(screen.getByRole('region', { name: 'Conversation' }))
  const shown = (await talk.findByText(/@Daniel Aguirre/)).closest('article')!
  expect(shown.textContent).toContain('Internal note')
  expect(
    within(shown)
      .getByRole('link', { name: `#${id}` })
      .getAttribute('href'),
  ).toContain(`ticket/${id}/0`)
  const { body } = sent.find(({ path }) => path.endsWith('/create-ticket/comment'))!
  expect(body).toMatchObject({ tag_user: [app.as('csm').id] })
  await waitFor(() => expect(note.value).toBe(''))
})

test('a mention in a note that is sent before the people have loaded notifies them', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { intercept, sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const { promise, resolve: release } = Promise.withResolvers<void>()
  intercept('GET', /\/staff$/, async (_request, forward) => {
    await promise
    return forward()
  })
  await screen.findByRole('textbox', { name: 'Message' })
  press('n', {}, document.body)
  const note = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })
  fill(note, 'Ask @Daniel Aguirre.')
  press('Enter', { ctrlKey: true }, note)
  release()
  await waitFor(() =>
    expect(sent.find(({ path }) => path.endsWith('/create-ticket/comment'))).toMatchObject({
      status: 200,
      body: { tag_user: [app.as('csm').id] },
    }),
  )
})

test.each(['drop', 'paste'] as const)('a %s of files attaches them to an internal note', async (way) => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click(await screen.findByRole('tab', { name: 'Internal note' }))
  const note = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })
  const file = new File(['RFID profile 4.0.2'], 'scanner.txt', { type: 'text/plain' })
  const brought = { files: [file], types: ['Files'], getData: () => '' }
  const event = way === 'drop' ? createEvent.drop(note) : createEvent.paste(note)
  Object.defineProperty(event, way === 'drop' ? 'dataTransfer' : 'clipboardData', { value: brought })
  fireEvent(note, event)
  // Control: the browser doesn't open or insert it.
  expect(event.defaultPrevented).toBe(true)
  const form = within(screen.getByRole('form', { name: 'Internal note' }))
  await form.findByRole('button', { name: 'Remove scanner.txt' })
  fill(note, 'See the log.')
  press('Enter', { ctrlKey: true }, note)
  const shown = await screen.findByRole('list', { name: /^Attachments from/ })
  expect(shown.textContent).toContain('scanner.txt')
})

test('a ticket is found by its words after a #, and its number is put into the note', async () => {
  const app = await startTestApp()
  const [other] = await enterTickets(app, 'Towel tags', 'Scanner stopped')
  const { id } = await enterTicket(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click(await screen.findByRole('tab', { name: 'Internal note' }))
  const note = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })
  fill(note, 'Same as #towel')
  const found = within(await screen.findByRole('listbox', { name: 'Tickets' }))
  expect(found.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([`#${other} Towel tags`])
  press('Enter', {}, note)
  expect(note.value).toBe(`Same as #${other} `)
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a ticket is snoozed, and the snooze is undone', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('heading', { level: 1 })
  fireEvent.click((await screen.findAllByRole('button', { name: 'More' }))[0]!)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Snooze until tomorrow' }))
  await screen.findByText('Snoozed.')
  await clickUndo(/^Snoozed/)
  await waitFor(() => expect(sent.find(({ path }) => path.endsWith('/unsnooze'))?.status).toBe(200))
})

test('a ticket is snoozed until a typed date; a time in the past is refused', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('heading', { level: 1 })
  fireEvent.click((await screen.findAllByRole('button', { name: 'More' }))[0]!)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Snooze until a date…' }))
  const dialog = within(await screen.findByRole('dialog'))
  const until = dialog.getByLabelText<HTMLInputElement>(/^Until/)
  const enter = (typed: string) => {
    fill(until, typed)
    fireEvent.blur(until)
    fireEvent.click(dialog.getByRole('button', { name: 'Snooze' }))
  }
  enter('1 March 2020 10:00')
  await dialog.findByText('Choose a time in the future.')
  enter('1 March 2040 10:00')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.findLast(({ path }) => path.endsWith('/snooze'))).toMatchObject({
    status: 200,
    body: { until: new Date('2040-03-01T10:00').toISOString() },
  })
})

test('the changes of a merged ticket name tickets by number, and those of a new one its organization', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db, { name: 'Elm Resort' })
  const message = { message: '<p>It stays black.</p>', category: 1 }
  const create = async (title: string) =>
    (await app.as('support').post('/admin/support/ticket', { title, org_id: organization_id, ...message }))[
      'data'
    ].id as number
  const [into, merged] = [await create('Scanner'), await create('Scanner again')]
  expect(await app.as('support').post(`/admin/support/ticket/${merged}/merge`, { into })).toMatchObject({
    status: 200,
  })
  await openPanel(app, 'support', `/support/ticket/${into}/${organization_id}`)
  const talk = within(await screen.findByRole('region', { name: 'Conversation' }))
  await waitFor(() =>
    expect(talk.getAllByText(/^merged/).map((line) => line.textContent)).toEqual([
      `merged #${merged} into this ticket`,
    ]),
  )
  expect(talk.getAllByText(/created this ticket/)[0]!.textContent).toContain('organization: Elm Resort')
})

test('a ticket cannot be filed for a user of another organization', async () => {
  const app = await startTestApp()
  const first = await enterOrganization(app.db, { name: 'Aalto Linen' })
  await enterOrganization(app.db, { name: 'Berg Hotels' })
  const user_id = await enterUser(app.db, first, 'Aino')
  const { sent } = await openPanel(app, 'super_admin', '/support/generate')
  const organization = await screen.findByRole('combobox', { name: 'Organization' })
  fill(screen.getByRole('textbox', { name: /^Title/ }), 'Keys of a requester')
  await write('Message', 'Who asks?')
  await chooseFound(organization, 'Aalto Linen')
  const user = document.querySelector<HTMLSelectElement>('select[name=user_id]')!
  await choose(() => user, 'Aino')
  // Control: the user was chosen.
  expect(user.value).toBe(String(user_id))
  await chooseFound(organization, 'Berg Hotels')
  press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: /^Title/ }))
  const filed = () => sent.find(({ method, path }) => method === 'POST' && path === '/admin/support/ticket')
  await waitFor(() => expect(filed()?.status).toBe(200))
  expect(filed()!.body).toMatchObject({ user_id: 0 })
})

test('a message to a customer is created and sent, and the choice ends with the chosen user', async () => {
  const app = await startTestApp()
  const organization = await enterOrganization(app.db, { name: 'Aalto Linen' })
  const user_id = await enterUser(app.db, organization, 'Aino')
  const { address } = await openPanel(
    app,
    'super_admin',
    `/support/generate?organization=${organization}&requester=${user_id}`,
  )
  fill(await screen.findByRole('textbox', { name: /^Title/ }), 'Your invoice')
  await write('Message', 'It was printed twice.')
  await choose(() => screen.getByRole('combobox', { name: 'Message from' }), '1')
  const user = () => document.querySelector<HTMLSelectElement>('select[name=user_id]')!
  // Once its users have loaded, the field shows the chosen one.
  await waitFor(() => expect(user().value).toBe(String(user_id)))
  await choose(user, '')
  await screen.findByRole('button', { name: 'Create ticket' })
  expect(screen.queryByRole('combobox', { name: 'Message from' })).toBeNull()
  await choose(user, 'Aino')
  fireEvent.click(await screen.findByRole('button', { name: 'Create and send' }))
  await waitFor(() => expect(address()).toMatch(/^\/support\/ticket\/\d+/))
  const mails = await app.db.selectFrom('mails').select(['kind', 'subject']).execute()
  expect(mails).toEqual([{ kind: 'ticket-reply', subject: expect.stringContaining('Your invoice') }])
})

test('the layout is in the address, is remembered, and keeps the filters', async () => {
  const app = await startTestApp()
  await enterTickets(app, 'Linen one')
  // There is no layout here, so the board says that its lanes can't scroll.
  const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const { address, go } = await openPanel(app, 'support', '/support?search=linen')
  const layout = (name: string) =>
    fireEvent.click(within(screen.getByRole('group', { name: 'Layout' })).getByRole('button', { name }))
  const list = () => screen.findByRole('list', { name: 'Support tickets' })
  await list()
  layout('Table')
  await screen.findByRole('table')
  expect(address()).toMatch(/search=linen/)
  expect(address()).toMatch(/layout=table/)
  const leave = async () => {
    await go('/dashboard')
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
  }
  await leave()
  await go('/support')
  await screen.findByRole('table')
  layout('Board')
  await screen.findByRole('heading', { name: 'Support board' })
  fill(await screen.findByRole('searchbox', { name: 'Search tickets' }), 'linen')
  await waitFor(() => expect(address()).toMatch(/search=linen/))
  layout('Inbox')
  await list()
  expect(address()).toMatch(/search=linen/)
  // A link with a layout shows it, and doesn't change what the user chose.
  await leave()
  await go('/support')
  await screen.findByRole('table')
})

test('support sees the leads and onboardings of an organization without links that it cannot open', async () => {
  const app = await startTestApp()
  const { org_id } = await winLead(app)
  const { sent } = await openPanel(app, 'support', `/organizations/detail/organization/0/${org_id}`)
  for (const name of ['Onboarding', 'Leads']) {
    const panel = within(await screen.findByRole('region', { name }))
    expect(await panel.findAllByRole('listitem')).toHaveLength(1)
    expect(panel.queryAllByRole('link')).toEqual([])
  }
  const users = sent.find(({ path }) => path.startsWith('/admin/getOrgUser'))!
  expect(users.headers.get('x-organization')).toBe(String(org_id))
})

test('a reply is not sent while a file uploads, and not without a refused file unless the user says so', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const { intercept } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('textbox', { name: 'Message' })
  await write('Message', 'See the attached file.')
  const form = within(await screen.findByRole('form', { name: 'Reply' }))
  const send = () => form.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  const message = () => form.getByRole('textbox', { name: 'Message' }).textContent
  const { promise, resolve: release } = Promise.withResolvers<void>()
  intercept('POST', /^\/files\/stage/, async (_request, forward) => {
    await promise
    return forward()
  })
  // The editor has another input, for images in the text.
  const input = form.getByLabelText('Attachments', { selector: 'input[type=file]' })
  chooseFiles(input, new File(['plain words'], 'notes.txt', { type: 'text/plain' }))
  await waitFor(() => expect(send().title).toBe('A file is still uploading.'))
  expect(send().disabled || send().getAttribute('aria-disabled') === 'true').toBe(true)
  release()
  await form.findByRole('button', { name: 'Remove notes.txt' })

  chooseFiles(input, new File(['plain words'], 'setup.exe', { type: 'application/octet-stream' }))
  await form.findByRole('button', { name: 'Dismiss setup.exe' })
  const answer = async (name: string) => {
    fireEvent.click(send())
    const question = await screen.findByRole('dialog', { name: 'Send without “setup.exe”?' })
    fireEvent.click(within(question).getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  await answer('Cancel')
  expect(message()).toBe('See the attached file.')
  await answer('Send without it')
  const talk = within(screen.getByRole('region', { name: 'Conversation' }))
  const reply = (await talk.findByText('See the attached file.')).closest('article')!
  await waitFor(() => expect(reply.textContent).toContain('notes.txt'))
  await waitFor(() => expect(form.queryByText('setup.exe')).toBeNull())
})

test('a ticket with a reply that is not sent yet has a mark in the list', async () => {
  const app = await startTestApp()
  const [id] = await enterTickets(app, 'Begun', 'Untouched')
  const { go } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByRole('textbox', { name: 'Message' })
  await write('Message', 'Please restart it.')
  await screen.findByText('Draft saved')
  await go('/support')
  const rows = within(await screen.findByRole('list', { name: 'Support tickets' }))
  const wordsOf = async (title: string) =>
    (await rows.findByRole('link', { name: title })).closest('li')!.textContent
  expect(await wordsOf('Begun')).toContain('Draft')
  expect(await wordsOf('Untouched')).not.toContain('Draft')
  act(() => dropDraft(replyDraft(id!)))
  expect(await wordsOf('Begun')).not.toContain('Draft')
})

test('a title that someone else changed while it was being edited is not overwritten', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const heading = (name: string) => screen.findByRole('heading', { name: new RegExp(name) })
  await heading('The scanner stopped')
  fireEvent.click(await screen.findByTitle('Edit Title'))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
  const renamed = { title: 'Renamed by the admin' }
  expect((await app.as('admin').post(`/admin/support/ticket/${id}/update`, renamed)).status).toBe(200)
  // The new title arrives on the page, while the field still has the old one.
  await queries.invalidateQueries()
  await heading('Renamed by the admin')
  expect(field.value).toBe('The scanner stopped')
  fill(field, 'Renamed by support')
  // Enter in the only field of a form sends it, in every browser.
  fireEvent.submit(field.form!)
  await screen.findByRole('alert')
  await heading('Renamed by the admin')
  const { data } = await app.as('support').get(`/admin/support/ticket/${id}`)
  expect(data.title).toBe('Renamed by the admin')
})

test('the author edits and deletes an internal note, with Undo; an admin user who didn’t write it can’t', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  const note = (who: string, support_comment: string) =>
    app.as(who).post('/admin/support/create-ticket/comment', { ticket_id: id, support_comment })
  await note('admin', 'From Anna.')
  await note('support', 'Firmware 4.0.1.')
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  const talk = within(await screen.findByRole('region', { name: 'Conversation' }))
  // The changes of the ticket name the words, too.
  const entry = async (words: string) =>
    within((await talk.findByText(words, { selector: 'article *' })).closest('article')!)
  expect((await entry('From Anna.')).queryByRole('button')).toBeNull()

  fireEvent.click((await entry('Firmware 4.0.1.')).getByRole('button', { name: 'Edit' }))
  const form = within(await screen.findByRole('form', { name: 'Edit note' }))
  fill(form.getByRole('textbox', { name: 'Note' }), 'Firmware 4.0.2.')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Note saved.')
  const edited = await entry('Firmware 4.0.2.')
  expect(edited.getByText('Edited')).toBeTruthy()
  await talk.findByText(/changed the internal note from/)

  fireEvent.click(edited.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Note deleted.')
  await waitFor(() => expect(talk.queryByText('Firmware 4.0.2.', { selector: 'article *' })).toBeNull())
  const deleted = (await talk.findByText(/deleted a note/)).closest<HTMLElement>('[id^=event-]')!
  fireEvent.click(within(deleted).getByRole('button', { name: 'Undo' }))
  await entry('Firmware 4.0.2.')
})

test('selected tickets are assigned together, and one undo reverts it', async () => {
  const app = await startTestApp()
  await enterTickets(app, 'Outage one', 'Outage two')
  await openPanel(app, 'support', '/support?layout=table')
  const assignee = (title: string) => row(title).getByRole('button', { name: /^Assignee of/ })
  for (const title of ['Outage one', 'Outage two']) {
    await screen.findByRole('checkbox', { name: `Select ${title}` })
    fireEvent.click(row(title).getByRole('checkbox'))
  }
  fireEvent.click(await within(await bar()).findByRole('button', { name: 'Assign' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Me' }))
  await screen.findByText('Assigned to Tom Whitfield: 2 tickets.')
  for (const title of ['Outage one', 'Outage two'])
    await waitFor(() => expect(assignee(title).getAttribute('aria-label')).toMatch(/: Tom Whitfield$/))
  await undoLast()
  for (const title of ['Outage one', 'Outage two'])
    await waitFor(() => expect(assignee(title).getAttribute('aria-label')).toMatch(/: Unassigned$/))
})

test('each condition of a search is a chip that can be removed alone, and one that isn’t understood says so', async () => {
  const app = await startTestApp()
  await enterTicket(app.db, { title: 'Towels', sender_name: 'Jana' })
  await enterTicket(app.db, { title: 'Napkins', sender_name: 'Ada' })
  const search = encodeURIComponent('from:jana before:soon')
  const { address } = await openPanel(app, 'support', `/support?layout=table&search=${search}`)
  const remove = (text: string) => screen.findByRole('button', { name: `Remove filter ${text}` })
  fireEvent.click(await remove('“before:soon” has no date: write before:2026-12-31'))
  await screen.findByRole('checkbox', { name: 'Select Towels' })
  expect(screen.queryByRole('checkbox', { name: 'Select Napkins' })).toBeNull()
  expect(new URL(address(), 'http://panel').searchParams.get('search')).toBe('from:jana')
  fireEvent.click(await remove('From: jana'))
  await screen.findByRole('checkbox', { name: 'Select Napkins' })
})
