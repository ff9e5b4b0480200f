import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const support = '/admin/support'

/** An incident, a ticket that is linked to it, and one of a requester without an address, which is too. */
async function withIncident() {
  const app = await startTestApp()
  const enter = async (title: string, sender_email?: string) =>
    (await enterTicket(app.db, { title, ...(sender_email === undefined ? {} : { sender_email }) })).id
  const head = await enter('Tags are not read', 'jana@resort.example')
  const ids = [await enter('Counts are too low', 'bert@spa.example'), await enter('By phone')]
  const link = (chosen: readonly number[], incident_id = head) =>
    app.as('support').post(`${support}/change-tickets`, {
      selection: { ids: chosen },
      change: { kind: 'incident', incident_id },
    })
  await link(ids)
  const statusOf = async (id: number) =>
    (await app.as('support').get(`${support}/ticket/${id}`))['data'].status
  return { app, head, ids, enter, link, statusOf }
}

test('the tickets of an incident are answered together, and the page says who gets the answer and who doesn’t', async () => {
  const { app, head, ids } = await withIncident()
  const { sent, address } = await openPanel(app, 'support', `/support/ticket/${head}/0`)
  fireEvent.click(await screen.findByRole('link', { name: 'Answer all 3 tickets' }))
  const box = (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  expect((await box(/By phone/)).checked).toBe(false)
  expect(address()).toContain(`/support/incident/${head}`)
  screen.getByText(/the requester has no email address/)
  await write('Message to all', 'We know why.')
  await screen.findByTitle('Email to jana@resort.example')
  press('Enter', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Message to all' }))
  const answered = () => sent.find(({ path }) => path.endsWith('/incident-answer'))
  await waitFor(() => expect(answered()?.status).toBe(200))
  expect(answered()!.body).toMatchObject({ ticket_ids: [head, ids[0]] })
  fireEvent.click(await screen.findByRole('button', { name: 'Undo send' }))
  await waitFor(() => expect(sent.filter(({ path }) => path.endsWith('/call-off')).length).toBe(2))
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Message to all' }).textContent).toContain('We know why.'),
  )
})

test('the mark of an incident counts its tickets as its page does', async () => {
  const { app, head } = await withIncident()
  const { go } = await openPanel(app, 'support', '/support')
  expect(await screen.findByText('Incident · 3 tickets')).toBeTruthy()
  await go(`/support/ticket/${head}/0`)
  expect(await screen.findByRole('link', { name: 'Answer all 3 tickets' })).toBeTruthy()
})

test('a saved reply is inserted into an answer to all with its variables, its files, and its status', async () => {
  const { app, head, ids } = await withIncident()
  const staged = await app.as('support').send('POST', '/files/stage', undefined, {
    form: { file: { name: 'sheet.pdf', bytes: '%PDF-1.4\n%%EOF' } },
  })
  const file = staged['data'].id as number
  const created = await app.as('support').post(`${support}/saved-replies`, {
    name: 'Count',
    content: '<p>About {{ticket_number}}: count by hand.</p>',
    status: 4,
    file_ids: [file],
  })
  const { sent } = await openPanel(app, 'support', `/support/incident/${head}`)
  await write('Message to all', '/')
  const menu = within(await screen.findByRole('region', { name: 'Saved replies' }))
  await menu.findByText('About {{ticket_number}}: count by hand.', { selector: 'p' })
  await menu.findByText('Sets the status to Resolved')
  fireEvent.click(menu.getByRole('option', { name: /^Count/ }))
  const text = () => screen.getByRole('textbox', { name: 'Message to all' }).textContent
  await waitFor(() => expect(text()).toBe('About {{ticket_number}}: count by hand.'))
  await screen.findByText('Sets the status of each ticket to Resolved.', { exact: false })
  await screen.findByText('sheet.pdf')
  fireEvent.click(screen.getByRole('button', { name: /^Send 2 replies/ }))
  const answered = () => sent.find(({ path }) => path.endsWith('/incident-answer'))
  await waitFor(() => expect(answered()?.status).toBe(200))
  for (const id of [head, ids[0]!]) {
    const { data } = await app.as('support').get(`${support}/ticket/${id}`)
    expect(data).toMatchObject({
      status: 4,
      messages: [
        {},
        { message: expect.stringContaining(`About #${id}: count by hand.`), attachments: [{ id: file }] },
      ],
    })
  }
  const reply = await app.as('support').get(`${support}/saved-replies/${created['data'].id}`)
  expect(reply['data'].uses).toBe(1)
})

test('the status that a saved reply sets on the tickets of an incident can be left out', async () => {
  const { app, head } = await withIncident()
  const values = { name: 'Count', content: '<p>Count by hand.</p>', status: 4 }
  await app.as('support').post(`${support}/saved-replies`, values)
  const { sent } = await openPanel(app, 'support', `/support/incident/${head}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Insert a saved reply' }))
  fireEvent.click(await screen.findByRole('option', { name: /^Count/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Keep the status' }))
  await waitFor(() => expect(screen.queryByText('Sets the status of each', { exact: false })).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: /^Send 2 replies/ }))
  const answered = () => sent.find(({ path }) => path.endsWith('/incident-answer'))
  await waitFor(() => expect(answered()?.status).toBe(200))
  expect(answered()!.body).not.toHaveProperty('status')
})

test('the breadcrumb of an incident leads to the list of incidents', async () => {
  const { app, head } = await withIncident()
  const { address } = await openPanel(app, 'support', `/support/incident/${head}`)
  const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }))
  fireEvent.click(await crumbs.findByRole('link', { name: 'Incidents' }))
  await waitFor(() => expect(address()).toContain('incident=heads'))
  await screen.findByText('Tags are not read')
  await waitFor(() => expect(screen.queryByText('Counts are too low')).toBeNull())
})

test('a ticket’s own text must not be empty, and those of tickets without an answer are not sent', async () => {
  const { app, head, ids } = await withIncident()
  const { sent } = await openPanel(app, 'support', `/support/incident/${head}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Edit for jana@resort.example only' }))
  const send = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Send \d repl/ })
  await screen.findByText(`Write the text for #${head}, or use the text for all.`)
  expect(send().disabled).toBe(true)
  fireEvent.click(screen.getByRole('checkbox', { name: /^Choose .* Tags are not read$/ }))
  await waitFor(() => expect(send().disabled).toBe(false))
  await write('Message to all', 'We know why.')
  fireEvent.click(send())
  const answered = () => sent.find(({ path }) => path.endsWith('/incident-answer'))
  await waitFor(() => expect(answered()?.status).toBe(200))
  expect(answered()!.body).toMatchObject({ ticket_ids: [ids[0]] })
  expect(answered()!.body).not.toHaveProperty('texts')
})

test('a ticket’s own text has the focus, and a slash inserts a saved reply with the values of the ticket', async () => {
  const { app, head } = await withIncident()
  await app.as('support').post(`${support}/saved-replies`, {
    name: 'Count',
    content: '<p>About {{ticket_number}}: count by hand.</p>',
    status: 4,
  })
  const { sent } = await openPanel(app, 'support', `/support/incident/${head}`)
  await write('Message to all', 'We know why.')
  await screen.findByTitle('Email to jana@resort.example')
  fireEvent.click(screen.getByRole('button', { name: 'Edit for jana@resort.example only' }))
  const own = `Text for #${head} only`
  const box = () => screen.getByRole('textbox', { name: own })
  await waitFor(() => expect(document.activeElement).toBe(box()))
  await waitFor(() => expect(box().textContent).toBe('We know why.'))
  fireEvent.click(screen.getAllByRole('button', { name: 'Insert a saved reply' }).at(-1)!)
  fireEvent.click(await screen.findByRole('option', { name: /^Count/ }))
  await waitFor(() => expect(box().textContent).toContain(`About #${head}: count by hand.`))
  // Its status would be that of all tickets.
  expect(screen.queryByText('Sets the status of each', { exact: false })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: /^Send 2 replies/ }))
  const answered = () => sent.find(({ path }) => path.endsWith('/incident-answer'))
  await waitFor(() => expect(answered()?.status).toBe(200))
  expect(answered()!.body).toMatchObject({
    message: '<p>We know why.</p>',
    texts: [{ ticket_id: head, message: expect.stringContaining(`About #${head}`) }],
    saved_reply_ids: [expect.any(Number)],
  })
})

test('the page of an incident says that there is none, or that the viewer can’t see it', async () => {
  const { app, head } = await withIncident()
  const { go, main } = await openPanel(app, 'support', '/support/incident/999999')
  await main().findByRole('heading', { name: 'Not Found - 404', level: 1 })
  await app.as('admin').send('DELETE', `${support}/ticket/${head}`)
  await go(`/support/incident/${head}`)
  await main().findByRole('heading', { name: 'Not Found - 404', level: 1 })
  const { main: other } = await openPanel(app, 'developer', `/support/incident/${head}`)
  await other().findByText(/Ask an admin/)
})

test('the status of an incident is set on its linked tickets, too, unless the user decides otherwise', async () => {
  const { app, head, ids, statusOf } = await withIncident()
  await openPanel(app, 'support', `/support/ticket/${head}/0`)
  const choose = async (name: string) => {
    fireEvent.click((await screen.findAllByRole('button', { name: /^Status of Tags are not read/ }))[0]!)
    fireEvent.click(await screen.findByRole('menuitem', { name }))
    return within(await screen.findByRole('dialog'))
  }
  const alone = await choose('Resolved')
  fireEvent.click(await alone.findByRole('checkbox', { name: 'Also set 2 linked tickets' }))
  fireEvent.click(await alone.findByRole('button', { name: 'Set Resolved' }))
  await waitFor(async () => expect(await statusOf(head)).toBe(4))
  expect(await statusOf(ids[0]!)).toBe(0)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const all = await choose('Closed')
  await all.findByRole('checkbox', { name: 'Also set 2 linked tickets' })
  fireEvent.click(await all.findByRole('button', { name: 'Set Closed' }))
  await waitFor(async () => expect(await Promise.all([head, ...ids].map(statusOf))).toEqual([5, 5, 5]))
})

test('a ticket that looks like an incident is offered a link, is linked by a click, and unlinked by another', async () => {
  const { app, head, enter } = await withIncident()
  const similar = await enter('Tags are not read here', 'jo@other.example')
  const { address } = await openPanel(app, 'support', `/support/ticket/${similar}/0`)
  const incidentOf = async () =>
    (await app.as('support').get(`${support}/ticket/${similar}`))['data'].incident_id
  fireEvent.click(await screen.findByRole('button', { name: 'Link to incident' }))
  expect((await screen.findAllByText(`Part of incident #${head}`)).length).toBeGreaterThan(0)
  expect(await incidentOf()).toBe(head)
  fireEvent.click(await screen.findByRole('button', { name: `Unlink #${similar}` }))
  await waitFor(async () => expect(await incidentOf()).toBeNull())
  expect(address()).toContain(`/ticket/${similar}/`)
})

test('tickets of the list are linked to an incident that is chosen in a dialog', async () => {
  const { app, head, enter } = await withIncident()
  const other = await enter('Beeps')
  await openPanel(app, 'support', '/support?layout=table')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Beeps' }))
  const bar = within(await screen.findByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await bar.findByRole('button', { name: 'Incident' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Link to incident…' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.click(await dialog.findByRole('button', { name: `#${head} Tags are not read` }))
  await waitFor(async () =>
    expect((await app.as('support').get(`${support}/ticket/${other}`))['data'].incident_id).toBe(head),
  )
})
