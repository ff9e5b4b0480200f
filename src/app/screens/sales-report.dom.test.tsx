import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, testNow, type TestApp } from '#app/testing/start.testing.ts'
import { savedFiles } from '#app/screens/saved-files.testing.ts'
import { addDays, mondayOf } from '#shared/dates.ts'
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
  const funnel = within(await screen.findByRole('table', { name: /^Funnel by events/ }))
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
  await screen.findByRole('table', { name: /^Funnel by events/ })
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

test('all products are one choice, each with its own line, which opens its leads', async () => {
  const app = await startTestApp()
  await enterPipeline(app)
  await enterLead(app.db, { company_name: 'Ginkgo', lead_for: 2, created_at: '2026-03-10T08:00:00Z' })
  const { address, main } = await openPanel(app, 'admin', path)
  await screen.findByRole('table', { name: /^Funnel by events/ })
  expect(screen.queryByRole('table', { name: /^By product/ })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'All products' }))
  const products = within(await screen.findByRole('table', { name: /^By product/ }))
  expect(address()).toContain('product_scope=all')
  const ofStaffer = await products.findByRole('link', { name: '1: Came in, staffer' })
  expect(products.getByRole('link', { name: '6: Came in, Linen' }).textContent).toBe('6')
  within(screen.getByRole('table', { name: /^By currency/ })).getByRole('rowheader', { name: 'USD' })
  fireEvent.click(ofStaffer)
  await screen.findByRole('rowheader', { name: 'Ginkgo' })
  expect(screen.queryByRole('rowheader', { name: 'Aalto' })).toBeNull()
  // The list shows all products, filtered by one, which can be cleared.
  expect(address()).toMatch(/lead_for=2/)
  fireEvent.click(main().getByRole('button', { name: /Product: staffer/ }))
  await screen.findByRole('rowheader', { name: 'Aalto' })
})

test('a call is counted for its caller, and the number opens the lead', async () => {
  const app = await startTestApp()
  const lead_id = await enterLead(app.db, { company_name: 'Aalto' })
  await enterLead(app.db, { company_name: 'Birch' })
  for (const outcome of [1, 2])
    await app.db
      .insertInto('lead_calls')
      .values({ lead_id, called_by: app.as('crm').id, outcome, called_at: '2026-03-10T09:00:00Z' })
      .execute()
  await openPanel(app, 'crm', path)
  const done = within(await screen.findByRole('table', { name: /^Calls, emails/ }))
  fireEvent.click(done.getByRole('link', { name: /^2: Called, (?!all).*\(1 lead\)$/ }))
  await screen.findByRole('rowheader', { name: 'Aalto' })
  expect(screen.queryByRole('rowheader', { name: 'Birch' })).toBeNull()
  screen.getByText(/^Called, .*9.*12 Mar 2026$/)
})

test('the new leads of the period have a separate funnel, whose numbers open them', async () => {
  const app = await startTestApp()
  await enterPipeline(app)
  const { address } = await openPanel(app, 'crm', path)
  const cohort = within(await screen.findByRole('table', { name: /^Funnel of new leads/ }))
  fireEvent.click(cohort.getByRole('link', { name: '2: Reached until now, Won' }))
  await screen.findByRole('rowheader', { name: 'Birch' })
  expect(screen.queryByRole('rowheader', { name: 'Cedar' })).toBeNull()
  expect(address()).toMatch(/fromDate=2026-03-09/)
})

test('each table is exported on its own, and all of them together', async () => {
  const app = await startTestApp()
  await enterPipeline(app)
  const { sent } = await openPanel(app, 'crm', path)
  await screen.findByRole('table', { name: /^Funnel by events/ })
  const files = savedFiles()
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV: By source' }))
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['sales report, sources.csv']))
  expect(await files[0]!.file.text()).toMatch(/No source,6,0,2,1/)
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(files.map(({ name }) => name)[1]).toBe('sales report.zip'))
  expect(sent.filter((one) => one.path.includes('/export'))).toHaveLength(2)
})

test('the period can be this week or the last one', async () => {
  const app = await startTestApp()
  const { address } = await openPanel(app, 'crm', '/demo-leads/report')
  fireEvent.click(await screen.findByRole('button', { name: /^Period:/ }))
  fireEvent.click(await screen.findByRole('button', { name: 'Last week' }))
  const monday = addDays(mondayOf(testNow.slice(0, 10)), -7)
  await waitFor(() => expect(address()).toContain(`from=${monday}`))
  expect(address()).toContain(`to=${addDays(monday, 6)}`)
})
