import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/** The list of tickets with three of them selected. */
async function withSelected(prepare: (app: TestApp) => Promise<unknown> = async () => {}) {
  const app = await startTestApp()
  await prepare(app)
  await app.db
    .insertInto('ticket_tags')
    .values([{ name: 'Aardvark' }, { name: 'Scanner' }])
    .execute()
  const titles = ['Towel tags', 'Towel racks', 'Towel counts'] as const
  const ids: number[] = []
  for (const title of titles)
    ids.push((await enterTicket(app.db, { title, sender_email: 'jana@resort.example' })).id)
  const panel = await openPanel(app, 'support', '/support?search=towel&layout=table')
  for (const title of titles)
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${title}` }))
  const choose = async (menu: string, item: string | RegExp) => {
    const bar = within(await screen.findByRole('group', { name: 'Selected rows' }))
    fireEvent.click(await bar.findByRole('button', { name: menu }))
    fireEvent.click(await screen.findByRole('menuitem', { name: item, hidden: true }))
  }
  const show = async (id: number) => (await app.as('support').get(`/admin/support/ticket/${id}`))['data']
  return { app, ids: ids as [number, number, number], choose, show, ...panel }
}

test('a note is added to the selected tickets from a dialog, with Undo', async () => {
  const { ids, choose, show } = await withSelected()
  await choose('More', 'Add internal note…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Internal note on 3 tickets' }))
  fireEvent.click(dialog.getByRole('button', { name: 'Add note' }))
  await dialog.findByText('This field is required.')
  fill(dialog.getByRole('textbox', { name: 'Note' }), 'Known since Monday')
  fireEvent.click(dialog.getByRole('button', { name: 'Add note' }))
  await screen.findByText('Note added to 3 tickets.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  for (const id of ids)
    expect((await show(id)).comments).toMatchObject([{ support_comment: 'Known since Monday' }])
  screen.getByText('3 selected')
  await clickUndo(/^Note added to 3 tickets/)
  await waitFor(async () => expect((await show(ids[0])).comments).toEqual([]))
})

test('the selected tickets are snoozed, with Undo', async () => {
  const { ids, choose, show } = await withSelected()
  await choose('More', 'Snooze until the customer writes')
  await screen.findByText('3 tickets snoozed until the customer writes.')
  await clickUndo(/^3 tickets snoozed/)
  await screen.findByText('3 tickets are back in your queues.')
  expect((await show(ids[0])).is_snoozed).toBe(false)
})

test('the undo of a snooze keeps the earlier snooze of a ticket', async () => {
  const { app, ids, choose, show } = await withSelected()
  const until = '2099-03-20T09:00:00.000Z'
  await app.as('support').post(`/admin/support/ticket/${ids[0]}/snooze`, { until })
  await choose('More', 'Snooze until the customer writes')
  await screen.findByText('3 tickets snoozed until the customer writes.')
  await clickUndo(/^3 tickets snoozed/)
  await screen.findByText('2 tickets are back in your queues. 1 ticket snoozed as before.')
  expect((await show(ids[0])).snoozed_until).toBe(until)
})

test('a time that has passed is refused in the dialog, which stays open', async () => {
  const { choose, sent } = await withSelected()
  await choose('More', 'Snooze until a date…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Snooze 3 tickets' }))
  fill(await dialog.findByLabelText(/^Until/), '1 Jan 2020 09:00')
  fireEvent.click(dialog.getByRole('button', { name: 'Snooze' }))
  await waitFor(() => expect(sent.find(({ path }) => path.endsWith('/snooze-tickets'))?.status).toBe(422))
  await dialog.findByText('Choose a time in the future.')
})

test('the selected tickets are marked as spam, with Undo', async () => {
  const { ids, choose, show } = await withSelected()
  await choose('More', 'Mark as spam')
  await screen.findByText('Marked as spam: 3 tickets.')
  expect((await show(ids[1])).spam_reason).toMatch(/^Marked by /)
  await clickUndo(/^Marked as spam: 3 tickets/)
  await waitFor(async () => expect((await show(ids[1])).spam_reason).toBeNull())
})

test('an incident is made of the selected tickets, after the question which of them it is', async () => {
  const { ids, choose, show } = await withSelected()
  await choose('Incident', 'Make an incident of 3 tickets…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Make an incident of 3 tickets' }))
  const first = await dialog.findByRole<HTMLInputElement>('radio', { name: `#${ids[0]} Towel tags` })
  expect(first.checked).toBe(true)
  fireEvent.click(dialog.getByRole('radio', { name: `#${ids[1]} Towel racks` }))
  fireEvent.click(dialog.getByRole('button', { name: `Link 2 tickets to #${ids[1]}` }))
  await screen.findByText(`Linked to incident #${ids[1]}: 2 tickets.`)
  expect([(await show(ids[0])).incident_id, (await show(ids[1])).linked_count]).toEqual([ids[1], 2])
  await clickUndo(/^Linked to incident #/)
  await waitFor(async () => expect((await show(ids[0])).incident_id).toBeNull())
})

test('the selection stays for the next change; tickets that left the list are no longer part of it', async () => {
  const { app, ids, choose, show, go } = await withSelected()
  await go('/support?search=towel&layout=table&status=0')
  await choose('Priority', 'Urgent')
  await screen.findByText(/^Priority set to Urgent: 3 tickets/)
  screen.getByText('3 selected')
  await choose('Assign', 'Me')
  await waitFor(async () => expect((await show(ids[2])).assignee_id).toBe(app.as('support').id))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Towel counts' }))
  await screen.findByText('2 selected')
  await choose('Status', 'Resolved')
  await waitFor(async () => expect((await show(ids[0])).status).toBe(4))
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected rows' })).toBeNull())
  expect((await show(ids[2])).status).toBe(0)
})

test('a tag that is added to the selected tickets is found by typing', async () => {
  const { app, ids, show } = await withSelected()
  const { id } = await app.db
    .selectFrom('ticket_tags')
    .select('id')
    .where('name', '=', 'Scanner')
    .executeTakeFirstOrThrow()
  const bar = within(await screen.findByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await bar.findByRole('button', { name: 'Add tag' }))
  const search = await screen.findByRole('searchbox', { name: 'Search tags', hidden: true })
  fill(search, 'scan')
  press('Enter', {}, search)
  await waitFor(async () => expect((await show(ids[0])).tag_ids).toEqual([id]))
})

test('the selected tickets are distributed among the chosen people, one of whom is away, with Undo', async () => {
  const { app, ids, choose, show } = await withSelected(({ as }) =>
    as('csm').post(`/admin/admin-users/${as('csm').id}/away`, { until: null }),
  )
  const [csm, adh] = [app.as('csm').id, app.as('adh').id]
  const { data: people } = await app.as('admin').get('/admin/support/assignable')
  const nameOf = (id: number) => people.find((one: { id: number }) => one.id === id).name
  await choose('Assign', 'Distribute among…')
  const dialog = within(await screen.findByRole('dialog', { name: 'Distribute 3 tickets' }))
  fireEvent.click(await dialog.findByRole('checkbox', { name: `${nameOf(csm)} (away)` }))
  fireEvent.click(dialog.getByRole('checkbox', { name: nameOf(adh) }))
  dialog.getByText('1 or 2 tickets each')
  fireEvent.click(dialog.getByRole('button', { name: 'Distribute' }))
  await screen.findByText('Distributed among 2 people: 3 tickets.')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await show(ids[0])).assignee_id).toBe(csm)
  expect((await show(ids[1])).assignee_id).toBe(adh)
  await clickUndo(/^Distributed among 2 people/)
  await waitFor(async () => expect((await show(ids[0])).assignee_id).toBeNull())
})
