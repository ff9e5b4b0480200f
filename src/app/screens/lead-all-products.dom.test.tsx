import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The lead list with the leads of all products of the user. */

const names = () => screen.queryAllByRole('rowheader').map(({ textContent }) => textContent)
const listed = (...expected: string[]) => waitFor(() => expect(names().toSorted()).toEqual(expected))
const scope = (name: string) =>
  within(screen.getByRole('group', { name: 'Product' })).getByRole('button', { name })

const limitTo = ({ as, db }: TestApp, products: number[]) =>
  db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', 'not in', products)
    .execute()

test('all products are one choice beside them, with the product as a column, in the address', async () => {
  const app = await startTestApp()
  await limitTo(app, [1, 2])
  await enterLead(app.db, { company_name: 'Alder' })
  await enterLead(app.db, { company_name: 'Birch', lead_for: 2 })
  await enterLead(app.db, { company_name: 'Cedar', lead_for: 3 })
  const { address, sent } = await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all')
  await listed('Alder')
  expect(screen.queryByRole('columnheader', { name: /Product/ })).toBeNull()
  fireEvent.click(scope('All products'))
  await listed('Alder', 'Birch')
  expect(address()).toContain('product_scope=all')
  expect(scope('All products').getAttribute('aria-pressed')).toBe('true')
  expect(scope('Linen').getAttribute('aria-pressed')).toBe('false')
  await screen.findByRole('columnheader', { name: /Product/ })
  await screen.findByRole('cell', { name: 'staffer' })
  expect(localStorage.getItem('product')).not.toBe('0')

  // All that match are those of both products, and the CSV has them too.
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select Alder' }))
  await screen.findByRole('group', { name: 'Selected rows' })
  const lists = sent.filter(({ path }) => path.startsWith('/admin/users/get-demo-requests'))
  expect(lists.at(-1)!.path).not.toContain('lead_for')
  expect(sent.filter(({ path }) => path.includes('product_scope'))).toEqual([])

  // The button of a product leads back, also that of the stored one.
  fireEvent.click(scope('Linen'))
  await listed('Alder')
  expect(address()).not.toContain('product_scope')
})

test('users of one product have no such choice', async () => {
  const app = await startTestApp()
  await limitTo(app, [1])
  await enterLead(app.db, { company_name: 'Alder' })
  await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all')
  await listed('Alder')
  expect(screen.queryByRole('button', { name: 'All products' })).toBeNull()
})

test('a lead of another product has its own product as the active one; choosing another leads to the list', async () => {
  const app = await startTestApp()
  await limitTo(app, [1, 2])
  await enterLead(app.db, { company_name: 'Alder' })
  await enterLead(app.db, { company_name: 'Birch', lead_for: 2 })
  const { address, go } = await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all&product_scope=all')
  await listed('Alder', 'Birch')
  const pressed = () =>
    within(screen.getByRole('group', { name: 'Product' }))
      .getAllByRole('button', { pressed: true })
      .map(({ textContent }) => textContent)
  fireEvent.click(screen.getByRole('link', { name: 'Birch' }))
  await screen.findByRole('heading', { level: 1, name: 'Birch' })
  await waitFor(() => expect(pressed()).toEqual(['staffer']))
  // The chosen product stays for the lists.
  expect(localStorage.getItem('product')).toBe('1')
  await go('/demo-leads?fromDate=all&toDate=all')
  await listed('Alder')
  expect(pressed()).toEqual(['Linen'])

  await go('/demo-leads?fromDate=all&toDate=all&product_scope=all')
  await listed('Alder', 'Birch')
  fireEvent.click(screen.getByRole('link', { name: 'Birch' }))
  await screen.findByRole('heading', { level: 1, name: 'Birch' })
  await waitFor(() => expect(pressed()).toEqual(['staffer']))
  fireEvent.click(scope('Linen'))
  await screen.findByRole('heading', { level: 1, name: 'Leads' })
  expect(address()).toBe('/demo-leads')
  expect(pressed()).toEqual(['Linen'])
})
