import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Winning a lead from the menus that set its status. */

const wonStatus = 7
const statusOf = async ({ db }: TestApp) =>
  (await db.selectFrom('leads').select('status').orderBy('lead_id').execute()).map(({ status }) => status)

async function chooseWon(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^Status of ${name}`) }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Won' }))
}

test.each([
  '/demo-leads',
  '/demo-leads/lead/1',
  '/demo-leads/follow-ups?tab=today&assigned_filter=all&open=1',
])('%s: Won asks for the organization, and can do without', async (path) => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder', followup_date: '2026-03-16' })
  await openPanel(app, 'crm', path)
  await chooseWon('Alder')
  const dialog = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
  expect(await statusOf(app)).toEqual([1])
  fireEvent.click(dialog.getByRole('button', { name: 'Choose organization' }))
  await screen.findByRole('dialog', { name: 'Organization for Alder' })
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await statusOf(app)).toEqual([1])

  await chooseWon('Alder')
  const again = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
  fireEvent.click(again.getByRole('button', { name: 'Win without an organization' }))
  await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
})

async function openForm(name: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Edit ${name}` }))
  return within(await screen.findByRole('form', { name: `Edit ${name}` }))
}

test('the form of a lead saves everything but Won, and then asks for the organization', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder' })
  await openPanel(app, 'crm', '/demo-leads')
  const form = await openForm('Alder')
  fill(form.getByLabelText('Country'), 'Finland')
  fill(form.getByLabelText('Status'), String(wonStatus))
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Alder saved, without the status.')
  const dialog = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
  expect(await app.db.selectFrom('leads').select(['country', 'status']).execute()).toEqual([
    { country: 'Finland', status: 1 },
  ])
  fireEvent.click(dialog.getByRole('button', { name: 'Win without an organization' }))
  await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  // A lead that is won already is saved as it is.
  const again = await openForm('Alder')
  fill(again.getByLabelText('Country'), 'Norway')
  fireEvent.click(again.getByRole('button', { name: 'Save' }))
  await screen.findByText('Alder saved.')
})

test('a form that changes nothing but the status to Won only asks, and creates the organization', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder' })
  await openPanel(app, 'crm', '/demo-leads')
  const form = await openForm('Alder')
  fill(form.getByLabelText('Status'), String(wonStatus))
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
  expect(screen.queryByText(/^Alder saved/)).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Choose organization' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Create organization' }))
  await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
})

test('the form of a lead with an organization saves Won without a question', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db)
  await enterLead(app.db, { company_name: 'Alder', organization_id })
  await openPanel(app, 'crm', '/demo-leads')
  const form = await openForm('Alder')
  fill(form.getByLabelText('Status'), String(wonStatus))
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Alder saved.')
  expect(await statusOf(app)).toEqual([wonStatus])
})

test('a new lead that is Won is created first', async () => {
  const app = await startTestApp()
  await openPanel(app, 'crm', '/demo-leads')
  fireEvent.click((await screen.findAllByRole('button', { name: 'New lead' }))[0]!)
  const form = within(await screen.findByRole('form', { name: 'New lead' }))
  fill(form.getByLabelText(/^Company/), 'Alder')
  fill(form.getByLabelText(/^Product/), '1')
  fill(form.getByLabelText('Status'), String(wonStatus))
  fireEvent.click(form.getByRole('button', { name: 'Create lead' }))
  await screen.findByText('Alder created, without the status.')
  const dialog = within(await screen.findByRole('dialog', { name: 'Won: Alder' }))
  expect(await statusOf(app)).toEqual([1])
  fireEvent.click(dialog.getByRole('button', { name: 'Win without an organization' }))
  await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
})

test('a bulk change to Won asks first', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder' })
  await openPanel(app, 'crm', '/demo-leads')
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select Alder' }))
  const bar = within(await screen.findByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await bar.findByRole('button', { name: 'Status' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Won' }))
  await screen.findByText('Win 1 lead without an organization?')
  expect(await statusOf(app)).toEqual([1])
  fireEvent.click(screen.getByRole('button', { name: 'Proceed' }))
  await waitFor(async () => expect(await statusOf(app)).toEqual([wonStatus]))
})
