import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The form of a new lead: whose it is, what it may be a duplicate of, and how it is undone. */

async function openForm() {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Alder', phone: '+49 40 1234567' })
  await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all')
  await screen.findByRole('rowheader', { name: 'Alder' })
  fireEvent.click(screen.getByRole('button', { name: 'New lead' }))
  const form = within(await screen.findByRole('dialog', { name: 'New lead' }))
  await form.findByLabelText(/^Company/)
  const create = (company: string) => {
    fill(form.getByLabelText(/^Company/), company)
    fireEvent.click(form.getByRole('button', { name: 'Create lead' }))
  }
  const leadOf = (company_name: string) =>
    app.db.selectFrom('leads').selectAll().where('company_name', '=', company_name).executeTakeFirst()
  return { app, form, create, leadOf }
}

test('a new lead is its creator’s, and its creation is undone from the toast', async () => {
  const { app, form, create, leadOf } = await openForm()
  const me = app.as('crm').id
  expect(form.getByLabelText<HTMLSelectElement>('Assignee').value).toBe(String(me))
  create('Birch')
  await screen.findByRole('rowheader', { name: 'Birch' })
  expect(await leadOf('Birch')).toMatchObject({ assign_to: me, deleted_at: null })
  await clickUndo(/^Birch created\./)
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'Birch' })).toBeNull())
  expect((await leadOf('Birch'))!.deleted_at).not.toBeNull()
})

test('the assignee of a new lead is cleared with one click', async () => {
  const { form, create, leadOf } = await openForm()
  fireEvent.click(form.getByRole('button', { name: 'Unassign' }))
  await waitFor(() => expect(form.queryByRole('button', { name: 'Unassign' })).toBeNull())
  create('Birch')
  await screen.findByRole('rowheader', { name: 'Birch' })
  expect(await leadOf('Birch')).toMatchObject({ assign_to: null })
})

test('the form names a lead with the same phone number', async () => {
  const { form } = await openForm()
  fill(form.getByLabelText('Phone'), '040 1234567')
  await form.findByText(/^This looks like an existing lead/, {}, { timeout: 3000 })
  form.getByRole('link', { name: 'Alder' })
  form.getByText(/^\+49 40 1234567 · /)
})

test('the timeline of a new lead doesn’t offer to undo its creation', async () => {
  const { app } = await openForm()
  const { data } = await app
    .as('crm')
    .post('/admin/users/save-demo-requests', { companyName: 'Birch', lead_for: 1 })
  const { data: events } = await app.as('crm').get(`/admin/records/lead/${data.lead_id}/history`)
  expect(events).toEqual([expect.objectContaining({ act: 'Created', operation: null })])
})
