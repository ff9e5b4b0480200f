import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

const path = '/admin/support/targets'
const box = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test('an admin sets a target and working hours; a wrong time is refused at its field', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', '/support/targets')
  await press('Add target')
  await choose(() => screen.getByRole('combobox', { name: 'Priority of target 1' }), '1')
  fill(await box('First response of target 1'), 'soon')
  fill(await box('Friday to'), '15:00')
  fill(await box('Monday from'), '')
  fill(await box('Monday to'), '')
  await press('Save service targets')
  await screen.findByText(/^Enter a time such as 4 h or 30 min/)
  fill(await box('First response of target 1'), '1 h 30 min')
  await press('Save service targets')
  await screen.findByText('Service targets saved.')
  const { data } = await app.as('admin').get(path)
  expect(data).toMatchObject({ version: 1, targets: [{ priority: 1, first_response: 90, resolution: null }] })
  expect([data.days[0], data.days[4]]).toEqual([null, { from: '09:00', to: '15:00' }])
})

test('of two admins, the second keeps the typed text, and sees why it was not saved', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', '/support/targets')
  await press('Add target')
  fill(await box('Resolution of target 1'), '8 h')
  const { data } = await app.as('super_admin').get(path)
  expect((await app.as('super_admin').post(path, { ...data, zone: 'Europe/Berlin' })).status).toBe(200)
  await press('Save service targets')
  await screen.findByText(/^Someone else changed the service targets/)
  expect((await box('Resolution of target 1')).value).toBe('8 h')
})

test('the page is for admins', async () => {
  const { sent } = await openPanel(await startTestApp(), 'support', '/support/targets')
  await screen.findByText('Only admins can see and change service targets.')
  await waitFor(() => expect(sent.some((one) => one.path === path)).toBe(false))
})

test('a ticket shows its target in the list and on its page, and a missed one says so', async () => {
  const app = await startTestApp()
  const { data } = await app.as('admin').get(path)
  const target = {
    priority: null,
    category: null,
    organization_id: null,
    first_response: 60,
    next_response: null,
    resolution: null,
    in_working_hours: false,
  }
  await app.as('admin').post(path, { ...data, targets: [target] })
  const created_at = app.clock.now().toISOString()
  const { id } = await app.db
    .insertInto('tickets')
    .values({ title: 'The scanner stopped', created_at, last_message_at: created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('ticket_messages')
    .values({ ticket_id: id, sent_by_admin: false, message: '<p>Help</p>', created_at })
    .execute()
  const { go } = await openPanel(app, 'support', '/support')
  await screen.findByTitle(/^First response due .*, 1 h left$/)
  await go(`/support/ticket/${id}/0`)
  await screen.findByText(/First response:/)
  await app.db
    .updateTable('ticket_clocks')
    .set({ due_at: new Date(app.clock.now().getTime() - 20 * 60_000).toISOString() })
    .execute()
  await go('/support?target=overdue')
  expect((await screen.findByTitle(/, Overdue by 20 min$/)).textContent).toBe('Overdue')
})
