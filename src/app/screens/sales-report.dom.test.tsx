import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/demo-leads/report?from=2026-03-09&to=2026-03-12'

/** Enters six leads, five of them contacted, two of these won in different currencies, and one rejected. */
async function enterPipeline({ as, db }: TestApp): Promise<void> {
  const set = (id: number, status: number, day: string) =>
    db
      .updateTable('leads')
      .set({ status, status_at: `2026-03-${day}T09:00:00Z` })
      .where('lead_id', '=', id)
      .execute()
  for (const [index, name] of ['Aalto', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir'].entries()) {
    const id = await enterLead(db, {
      company_name: name,
      assign_to: as('crm').id,
      amount: 1000,
      currency: index === 1 ? 'USD' : 'EUR',
      created_at: '2026-03-10T08:00:00Z',
    })
    if (index < 5) await set(id, 2, '10')
    if (index < 2) await set(id, 7, '12')
    if (index === 2) await set(id, 8, '11')
  }
}

test('each number of the sales report opens its leads, and one currency is shown at a time', async () => {
  const app = await startTestApp()
  await enterPipeline(app)
  const { address } = await openPanel(app, 'crm', path)
  const funnel = within(await screen.findByRole('table', { name: /^Funnel/ }))
  const cellsOf = (name: string) =>
    [...funnel.getByRole('rowheader', { name }).closest('tr')!.querySelectorAll('td')].map(
      ({ textContent }) => textContent,
    )
  expect(cellsOf('New').slice(0, 3)).toEqual(['6', '', ''])
  expect(cellsOf('Contacted').slice(0, 2)).toEqual(['5', '83%'])
  // Too few leads were qualified for a rate.
  expect(cellsOf('Demo scheduled')[1]).toBe('')
  screen.getByRole('link', { name: /^Amount won 1,000 EUR/ })
  await choose(() => screen.getByRole('combobox', { name: 'Amounts in' }), 'USD')
  await screen.findByRole('link', { name: /^Amount won 1,000 USD/ })
  expect(address()).toMatch(/currency=USD/)
  fireEvent.click(funnel.getByRole('link', { name: '2: Reached, Won' }))
  await screen.findByRole('rowheader', { name: 'Aalto' })
  screen.getByRole('rowheader', { name: 'Birch' })
  expect(screen.queryByRole('rowheader', { name: 'Cedar' })).toBeNull()
  screen.getByText(/^Won, .*9.*12 Mar 2026$/)
})

test.each([
  ['crm', false],
  ['admin', true],
] as const)('%s can choose the numbers of others: %s', async (role, may) => {
  const app = await startTestApp()
  await openPanel(app, role, path)
  await screen.findByRole('table', { name: /^Funnel/ })
  const assignee = screen.getByRole('combobox', { name: 'Assignee' })
  fireEvent.click(assignee)
  await screen.findByRole('option', { name: 'Unassigned' })
  expect(screen.queryAllByRole('option', { name: 'Paula Ferreira' })).toHaveLength(may ? 1 : 0)
})

test('the sales report needs the permission for the list of leads', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'editor', path)
  await screen.findByText(/permission/)
  expect(sent.filter((one) => one.path.includes('sales-report'))).toEqual([])
})
