import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

test('the lead list ends with its number of leads and the sum of their amounts in each currency', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder', amount: 1000, currency: 'EUR', recurring: 'monthly' })
  await enterLead(app.db, { company_name: 'Birch', amount: 500.5, currency: 'EUR' })
  await enterLead(app.db, { company_name: 'Cedar', amount: 9000, currency: 'USD', status: 2 })
  await enterLead(app.db, { company_name: 'Dune' })
  const { go } = await openPanel(app, 'crm', '/demo-leads')
  const summary = async () => within(await screen.findByRole('region', { name: 'Summary' }))
  const sums = async () =>
    within(await (await summary()).findByRole('list', { name: 'Amounts in the first year' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  await (await summary()).findByText('4 leads')
  expect(await sums()).toEqual(['12,500.50 EUR', '9,000 USD'])
  await go('/demo-leads?status=2')
  await (await summary()).findByText('1 lead')
  await waitFor(async () => expect(await sums()).toEqual(['9,000 USD']))
  await go('/demo-leads?search=dune')
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Amounts in the first year' })).toBeNull())
})
