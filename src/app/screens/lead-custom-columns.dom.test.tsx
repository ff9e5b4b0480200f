import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsPath } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Custom fields as columns of the lead list, in its saved views, and in imports. */

const all = '/demo-leads?fromDate=all&toDate=all'
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const rowOf = (company: string) => screen.getByRole('rowheader', { name: company }).closest('tr')!.textContent

async function openLeads() {
  const app = await startTestApp()
  const machine = await addField(app, { name: 'Machine', type: 'choice', choices: ['Jensen', 'Elevator'] })
  const sites = await addField(app, { name: 'Sites', type: 'number' })
  const tender = await addField(app, { name: 'Tender', type: 'link' })
  const beds = await addField(app, { name: 'Beds', type: 'number' }, 2)
  const values = { [machine.id]: 2, [sites.id]: 1200, [tender.id]: 'https://a.example/7', [beds.id]: 5 }
  await enterLead(app.db, { company_name: 'Alder', custom_values: JSON.stringify(values) })
  await enterLead(app.db, { company_name: 'Birch' })
  const panel = await openPanel(app, 'crm', all)
  await screen.findByRole('rowheader', { name: 'Alder' })
  return { app, machine, ...panel }
}

/** Shows or hides a column in the menu. */
async function toggle(name: string) {
  if (!screen.queryByRole('menu', { name: 'Columns' }))
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const menu = within(await screen.findByRole('menu', { name: 'Columns' }))
  fireEvent.click(menu.getByRole('menuitemcheckbox', { name }))
}

test('a custom field can be shown as a column, which is remembered', async () => {
  const { reload } = await openLeads()
  expect(headers()).not.toContain('Sites')
  await toggle('Sites')
  await toggle('Machine')
  await toggle('Tender')
  await waitFor(() => expect(headers()).toEqual(expect.arrayContaining(['Machine', 'Sites', 'Tender'])))
  expect(rowOf('Alder')).toMatch(/Elevator1,200a\.example\/7/)
  expect(rowOf('Birch')).not.toContain('1,200')
  expect(screen.queryByRole('menuitemcheckbox', { name: 'Beds' })).toBeNull()
  reload()
  await waitFor(() => expect(headers()).toContain('Sites'))
})

test('the source and the website can be shown as columns', async () => {
  const app = await startTestApp()
  await enterLead(app.db, {
    company_name: 'Alder',
    hear_about: 'Webinar',
    company_url: 'https://alder.example',
  })
  await openPanel(app, 'crm', all)
  await screen.findByRole('rowheader', { name: 'Alder' })
  await toggle('Source')
  await toggle('Website')
  await waitFor(() => expect(headers()).toEqual(expect.arrayContaining(['Source', 'Website'])))
  expect(rowOf('Alder')).toMatch(/Webinar.*alder\.example|alder\.example.*Webinar/)
})

test('a view keeps its custom columns, and hides others', async () => {
  const { app, machine } = await openLeads()
  await toggle('Machine')
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save view' }))
  const form = within(await screen.findByRole('form', { name: 'Save view' }))
  fill(form.getByLabelText(/^Name/), 'Machines')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('View Machines saved.')
  const [view] = (await app.as('crm').get('/admin/views?list=leads'))['data']
  expect(view.shown_columns).toEqual([`custom_${machine.id}`])
  expect(view.hidden_columns).not.toContain('custom_2')

  await toggle('Machine')
  await toggle('Sites')
  await waitFor(() => expect(headers()).toContain('Sites'))
  const open = async () => {
    fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Machines' }))
  }
  await open()
  await waitFor(() => expect(headers()).toContain('Machine'))
  expect(headers()).not.toContain('Sites')
})

test('a view that was saved before custom fields has none of their columns, and one with a deleted field says so', async () => {
  const app = await startTestApp()
  await addField(app, { name: 'Sites', type: 'number' })
  await enterLead(app.db, { company_name: 'Alder' })
  const view = { list: 'leads', path: '/demo-leads', name: 'Old', address: { fromDate: 'all' } }
  await app.as('crm').post('/admin/views', { ...view, hidden_columns: ['email'] })
  await app.as('crm').post('/admin/views', { ...view, name: 'Gone', shown_columns: ['custom_999'] })
  await openPanel(app, 'crm', all)
  await screen.findByRole('rowheader', { name: 'Alder' })
  await toggle('Sites')
  await waitFor(() => expect(headers()).toContain('Sites'))
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Old' }))
  await waitFor(() => expect(headers()).not.toContain('Sites'))
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Gone' }))
  await screen.findByText(/^A column of this view can’t be shown/)
})

test('a column of an import maps to a custom field; one that was deleted is named, and must be mapped again', async () => {
  const app = await startTestApp()
  const sites = await addField(app, { name: 'Sites', type: 'number' })
  const ends = await addField(app, { name: 'Ends', type: 'date' })
  await addField(app, { name: 'Beds', type: 'number' }, 2)
  const bytes = 'Company,Sites,Contract\nAlder,4,3/4/2026'
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  const { data } = await app.as('crm').post('/admin/users/lead-imports', undefined, { form })
  const path = `/demo-leads/import?import=${data.id}`
  const { reload } = await openPanel(app, 'crm', path)
  const target = (column: string) => screen.getByLabelText<HTMLSelectElement>(`Lead field for ${column}`)
  const labels = (column: string) => [...target(column).options].map(({ text }) => text)
  await waitFor(() => expect(labels('Sites')).toContain('Ends'))
  expect(target('Sites').value).toBe(`custom_${sites.id}`)
  expect(labels('Sites')).not.toContain('Beds')
  fill(target('Contract'), `custom_${ends.id}`)
  fill(screen.getByLabelText('Day first or month first?'), 'month')
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  await screen.findByRole('button', { name: 'Import 1 row' })

  await app.as('super_admin').send('DELETE', `${fieldsPath}/${sites.id}`)
  reload()
  fireEvent.click(await screen.findByRole('button', { name: 'Edit mapping' }))
  await waitFor(() => expect(target('Sites').selectedOptions[0]!.text).toBe('Sites (deleted field)'))
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  await screen.findByText(/^“Sites” can’t be imported/)
  fill(target('Sites'), 'detail')
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  await screen.findByRole('button', { name: 'Import 1 row' })
})
