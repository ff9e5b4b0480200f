import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, filterByChoices, openChoices, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Filters of the lead list by choices, and those that are typed. */

const filters = () => within(screen.getByRole('region', { name: 'Filters' }))
const names = () => screen.queryAllByRole('rowheader').map(({ textContent }) => textContent)
const active = () => screen.queryByRole('list', { name: 'Active filters' })?.textContent ?? ''

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
    country: 'Norway',
    contact_role: 'Owner',
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

const chips = (text: string) => waitFor(() => expect(active()).toContain(text))

test('a filter has any of several values or none of them, in the chip and the URL', async () => {
  const { address, sent } = await open()
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch', 'Cedar']))
  const box = await openChoices(filters(), 'Status')
  fireEvent.click(box.getByRole('checkbox', { name: 'New' }))
  await waitFor(() => expect(names()).toEqual(['Alder']))
  // A single value has the name that it always had.
  expect(address()).toMatch(/status=1(&|$)/)
  fireEvent.click(box.getByRole('checkbox', { name: 'Qualified' }))
  await waitFor(() => expect(names()).toEqual(['Alder', 'Cedar']))
  await chips('Status: New or Qualified')
  expect(address()).toContain('status_any')

  // The same values are left out, and the box stays open.
  fireEvent.click(box.getByRole('button', { name: 'is not' }))
  await waitFor(() => expect(names()).toEqual(['Birch']))
  await chips('Status: not New or Qualified')
  expect(address()).toContain('status_not')
  expect(address()).not.toContain('status_any')
  fireEvent.click(box.getByRole('checkbox', { name: 'Qualified' }))
  await waitFor(() => expect(names()).toEqual(['Birch', 'Cedar']))
  fireEvent.keyDown(box.getByRole('checkbox', { name: 'New' }), { key: 'Escape' })
  const button = filters().getByRole('button', { name: 'Status: not New' })
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Status: not New' }))
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch', 'Cedar']))
  expect(sent.every(({ status }) => status !== 422)).toBe(true)
})

test('the search of a box finds options by the keyboard, and unknown values of the URL can be removed', async () => {
  const { address } = await open('&country_any[]=Atlantis&country_any[]=Norway&status_any=1,2&status_not=2')
  await waitFor(() => expect(active()).toContain('Country: Atlantis or Norway'))
  // A view can have both.
  await chips('Status: New or Contacted, not Contacted')
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
  await waitFor(() => expect(names()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))

  const currency = await openChoices(filters(), 'Currency')
  const search = currency.getByRole('searchbox', { name: 'Search Currency' })
  fill(search, 'eu')
  expect(currency.getAllByRole('checkbox').map((one) => one.parentElement?.textContent)).toEqual(['EUR'])
  fireEvent.keyDown(search, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(currency.getByRole('checkbox', { name: 'EUR' }))
  fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(search)
  fireEvent.keyDown(search, { key: 'Enter' })
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch']))
  expect(address()).toContain('currency=EUR')
  fill(search, 'zzz')
  expect(currency.getByRole('status').textContent).toBe('No option matches.')
  fireEvent.keyDown(search, { key: 'Escape' })

  const country = await openChoices(filters(), 'Country')
  fireEvent.click(await country.findByRole('checkbox', { name: 'Norway' }))
  await waitFor(() => expect(names()).toEqual(['Birch']))
  fireEvent.click(country.getByRole('button', { name: 'is not' }))
  await waitFor(() => expect(names()).toEqual(['Alder']))
  await chips('Country: not Norway')
})

test('assignees, sources, and tags can be several, with those that have none', async () => {
  const { address } = await open()
  await waitFor(() => expect(names()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await filterByChoices(filters(), 'Source', 'No source', 'Webinar')
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch']))
  await chips('Source: No source or Webinar')
  await filterByChoices(filters(), 'Assignee', 'Unassigned')
  await waitFor(() => expect(names()).toEqual(['Birch']))
  await filterByChoices(filters(), 'Assignee', 'Paula Ferreira')
  await chips('Assignee: Unassigned or Paula Ferreira')
  await waitFor(() => expect(names()).toEqual(['Alder', 'Birch']))
  expect(address()).toContain('assignee_any')
  // The user and anyone go without others, and can’t be left out; others can beside them.
  const box = await openChoices(filters(), 'Assignee')
  fireEvent.click(box.getByRole('checkbox', { name: 'Assigned' }))
  await chips('Assignee: Assigned')
  await waitFor(() => expect(names()).toEqual(['Alder']))
  fireEvent.click(box.getByRole('button', { name: 'is not' }))
  expect(box.queryByRole('checkbox', { name: 'Assigned' })).toBeNull()
  fireEvent.click(box.getByRole('checkbox', { name: 'Paula Ferreira' }))
  await chips('Assignee: Assigned, not Paula Ferreira')
  await waitFor(() => expect(names()).toEqual([]))
  fireEvent.click(box.getByRole('button', { name: 'is' }))
  await chips('Assignee: Paula Ferreira')
  await waitFor(() => expect(names()).toEqual(['Alder']))
})

test('the panel finds a filter by its name', async () => {
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  const search = filters().getByRole('searchbox', { name: 'Find a filter' })
  fill(search, 'coun')
  expect(filters().queryByLabelText('Event')).toBeNull()
  expect(filters().getByRole('button', { name: 'Country: Any country' })).toBeTruthy()
  fireEvent.keyDown(search, { key: 'Enter' })
  expect(document.activeElement).toBe(filters().getByRole('button', { name: 'Country: Any country' }))
  fill(search, 'zzz')
  expect(filters().getByText('No filter has this name.')).toBeTruthy()
  fireEvent.keyDown(search, { key: 'Escape' })
  expect(filters().getByLabelText('Event')).toBeTruthy()
})

test('days without activity and a contact’s role are typed, and say what is wrong with them', async () => {
  const { address } = await open()
  await waitFor(() => expect(names()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  await choose(() => filters().getByLabelText('Activity'), 'None for other days')
  const days = await filters().findByLabelText('Days without activity')
  fill(days, '4000')
  fireEvent.blur(days)
  expect(filters().getByText('Enter 3650 or less.')).toBeTruthy()
  expect(address()).not.toContain('untouched_days')
  fill(days, '400')
  fireEvent.blur(days)
  await chips('Activity: none for 400 days')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Activity: none for 400 days' }))
  await waitFor(() => expect(names()).toHaveLength(3))
  const role = filters().getByLabelText('Contact role')
  fill(role, 'owner')
  fireEvent.keyDown(role, { key: 'Enter' })
  await waitFor(() => expect(names()).toEqual(['Birch']))
  await chips('Contact role: owner')
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
