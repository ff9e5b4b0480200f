import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Fields of a whole lead, and imported details, as columns of the lead list. */

const all = '/demo-leads?fromDate=all&toDate=all'
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const rowOf = (company: string) => screen.getByRole('rowheader', { name: company }).closest('tr')!.textContent

/** Shows columns in the menu. */
async function show(...names: string[]) {
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const menu = within(await screen.findByRole('menu', { name: 'Columns' }))
  for (const name of names) fireEvent.click(menu.getByRole('menuitemcheckbox', { name }))
}

async function openLeads(path = all) {
  const app = await startTestApp()
  await enterLead(app.db, {
    company_name: 'Alder',
    timezone: 'America/Halifax',
    created_at: '2026-03-16T09:00:00Z',
    reference: 'K-17',
    additional_info: 'Two laundries near the harbor.',
    cog_types: ['Linen', 'Uniforms'],
    details: JSON.stringify([{ label: 'Region', value: 'Atlantic' }]),
  })
  await enterLead(app.db, {
    company_name: 'Birch',
    lead_for: 2,
    details: JSON.stringify([{ label: 'Fleet', value: '12 vans' }]),
  })
  const panel = await openPanel(app, 'crm', path)
  await screen.findByRole('rowheader', { name: 'Alder' })
  return { app, ...panel }
}

test('fields that only a whole lead has can be columns', async () => {
  const { app, reload } = await openLeads()
  await show('Time zone', 'External ID', 'Additional info', 'Types of goods', 'Created', 'Last activity')
  await waitFor(() => expect(rowOf('Alder')).toContain('America/Halifax'))
  expect(rowOf('Alder')).toMatch(/K-17/)
  expect(rowOf('Alder')).toContain('Two laundries near the harbor.')
  expect(rowOf('Alder')).toContain('Linen, Uniforms')
  expect(rowOf('Alder')).toMatch(/1 hr\. ago.*1 hr\. ago/)
  await app.db
    .updateTable('leads')
    .set({ timezone: 'Europe/Rome' })
    .where('company_name', '=', 'Alder')
    .execute()
  reload()
  await waitFor(() => expect(rowOf('Alder')).toContain('Europe/Rome'))
})

test('imported details of the product can be columns', async () => {
  await openLeads()
  await show('Region')
  await waitFor(() => expect(rowOf('Alder')).toContain('Atlantic'))
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Fleet' })).toBeNull()
})

test('with all products, the imported details of each can be columns', async () => {
  await openLeads(`${all}&product_scope=all`)
  await show('Region', 'Fleet')
  await waitFor(() => expect(rowOf('Birch')).toContain('12 vans'))
  expect(rowOf('Alder')).toContain('Atlantic')
})

test('columns that can’t be loaded say so', async () => {
  const { intercept } = await openLeads()
  const answerAgain = intercept('GET', /lead-columns/, () => ({ status: 500, body: { message: 'Failed.' } }))
  await show('Reject reason')
  const line = await screen.findByRole('alert')
  expect(line.textContent).toContain('Some columns couldn’t be loaded.')
  answerAgain()
  fireEvent.click(within(line).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(screen.queryByText(/Some columns/)).toBeNull())
})

test('a viewer who can’t see a whole lead has only the columns of the list', async () => {
  const app = await startTestApp()
  await enterLead(app.db, {
    company_name: 'Alder',
    details: JSON.stringify([{ label: 'Region', value: 'x' }]),
  })
  await sql`delete from role_permissions where permission = 'lead_detail' and role_id <> 0`.execute(app.db)
  await openPanel(app, 'crm', all)
  await screen.findByRole('rowheader', { name: 'Alder' })
  await show('Country')
  await waitFor(() => expect(headers()).toContain('Country'))
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Time zone' })).toBeNull()
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Region' })).toBeNull()
})
