import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/* Tabs of the ticket list: the user's queues and saved views. */

const tabs = () => within(screen.getByRole('group', { name: 'Queues' }))
const tab = (name: string | RegExp) => tabs().findByRole('button', { name })
const isCurrent = (one: HTMLElement) => one.getAttribute('aria-pressed') === 'true'

test('filters are saved as a queue, which counts its tickets, is left by another queue, and opens again', async () => {
  const app = await startTestApp()
  await enterTicket(app.db, { title: 'Roof', priority: 1 })
  await enterTicket(app.db, { title: 'Door', priority: 3 })
  const { address } = await openPanel(app, 'support', '/support?layout=table')
  expect(isCurrent(await tab(/^All/))).toBe(true)
  expect(tabs().queryByRole('button', { name: 'Save as queue' })).toBeNull()

  fireEvent.click(await screen.findByRole('button', { name: 'More filters' }))
  fireEvent.change(await screen.findByRole('combobox', { name: 'Priority' }), { target: { value: '1' } })
  fireEvent.click(await tab('Save as queue'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as queue' }))
  fill(dialog.getByRole('textbox', { name: /^Name/ }), 'On fire')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const own = await tab(/^On fire 1$/)
  await waitFor(() => expect(isCurrent(own)).toBe(true))
  expect(tabs().queryByRole('button', { name: 'Save as queue' })).toBeNull()

  fireEvent.click(await tab(/^Unassigned/))
  await waitFor(() => expect(address()).toContain('queue=unassigned'))
  expect(address()).not.toContain('priority')
  expect(isCurrent(await tab(/^On fire/))).toBe(false)

  // Its tab is the ninth.
  press('9', {}, document.body)
  await waitFor(() => expect(address()).toContain('priority=1'))
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Select Door' })).toBeNull())
  await screen.findByRole('checkbox', { name: 'Select Roof' })
  expect(isCurrent(await tab(/^On fire/))).toBe(true)
  expect(isCurrent(await tab(/^All/))).toBe(false)
})

test('emails that wait to be sorted are counted beside the queues, and open from there', async () => {
  const app = await startTestApp()
  await app.db
    .insertInto('received_mails')
    .values({ kind: 'message', message_id: 'one@new.example', state: 'unsorted', subject: 'Hello' })
    .execute()
  const { address } = await openPanel(app, 'support', '/support?layout=table')
  fireEvent.click(await tabs().findByRole('link', { name: 'Unsorted emails 1' }))
  await waitFor(() => expect(address()).toContain('/support/unsorted'))
})
