import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Filters of the lead list with several values, and the range of the amount. */

const filters = () => within(screen.getByRole('region', { name: 'Filters' }))
const names = () => screen.queryAllByRole('rowheader').map(({ textContent }) => textContent)
const active = () => screen.queryByRole('list', { name: 'Active filters' })?.textContent ?? ''
const press = (name: string) => fireEvent.click(filters().getByRole('button', { name }))
const severalOf = (label: string) => choose(() => filters().getByLabelText(label), 'Any of several')

async function open(address = '') {
  const app = await startTestApp()
  const crm = app.as('crm')
  await enterLead(app.db, {
    company_name: 'Alder',
    status: 1,
    assign_to: crm.id,
    amount: 10,
    currency: 'EUR',
  })
  await enterLead(app.db, {
    company_name: 'Birch',
    status: 2,
    hear_about: 'Webinar',
    amount: 500,
    currency: 'EUR',
  })
  await enterLead(app.db, { company_name: 'Cedar', status: 3, color: 2, hear_about: 'Trade show' })
  const panel = await openPanel(
    app,
    'crm',
    `/demo-leads?fromDate=all&toDate=all&column=companyName&direction=asc${address}`,
  )
  await screen.findByRole('region', { name: 'Filters' })
  return panel
}

test('a filter with several values shows leads with any of them, in the chip and the URL', async () => {
  const { address } = await open()
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch', 'Cedar']))
  await severalOf('Status')
  press('New')
  await waitFor(() => expect(names()).toEqual(['Alder']))
  press('Qualified')
  await waitFor(() => expect(names()).toEqual(['Alder', 'Cedar']))
  expect(active()).toContain('Status: New or Qualified')
  expect(address()).toContain('status_any')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Status: New or Qualified' }))
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch', 'Cedar']))
  // One value is still chosen as before.
  await choose(() => filters().getByLabelText('Status'), 'Contacted')
  await waitFor(() => expect(names()).toEqual(['Birch']))
  expect(address()).not.toContain('status_any')
})

test('assignees, sources, and priorities can be several, with those that have none', async () => {
  const { address } = await open()
  await waitFor(() => expect(names()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await filters().findByLabelText('Source')
  await severalOf('Source')
  press('No source')
  await waitFor(() => expect(active()).toContain('Source: No source'))
  press('Webinar')
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch']))
  expect(active()).toContain('Source: No source or Webinar')
  await severalOf('Assignee')
  press('Unassigned')
  await waitFor(() => expect(names()).toEqual(['Birch']))
  press('Paula Ferreira')
  await waitFor(() => expect(active()).toContain('Assignee: Unassigned or Paula Ferreira'))
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch']))
  expect(address()).toContain('assignee_any')
})

test('amounts are filtered by a range; what isn’t an amount says so and doesn’t apply', async () => {
  const { address } = await open()
  await waitFor(() => expect(names()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  const from = () => filters().getByLabelText('Amount from')
  await filters().findByLabelText('Amount from')
  fill(from(), 'many')
  fireEvent.blur(from())
  expect(filters().getByText(/^Enter an amount/)).toBeTruthy()
  expect(names()).toHaveLength(3)
  fill(from(), '1,0')
  fill(from(), '100')
  fireEvent.blur(from())
  await waitFor(() => expect(names()).toEqual(['Birch']))
  expect(active()).toContain('Amount: from 100')
  expect(address()).toContain('amount_from=100')
})
