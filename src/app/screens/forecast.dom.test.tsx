import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, testNow } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/demo-leads/forecast'
const month = testNow.slice(0, 7)

test('the forecast shows a currency at a time, and its numbers lead to their leads', async () => {
  const app = await startTestApp()
  const deal = { status: 3, amount: 1000, currency: 'EUR', expected_close: `${month}-20` }
  await enterLead(app.db, { ...deal, company_name: 'Aalto' })
  await enterLead(app.db, { ...deal, company_name: 'Birch', recurring: 'monthly', expected_close: null })
  await enterLead(app.db, { ...deal, company_name: 'Cedar', currency: 'USD', amount: 5 })
  await enterLead(app.db, { company_name: 'Dogwood' })
  const { address } = await openPanel(app, 'crm', path)
  const months = within(await screen.findByRole('table', { name: /^By month/ }))
  const undated = months.getByRole('rowheader', { name: 'No date' }).closest('tr')!
  expect(undated.textContent).toBe('No date112,000 EUR3,000 EUR')
  screen.getByText('Without amount:')
  await choose(() => screen.getByRole('combobox', { name: 'Currency' }), 'USD')
  await screen.findByRole('cell', { name: '5 USD' })
  expect(address()).toMatch(/currency=USD/)
  const link = within(await screen.findByRole('table', { name: /^By month/ })).getByRole('link')
  fireEvent.click(link)
  await screen.findByRole('rowheader', { name: 'Cedar' })
  expect(screen.queryByRole('rowheader', { name: 'Aalto' })).toBeNull()
  expect(address()).toMatch(/close_from=.*close_to=/)
})

test('without amounts the page says what to enter', async () => {
  const app = await startTestApp()
  await enterLead(app.db)
  await openPanel(app, 'crm', path)
  await screen.findByText('No amounts yet')
})

test('the forecast needs the permission for the list of leads', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'editor', path)
  await screen.findByText(/permission/)
  expect(sent.filter((one) => one.path.includes('lead-forecast'))).toEqual([])
})

test('all products are one choice, each with its own line, and currencies are not added', async () => {
  const app = await startTestApp()
  const deal = { status: 3, amount: 1000, currency: 'EUR' }
  await enterLead(app.db, { ...deal, company_name: 'Aalto' })
  await enterLead(app.db, { ...deal, company_name: 'Birch', lead_for: 2 })
  await enterLead(app.db, { ...deal, company_name: 'Cedar', currency: 'USD', amount: 5 })
  const { address } = await openPanel(app, 'crm', path)
  const currencies = within(await screen.findByRole('table', { name: /^By currency/ }))
  expect(screen.queryByRole('table', { name: /^By product/ })).toBeNull()
  expect(currencies.queryByText('All')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'All products' }))
  const products = within(await screen.findByRole('table', { name: /^By product/ }))
  const row = products.getByRole('rowheader', { name: 'staffer' }).closest('tr')!
  expect(row.textContent).toBe('staffer11,000 EUR250 EUR00 EUR')
  expect(products.getByRole('rowheader', { name: 'All' }).closest('tr')!.textContent).toBe(
    'All22,000 EUR500 EUR00 EUR',
  )
  fireEvent.click(within(row).getByRole('link'))
  await screen.findByRole('rowheader', { name: 'Birch' })
  expect(screen.queryByRole('rowheader', { name: 'Aalto' })).toBeNull()
  expect(address()).toMatch(/product_scope=all/)
})
