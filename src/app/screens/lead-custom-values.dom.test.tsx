import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsPath } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The custom fields of a lead: on its page, in its form, and in its history. */

async function openLead(custom_values: object = {}, who = 'crm') {
  const app = await startTestApp()
  const machine = await addField(app, { name: 'Machine', type: 'choice', choices: ['Jensen', 'Elevator 3'] })
  const sites = await addField(app, { name: 'Sites', type: 'number' })
  const tender = await addField(app, { name: 'Tender', type: 'link' })
  const interests = await addField(app, {
    name: 'Interests',
    type: 'choices',
    choices: ['Lockers', 'Training'],
  })
  await addField(app, { name: 'Beds', type: 'number' }, 2)
  const id = await enterLead(app.db, { custom_values: JSON.stringify(custom_values) })
  const panel = await openPanel(app, who, `/demo-leads/lead/${id}`)
  const facts = within(await screen.findByRole('region', { name: 'Custom fields' }))
  const values = async () => (await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data.custom_values
  return { app, id, facts, values, fields: { machine, sites, tender, interests }, ...panel }
}

async function openForm() {
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit lead' }))
  return within(await screen.findByRole('form', { name: 'Edit Aalto Linen' }))
}

test('values are facts, edited in place; the history names the field and its value', async () => {
  const { facts, values, fields } = await openLead({ 3: 'https://tender.example/7' })
  expect(facts.getByRole('link', { name: 'tender.example/7' }).getAttribute('href')).toBe(
    'https://tender.example/7',
  )
  fireEvent.click(facts.getByRole('button', { name: 'Show 3 empty fields' }))
  fireEvent.click(facts.getByRole('button', { name: 'Edit Sites' }))
  fill(facts.getByLabelText('Sites'), 'many')
  fireEvent.submit(facts.getByLabelText('Sites').closest('form')!)
  await facts.findByText(/^Sites: Enter a number|^Enter a number/)
  fill(facts.getByLabelText('Sites'), '1200')
  fireEvent.submit(facts.getByLabelText('Sites').closest('form')!)
  await facts.findByText('1,200')
  expect(await values()).toMatchObject({ [fields.sites.id]: 1200 })
  // The first section only says that the timeline loads.
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Timeline' }).textContent).toContain('set the sites to 1,200'),
  )
})

test('the undo key undoes the value that was edited last, not an earlier change', async () => {
  const { app, id, facts, values, fields } = await openLead()
  fireEvent.click(await screen.findByRole('button', { name: 'In a week: Aalto Linen' }))
  const followup = async () => (await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data.followup_date
  await waitFor(async () => expect(await followup()).toBe('2026-03-23'))
  fireEvent.click(facts.getByRole('button', { name: 'Show 4 empty fields' }))
  fireEvent.click(facts.getByRole('button', { name: 'Edit Sites' }))
  fill(facts.getByLabelText('Sites'), '1200')
  fireEvent.submit(facts.getByLabelText('Sites').closest('form')!)
  await facts.findByText('1,200')
  press('u', {}, document.body)
  await waitFor(async () => expect(await values()).not.toHaveProperty(String(fields.sites.id)))
  expect(await followup()).toBe('2026-03-23')
})

test('pressing the undo key again undoes the change before, and no change from before the page was opened', async () => {
  const { app, id, facts, values, fields } = await openLead()
  fireEvent.click(await screen.findByRole('button', { name: 'In a week: Aalto Linen' }))
  const followup = async () => (await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data.followup_date
  await waitFor(async () => expect(await followup()).toBe('2026-03-23'))
  fireEvent.click(facts.getByRole('button', { name: 'Show 4 empty fields' }))
  fireEvent.click(facts.getByRole('button', { name: 'Edit Sites' }))
  fill(facts.getByLabelText('Sites'), '1200')
  fireEvent.submit(facts.getByLabelText('Sites').closest('form')!)
  await facts.findByText('1,200')
  press('u', {}, document.body)
  press('u', {}, document.body)
  await waitFor(async () => expect(await followup()).toBeNull())
  expect(await values()).not.toHaveProperty(String(fields.sites.id))
  press('u', {}, document.body)
  expect(await followup()).toBeNull()
})

test('a link without https:// is completed, in place and in the form', async () => {
  const { facts, values, fields } = await openLead({ 3: 'https://tender.example/7' })
  fireEvent.click(facts.getByRole('button', { name: 'Edit Tender' }))
  fill(facts.getByLabelText('Tender'), 'a.example')
  fireEvent.submit(facts.getByLabelText('Tender').closest('form')!)
  await facts.findByRole('link', { name: 'a.example' })
  expect(await values()).toEqual({ [fields.tender.id]: 'https://a.example' })
  const form = await openForm()
  fill(form.getByLabelText('Website'), 'aalto.example')
  fill(form.getByLabelText('Tender'), 'tender.example/8')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await facts.findByRole('link', { name: 'tender.example/8' })
  expect(screen.getByRole('link', { name: 'aalto.example' }).getAttribute('href')).toBe(
    'https://aalto.example',
  )
  expect(await values()).toEqual({ [fields.tender.id]: 'https://tender.example/8' })
})

test('the form has the fields of the product, and saves only what changed', async () => {
  const { app, id, values, fields } = await openLead({ 1: 1, 4: [2] })
  const form = await openForm()
  expect(form.getByLabelText('Machine')).toHaveProperty('value', '1')
  expect(form.getByRole('button', { name: 'Training' }).getAttribute('aria-pressed')).toBe('true')
  expect(form.queryByLabelText('Beds')).toBeNull()
  fill(form.getByLabelText('Machine'), '2')
  fill(form.getByLabelText('Sites'), 'x')
  fireEvent.click(form.getByRole('button', { name: 'Lockers' }))
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText(/^Enter a number/)
  fill(form.getByLabelText('Sites'), '12.5')
  // Someone else sets another field.
  await app.as('admin').post('/admin/users/update-demo-requests', {
    lead_id: id,
    custom_values: { [fields.tender.id]: 'https://a.example' },
  })
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Aalto Linen saved.')
  expect(await values()).toEqual({
    [fields.machine.id]: 2,
    [fields.sites.id]: 12.5,
    [fields.tender.id]: 'https://a.example',
    [fields.interests.id]: [1, 2],
  })
})

test('if someone else changed the same value, the form asks, and saves the answer', async () => {
  const { app, id, values, fields } = await openLead({ 1: 1 })
  const form = await openForm()
  fill(form.getByLabelText('Machine'), '2')
  await app.as('admin').post('/admin/users/update-demo-requests', {
    lead_id: id,
    custom_values: { [fields.machine.id]: null },
  })
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByRole('radio', { name: /Saved version.*nothing/s })
  fireEvent.click(screen.getByRole('radio', { name: /Elevator 3/ }))
  const question = within(screen.getByRole('dialog', { name: /changed/ }))
  fireEvent.click(question.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect(await values()).toEqual({ [fields.machine.id]: 2 }))
})

test('a new lead gets the values of its product’s fields', async () => {
  const app = await startTestApp()
  await addField(app, { name: 'Sites', type: 'number' })
  const beds = await addField(app, { name: 'Beds', type: 'number' }, 2)
  await openPanel(app, 'crm', '/demo-leads')
  fireEvent.click((await screen.findAllByRole('button', { name: 'New lead' }))[0]!)
  // Until its fields have loaded, another dialog is shown.
  const form = within(await screen.findByRole('form', { name: 'New lead' }))
  fill(form.getByLabelText(/^Company/), 'Birch')
  fill(form.getByLabelText(/^Product/), '1')
  fill(await form.findByLabelText('Sites'), '4')
  fill(form.getByLabelText(/^Product/), '2')
  fill(await form.findByLabelText('Beds'), '640')
  expect(form.queryByLabelText('Sites')).toBeNull()
  fireEvent.click(form.getByRole('button', { name: 'Create lead' }))
  await screen.findByText('Birch created.')
  const { custom_values } = await app.db.selectFrom('leads').select('custom_values').executeTakeFirstOrThrow()
  expect(custom_values).toEqual({ [beds.id]: 640 })
})

test('a deleted field is neither on the page nor in the form', async () => {
  const { app, fields } = await openLead({ 1: 1, 2: 5 })
  await app.as('admin').send('DELETE', `${fieldsPath}/${fields.sites.id}`)
  const form = await openForm()
  form.getByLabelText('Machine')
})
