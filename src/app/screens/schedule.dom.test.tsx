import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectNoneRefused, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'

/* The schedules of leads and onboardings: the user's own or the team's, of a product or of all. */

const path = '/demo-leads/demo-leads-schedule'
const now = '2026-03-19T08:00:00Z'
const final_date = '2026-03-20T12:00:00Z'

const group = (name: string) => within(screen.getByRole('group', { name }))
const toggle = (name: string) => screen.getByRole('button', { name })
const isPressed = (name: string) => toggle(name).getAttribute('aria-pressed') === 'true'
const entries = () =>
  [...document.querySelectorAll('main ol ol > li')].map((item) => within(item as HTMLElement))
const companies = () => entries().map((entry) => entry.getByRole('link').textContent)
const listed = (...expected: string[]) => waitFor(() => expect(companies().toSorted()).toEqual(expected))

async function openApp() {
  const app = await startTestApp({ now })
  const { as, db } = app
  const [crm, support] = [as('crm').id, as('support').id]
  await limitTo(app, 'crm', [1, 2])
  for (const [company_name, lead_for, assign_to] of [
    ['Alder', 1, crm],
    ['Birch', 1, support],
    ['Cedar', 2, crm],
    ['Dogwood', 3, crm],
  ] as const) {
    const lead_id = await enterLead(db, { company_name, lead_for, assign_to, timezone: zone })
    await db.insertInto('lead_demos').values({ lead_id, type: 'Demo', final_date, status: 2 }).execute()
  }
  return app
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

const limitTo = ({ as, db }: TestApp, role: 'crm' | 'data_entry', products: number[]) =>
  db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as(role).id)
    .where('product_id', 'not in', products)
    .execute()

test('the schedule has the team’s sessions or the user’s, in the address, and remembers the choice', async () => {
  const { address, go, sent } = await openPanel(await openApp(), 'crm', `${path}?from=2026-03-19`)
  await listed('Alder', 'Birch')
  expect([isPressed('Team'), isPressed('Mine')]).toEqual([true, false])
  fireEvent.click(toggle('Mine'))
  await listed('Alder')
  expect(address()).toContain('assigned_filter=mine')
  await go('/demo-leads')
  await go(`${path}?from=2026-03-19`)
  await listed('Alder')
  expect(isPressed('Mine')).toBe(true)
  // The address decides before what was chosen last.
  await go(`${path}?from=2026-03-19&assigned_filter=all`)
  await listed('Alder', 'Birch')
  press('m')
  await listed('Alder')
  expect(isPressed('Mine')).toBe(true)
  await expectNoneRefused({ sent })
})

test('all products are one choice, with the product of each entry; those of others are never shown', async () => {
  const { address, sent } = await openPanel(await openApp(), 'crm', `${path}?from=2026-03-19`)
  await listed('Alder', 'Birch')
  expect(entries()[0]!.queryByText('Linen')).toBeNull()
  fireEvent.click(group('Product').getByRole('button', { name: 'All products' }))
  await listed('Alder', 'Birch', 'Cedar')
  expect(address()).toContain('product_scope=all')
  const cedar = entries().find((entry) => entry.queryByRole('link', { name: 'Cedar' }))!
  expect(cedar.getByText('staffer')).toBeTruthy()
  const asked = sent.filter((one) => one.path.includes('demo-schedule'))
  expect(asked.at(-1)!.path).not.toContain('lead_for')
  expect(asked.filter((one) => one.path.includes('product_scope'))).toEqual([])
  fireEvent.click(toggle('Mine'))
  await listed('Alder', 'Cedar')
  expect(address()).toContain('product_scope=all')
  fireEvent.click(toggle('Week'))
  await screen.findByRole('region', { name: 'Week' })
  expect(screen.getByRole('link', { name: /Cedar/ }).textContent).toContain('staffer')
})

test('without sessions of the user, the schedule offers those of the team', async () => {
  const app = await openApp()
  await app.db
    .updateTable('leads')
    .set({ assign_to: app.as('support').id })
    .execute()
  await openPanel(app, 'crm', `${path}?from=2026-03-19&assigned_filter=mine`)
  fireEvent.click(await screen.findByRole('button', { name: 'Show the team’s sessions' }))
  await listed('Alder', 'Birch')
})

test('the customer’s local time is announced only if an entry has another one', async () => {
  const app = await openApp()
  const { go } = await openPanel(app, 'crm', `${path}?from=2026-03-19`)
  await listed('Alder', 'Birch')
  expect(screen.getByText(`Times are in ${zone}`)).toBeTruthy()
  await app.db.updateTable('leads').set({ timezone: 'Asia/Kathmandu' }).execute()
  await go(`${path}?from=2026-03-18`)
  await screen.findByText(`Times are in ${zone}, followed by the customer’s local time`)
})

test('the schedule of onboardings is the same page, with its own choice of all products', async () => {
  const app = await startTestApp({ now })
  const { as } = app
  await limitTo(app, 'data_entry', [1, 2])
  for (const [company_name, lead_for, host] of [
    ['Alder', 1, as('support').id],
    ['Birch', 2, as('data_entry').id],
  ] as const) {
    const { id } = await winLead(app, { company_name, lead_for })
    await as('super_admin').post('/admin/users/post-session', {
      lead_onboaring_id: id,
      type: 'Training',
      final_date,
      host_ids: [host],
    })
  }
  const schedule = '/on-boarding/demo-leads-schedule?from=2026-03-19'
  const { address, sent } = await openPanel(app, 'data_entry', schedule)
  await listed('Alder')
  expect(entries()[0]!.getByText('Tom Whitfield')).toBeTruthy()
  fireEvent.click(group('Product').getByRole('button', { name: 'All products' }))
  await listed('Alder', 'Birch')
  expect(address()).toContain('product_scope=all')
  fireEvent.click(toggle('Mine'))
  await listed('Birch')
  expect(entries()[0]!.getByText('staffer')).toBeTruthy()
  fireEvent.click(toggle('Week'))
  await screen.findByRole('region', { name: 'Week' })
  fireEvent.click(group('Product').getByRole('button', { name: 'Linen' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: /Birch/ })).toBeNull())
  await expectNoneRefused({ sent })
})
