import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, expectNoneRefused, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The contacts of a lead on its page: how they are shown, added, edited, swapped, and removed. */

const sam = {
  name: 'Sam Whitlock',
  role: 'Finance',
  email: 'sam@aalto.example',
  phone: '+1 212 555 0157 ext. 12',
}

async function openLead(contacts: readonly object[] = [sam]) {
  const app = await startTestApp()
  const id = await enterLead(app.db, { contact_name: 'Nora Lindqvist', email: 'nora@aalto.example' })
  for (const contact of contacts)
    await app.as('crm').post('/admin/users/lead-contacts', { lead_id: id, ...contact })
  const panel = await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  const section = within(await screen.findByRole('region', { name: 'More contacts' }))
  return { app, id, section, ...panel }
}

type Section = Awaited<ReturnType<typeof openLead>>['section']

async function chooseAct(section: Section, name: string, act: string): Promise<void> {
  fireEvent.click(await section.findByRole('button', { name: `More actions for ${name}` }))
  fireEvent.click(await screen.findByRole('menuitem', { name: act }))
}

test('contacts are shown with role, address, and number, whose extension is dialed', async () => {
  const { section } = await openLead()
  expect(await section.findByText('Sam Whitlock')).toBeTruthy()
  expect(section.getByText('Finance')).toBeTruthy()
  expect(section.getByRole('link', { name: /^sam / }).getAttribute('href')).toBe(`mailto:${sam.email}`)
  expect(section.getByRole('link', { name: sam.phone }).getAttribute('href')).toBe('tel:+12125550157;ext=12')
  expect(section.getByRole('heading').textContent).toBe('More contacts 1')
})

test('a contact is added by keyboard; a number that can’t be one is refused at its field', async () => {
  const { section } = await openLead([])
  expect(await section.findByText('No other contacts yet.')).toBeTruthy()
  fireEvent.click(section.getByRole('button', { name: 'Add contact' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add contact' }))
  press('Enter', { ctrlKey: true }, dialog.getByLabelText(/^Name/))
  expect(await dialog.findByText('This field is required.')).toBeTruthy()
  fill(dialog.getByLabelText(/^Name/), 'Jude Okon')
  fill(dialog.getByLabelText('Phone'), 'call me')
  press('Enter', { ctrlKey: true }, dialog.getByLabelText('Phone'))
  expect(await dialog.findByText('Enter a phone number, such as +1 212 555 0142 ext. 12.')).toBeTruthy()
  fill(dialog.getByLabelText('Phone'), '030 1234 x7')
  press('Enter', { ctrlKey: true }, dialog.getByLabelText('Phone'))
  expect(await screen.findByText('Contact added.')).toBeTruthy()
  expect(await section.findByText('Jude Okon')).toBeTruthy()
  expect(section.getByRole('link', { name: '030 1234 x7' })).toBeTruthy()
})

test('a contact is edited; if someone else changed the same field, the form asks', async () => {
  const { app, section } = await openLead()
  await chooseAct(section, 'Sam Whitlock', 'Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit Sam Whitlock' }))
  // Until something is typed, the form would show what others save.
  fill(dialog.getByLabelText('Role'), 'Decides')
  await app.as('admin').post('/admin/users/lead-contacts/1', { role: 'Signs' })
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByRole('radio', { name: /Saved version.*Signs/s })
})

test('a contact is made primary and removed, and both are undone from their toasts', async () => {
  const { app, id, section } = await openLead()
  const lead = async () => (await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data
  await chooseAct(section, 'Sam Whitlock', 'Make primary')
  expect(await screen.findByText('Sam Whitlock is now the primary contact.')).toBeTruthy()
  expect(await section.findByText('Nora Lindqvist')).toBeTruthy()
  const facts = within(screen.getByRole('region', { name: 'Contact' }))
  expect(await facts.findByText('Sam Whitlock')).toBeTruthy()
  expect(await lead()).toMatchObject({ contactName: 'Sam Whitlock', contact_role: 'Finance' })
  await clickUndo(/^(Sam Whitlock is now the primary contact|Primary contact changed)/)
  expect(await section.findByText('Sam Whitlock')).toBeTruthy()
  expect(await lead()).toMatchObject({ contactName: 'Nora Lindqvist' })

  await chooseAct(section, 'Sam Whitlock', 'Remove')
  expect(await section.findByText('No other contacts yet.')).toBeTruthy()
  await clickUndo(/^(Sam Whitlock|Contact) removed/)
  expect(await section.findByText('Sam Whitlock')).toBeTruthy()
})

test('a viewer who can’t edit the lead sees its contacts without buttons', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db)
  await app.as('crm').post('/admin/users/lead-contacts', { lead_id: id, ...sam })
  await app.db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 2)
    .where('permission', '=', 'lead_edit')
    .execute()
  const { sent } = await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  const section = within(await screen.findByRole('region', { name: 'More contacts' }))
  expect(await section.findByText('Sam Whitlock')).toBeTruthy()
  expect(section.queryAllByRole('button')).toEqual([])
  await expectNoneRefused({ sent })
})

test('contacts that can’t be loaded say so, and are loaded again', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db)
  await app.as('crm').post('/admin/users/lead-contacts', { lead_id: id, ...sam })
  const { intercept, go } = await openPanel(app, 'crm', '/demo-leads/forecast')
  const end = intercept('GET', /lead-contacts/, () => ({ status: 500, body: { message: 'Failed.' } }))
  await go(`/demo-leads/lead/${id}`)
  const section = within(await screen.findByRole('region', { name: 'More contacts' }))
  const retry = await section.findByRole('button', { name: 'Retry' })
  end()
  fireEvent.click(retry)
  expect(await section.findByText('Sam Whitlock')).toBeTruthy()
})
