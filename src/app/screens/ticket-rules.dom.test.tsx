import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const path = '/admin/support/ticket-rules'
const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const rule = async (number: number) => within(await screen.findByRole('region', { name: `Rule ${number}` }))
const set = async (number: number, label: string, value: string) => {
  const fields = await rule(number)
  await choose(() => fields.getByRole('combobox', { name: label }), value)
}
async function enterWord(number: number, label: string, text: string): Promise<void> {
  const field = await (await rule(number)).findByRole('combobox', { name: label })
  fill(field, text)
  act(() => press('Enter', {}, field))
}

test('an admin tries the first rule, and saves it; a rule without a change is refused at its field', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db)
  await enterTicket(app.db, { title: 'An invoice' })
  await openPanel(app, 'admin', '/support/ticket-rules')
  await screen.findByText(/^No rules yet/)
  await click('Add rule')
  await enterWord(1, 'One of these words', 'scanner')
  await click('Try on the last 100 tickets')
  await screen.findByText('Choose at least one change.')
  expect(screen.queryByRole('dialog')).toBeNull()
  await set(1, 'New priority', '1')
  await click('Try on the last 100 tickets')
  const trial = within(await screen.findByRole('dialog', { name: 'Try the rules' }))
  await trial.findByText('The rules fit 1 of the last 2 tickets. Nothing was changed.')
  expect(trial.getByRole('link').textContent).toBe(`The scanner stopped #${id}`)
  trial.getByText('Priority: Urgent')
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await click('Save ticket rules')
  await screen.findByText('Ticket rules saved.')
  const { data } = await app.as('admin').get(path)
  expect(data).toMatchObject({ version: 1, rules: [{ words: ['scanner'], new_priority: 1 }] })
  // The saved rules replace the form.
  await screen.findByText('0 tickets in 30 days')
})

test('an error of the server is shown at its field, and of two admins the second keeps their input', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', '/support/ticket-rules')
  await click('Add rule')
  await set(1, 'New priority', '2')
  await enterWord(1, 'One of these senders', 'hotel')
  await click('Save ticket rules')
  await (await rule(1)).findByText('Enter email addresses, or domains such as hotel.example.')
  fireEvent.click(
    within((await screen.findByText('hotel', { selector: '.mantine-Pill-label' })).parentElement!).getByRole(
      'button',
      { hidden: true },
    ),
  )
  await enterWord(1, 'One of these senders', 'hotel.example')
  const other = { version: 0, rules: [] }
  expect((await app.as('super_admin').post(path, other)).status).toBe(200)
  await click('Save ticket rules')
  await screen.findByText(/^Someone else changed the ticket rules/)
  await screen.findByText('hotel.example', { selector: '.mantine-Pill-label' })
})

test('Enter in the search for tags doesn’t save the rules', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'admin', '/support/ticket-rules')
  await click('Add rule')
  await enterWord(1, 'One of these words', 'scanner')
  await set(1, 'New priority', '1')
  const tags = await (await rule(1)).findByRole('combobox', { name: 'Added tags' })
  fill(tags, 'unknown')
  // A browser submits the form, unless the key was handled.
  expect(fireEvent.keyDown(tags, { key: 'Enter' })).toBe(false)
  expect(sent.some((one) => one.method === 'POST' && one.path === path)).toBe(false)
})

test('a rule that only marks as spam is refused at its field without criteria, and saved with one', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', '/support/ticket-rules')
  await click('Add rule')
  fireEvent.click(await (await rule(1)).findByRole('checkbox', { name: 'Mark as spam' }))
  await click('Save ticket rules')
  await (await rule(1)).findByText(/^Enter words or senders/)
  expect((await app.as('admin').get(path))['data']).toMatchObject({ version: 0 })
  await enterWord(1, 'One of these words', 'prize')
  await click('Save ticket rules')
  await screen.findByText('Ticket rules saved.')
  expect((await app.as('admin').get(path))['data'].rules).toMatchObject([
    { words: ['prize'], mark_spam: true, new_priority: null },
  ])
})

test('a rule that assigns is tried, turned off, and saved; a deactivated assignee is named', async () => {
  const app = await startTestApp()
  const { id: support } = app.as('support')
  const { name } = await app.db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', support)
    .executeTakeFirstOrThrow()
  await enterTicket(app.db)
  await openPanel(app, 'admin', '/support/ticket-rules')
  await click('Add rule')
  await enterWord(1, 'One of these words', 'scanner')
  await set(1, 'New assignee', String(support))
  await click('Try on the last 100 tickets')
  const trial = within(await screen.findByRole('dialog', { name: 'Try the rules' }))
  await trial.findByText(`Assignee: ${name}`)
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click((await rule(1)).getByRole('switch', { name: 'Rule 1 on' }))
  await (await rule(1)).findByText('Off')
  await click('Save ticket rules')
  await screen.findByText('Ticket rules saved.')
  expect((await app.as('admin').get(path))['data'].rules).toMatchObject([
    { words: ['scanner'], new_assignee_id: support, is_on: false },
  ])
  const now = app.clock.now().toISOString()
  await app.db
    .updateTable('staff')
    .set({ banned_at: now, deleted_at: now, deleted_by: app.as('admin').id })
    .where('id', '=', support)
    .execute()
  cleanup()
  await openPanel(app, 'admin', '/support/ticket-rules')
  await (await rule(1)).findByText(new RegExp(`^${name} was deactivated or can’t open tickets`))
})

test('the page is for admins', async () => {
  const { sent } = await openPanel(await startTestApp(), 'support', '/support/ticket-rules')
  await screen.findByText('Only admins can see and change ticket rules.')
  await waitFor(() => expect(sent.some((one) => one.path === path)).toBe(false))
})

test('a ticket’s page says that a rule sorted it', async () => {
  const app = await startTestApp()
  const any = { id: null, in_message: false, senders: [], category: null, organization_id: null, tag_ids: [] }
  const rules = [{ ...any, words: ['scanner'], new_category: 3, new_priority: null }]
  expect((await app.as('admin').post(path, { version: 0, rules })).status).toBe(200)
  const ticket = { title: 'The scanner stopped', message: '<p>It shows nothing.</p>' }
  const { data } = await app.as('admin').post('/admin/support/ticket', ticket)
  await openPanel(app, 'support', `/support/ticket/${data.id}/0`)
  const words = await screen.findByText(/by a ticket rule/)
  await waitFor(() => expect(words.textContent).toBe('set the category to Billing by a ticket rule'))
})
