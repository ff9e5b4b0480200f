import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The mapping of an import, and its preview with the values that it will store. */

async function openImport(app: TestApp, bytes: string) {
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await app.as('crm').post('/admin/users/lead-imports', undefined, { form })
  const panel = await openPanel(app, 'crm', `/demo-leads/import?import=${data.id}`)
  await screen.findByRole('button', { name: 'Preview import' })
  return panel
}
const preview = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  await screen.findByRole('heading', { name: '3. Preview' })
}
const cellsOf = (company: string) =>
  within(screen.getByRole('rowheader', { name: company }).closest('tr')!)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent)

test('an edited export names the columns that aren’t imported, before the preview and in it, and shows what changes', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  await enterLead(app.db, { company_name: 'Aalto Linen', assign_to: crm.id, amount: 1500, currency: 'EUR' })
  const file = (await crm.get('/admin/users/export-leads?fromDate=all&toDate=all')).text
  await openImport(app, file.replace('Paula Ferreira', 'Bob Builder').replace('1500', '2750.5'))
  const skipped =
    'These columns aren’t imported: Product, Reject reason, Reason, Imported details, Other contacts.'
  screen.getByText(skipped)
  expect(screen.getByLabelText<HTMLSelectElement>('Lead field for Assignee').value).toBe('assign_to')
  expect(screen.getByLabelText<HTMLSelectElement>('Decimals').value).toBe('point')
  await preview()
  screen.getByText(skipped)
  screen.getByText(/^Not found among the admin users: Bob Builder\. Their rows are errors\./)
  await screen.findByText('Assignee: No admin user has the name or email “Bob Builder”.')
  fireEvent.click(screen.getByRole('button', { name: 'Edit mapping' }))
  await choose(() => screen.getByLabelText('Rows with unknown names'), 'Unassigned')
  await preview()
  await screen.findByText('Updates Assignee, Amount. No admin user is “Bob Builder”: unassigned.')
  await waitFor(() => expect(cellsOf('Aalto Linen')).toContain('Paula Ferreira —'))
  expect(cellsOf('Aalto Linen')).toContain('1,500 2,750.50')
})

test('fields are set for all rows, and the rows show them', async () => {
  const app = await startTestApp()
  await openImport(app, 'Company,Tags\nAlder,Hospital\nBirch,\n')
  const all = () => within(screen.getByRole('region', { name: 'Values for all rows' }))
  await screen.findByRole('region', { name: 'Values for all rows' })
  for (const field of ['Assignee', 'Priority', 'Tags', 'Follow-up date'])
    await choose(() => all().getByLabelText('Set a field for all rows'), field)
  await choose(() => all().getByLabelText('Assignee'), 'Paula Ferreira')
  await choose(() => all().getByLabelText('Priority'), 'Medium')
  fireEvent.click(all().getByRole('button', { name: 'Remove Follow-up date' }))
  fill(all().getByLabelText('New tags'), 'From Oslo')
  fireEvent.blur(all().getByLabelText('New tags'))
  await preview()
  screen.getByText('New tag: From Oslo.')
  await screen.findByRole('rowheader', { name: 'Birch' })
  await waitFor(() => expect(cellsOf('Birch')).toContain('From Oslo'))
  expect(cellsOf('Alder')).toEqual(
    expect.arrayContaining(['Hospital, From Oslo', 'Paula Ferreira', 'Medium']),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Edit mapping' }))
  expect(all().getByLabelText<HTMLSelectElement>('Priority').value).toBe('Medium')
})

test('rows with the company of a lead are left out until the user decides otherwise', async () => {
  const app = await startTestApp()
  const lead_id = await enterLead(app.db, { company_name: 'Kärcher AG' })
  await openImport(app, 'Company\nKarcher GmbH\nBirch\n')
  await preview()
  const reason = `Possible duplicate: lead ${lead_id}, “Kärcher AG”, has the same company name.`
  await screen.findByText(reason)
  screen.getByRole('button', { name: /^1 Duplicates/ })
  screen.getByRole('button', { name: 'Import 1 row' })
  fireEvent.click(screen.getByRole('button', { name: 'Import them as new leads' }))
  await screen.findByRole('button', { name: 'Import 2 rows' })
  screen.getByText(reason)
  fireEvent.click(screen.getByRole('button', { name: 'Leave them out' }))
  await screen.findByRole('button', { name: 'Import 1 row' })
})

test('the format of amounts is shown, and can be changed', async () => {
  const app = await startTestApp()
  await openImport(app, 'Company;Amount\nAalto;1.500 €\n')
  expect(screen.getByLabelText<HTMLSelectElement>('Decimals').value).toBe('comma')
  await preview()
  screen.getByText('Decimals in “Amount”: Comma: 1.500,00')
  await waitFor(() => expect(cellsOf('Aalto')).toEqual(expect.arrayContaining(['1,500', 'EUR'])))
  fireEvent.click(screen.getByRole('button', { name: 'Edit mapping' }))
  await choose(() => screen.getByLabelText('Decimals'), 'Point: 1,500.00')
  await preview()
  await screen.findByRole('button', { name: /^1 Errors/ })
})
