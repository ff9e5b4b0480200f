import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

async function openPane() {
  const app = await startTestApp()
  await app.db.insertInto('ticket_tags').values({ name: 'Urgent', position: 1 }).execute()
  const { id } = await enterTicket(app.db, { title: 'Towel tags', sender_email: 'jana@resort.example' })
  const { go } = await openPanel(app, 'admin', `/support?open=${id}`)
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }))
  await pane.findByRole('heading', { name: /Towel tags/ })
  const row = () => app.db.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { app, go, id, pane, row }
}

test('the rare actions of a ticket are in its menu beside the list, too', async () => {
  const { pane, row } = await openPane()
  fireEvent.click(pane.getByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Merge with another ticket', hidden: true }))
  const dialog = await screen.findByRole('dialog', { name: /^Merge #/ })
  fireEvent.click(within(dialog).getByRole('button', { name: /close/i }))
  fireEvent.click(pane.getByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to trash', hidden: true }))
  await waitFor(async () => expect((await row()).deleted_at).not.toBeNull())
  await clickUndo(/^Moved to trash: 1 ticket/)
  await waitFor(async () => expect((await row()).deleted_at).toBeNull())
})

test('where the properties of a ticket don’t fit beside its conversation, a button shows them', async () => {
  const { pane } = await openPane()
  const button = pane.getByRole('button', { name: 'Details' })
  expect([button.getAttribute('aria-expanded'), pane.queryByRole('region', { name: 'Requester' })]).toEqual([
    'false',
    null,
  ])
  fireEvent.click(button)
  const requester = within(await pane.findByRole('region', { name: 'Requester' }))
  expect(requester.getAllByText('jana@resort.example').length).toBeGreaterThan(0)
  fireEvent.click(button)
  await waitFor(() => expect(pane.queryByRole('region', { name: 'Requester' })).toBeNull())
})

/** Opens the palette, and returns functions that search there and choose what is found. */
async function openPalette() {
  press('k', { ctrlKey: true })
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }))
  const box = await palette.findByLabelText('Search or jump to', { selector: 'input' })
  return {
    find: (text: string) => fill(box, text),
    choose: async (name: RegExp) => fireEvent.click(await palette.findByRole('button', { name })),
  }
}

test('the palette changes the status, the assignee, and the tags of the ticket beside the list', async () => {
  const { app, id, row } = await openPane()
  const change = async (what: RegExp, to: RegExp) => {
    const palette = await openPalette()
    palette.find('change')
    await palette.choose(what)
    await palette.choose(to)
  }
  await change(/^Change status/, /^Resolved/)
  await waitFor(async () => expect((await row()).status).toBe(4))
  await change(/^Change assignee/, /^Me$/)
  await waitFor(async () => expect((await row()).assignee_id).not.toBeNull())
  await change(/^Change tags/, /^Urgent$/)
  await waitFor(async () =>
    expect((await app.as('admin').get(`/admin/support/ticket/${id}`))['data'].tag_ids).toHaveLength(1),
  )
})

test('the palette snoozes the open ticket, beside the list and on its page', async () => {
  const { app, go, id } = await openPane()
  const isSnoozed = async () =>
    ((await app.as('admin').get(`/admin/support/ticket/${id}`))['data'] as { is_snoozed: boolean }).is_snoozed
  const palette = await openPalette()
  palette.find('snooze')
  await palette.choose(/^Snooze until the customer writes$/)
  await waitFor(async () => expect(await isSnoozed()).toBe(true))
  await go(`/support/ticket/${id}/0`)
  await screen.findByRole('heading', { level: 1, name: /Towel tags/ })
  const onPage = await openPalette()
  onPage.find('snooze')
  await onPage.choose(/^End snooze$/)
  await waitFor(async () => expect(await isSnoozed()).toBe(false))
})

test('the pane says how long the customer waits, and how much time the service target leaves', async () => {
  const app = await startTestApp()
  const target = {
    priority: null,
    category: null,
    organization_id: null,
    first_response: 240,
    next_response: null,
    resolution: null,
    in_working_hours: false,
  }
  const settings = {
    version: 0,
    targets: [target],
    pauses_while_waiting: true,
    reminder_percent: null,
    zone: 'UTC',
    days: Array.from({ length: 7 }, () => null),
    holidays: [],
  }
  expect((await app.as('admin').post('/admin/support/targets', settings)).status).toBe(200)
  const created = await app.as('admin').post('/admin/support/ticket', {
    title: 'Towel tags',
    message: '<p>They came off.</p>',
    sender_email: 'jana@resort.example',
  })
  await openPanel(app, 'admin', `/support?open=${created['data'].id}`)
  const pane = within(await screen.findByRole('region', { name: 'Reading pane' }))
  await pane.findByText(/^Waiting/)
  pane.getByTitle(/^First response due /)
})
