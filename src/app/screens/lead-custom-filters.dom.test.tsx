import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import {
  addField,
  fieldsOf,
  fieldsPath,
} from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The filters of the lead list by custom fields, and their chips. */

const names = () =>
  screen
    .queryAllByRole('rowheader')
    .map(({ textContent }) => textContent)
    .toSorted()
const active = () => screen.queryByRole('list', { name: 'Active filters' })?.textContent ?? ''
const listed = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))

const all = '/demo-leads?fromDate=all&toDate=all'

async function openLeads(path = all, deletes?: string) {
  const app = await startTestApp()
  const machine = await addField(app, { name: 'Machine', type: 'choice', choices: ['Jensen', 'Elevator'] })
  const sites = await addField(app, { name: 'Sites', type: 'number' })
  const washes = await addField(app, { name: 'Washes', type: 'yes_no' })
  const tender = await addField(app, { name: 'Tender', type: 'text' })
  const ends = await addField(app, { name: 'Ends', type: 'date' })
  await addField(app, { name: 'Beds', type: 'number' }, 2)
  const enter = (company_name: string, values: object) =>
    enterLead(app.db, { company_name, custom_values: JSON.stringify(values) })
  await enter('Alder', { [machine.id]: 1, [sites.id]: 4, [washes.id]: true, [ends.id]: '2027-01-31' })
  await enter('Birch', { [machine.id]: 2, [sites.id]: 1200, [washes.id]: false, [tender.id]: 'Open call' })
  await enter('Cedar', {})
  const deleted = (await fieldsOf(app)).find(({ name }) => name === deletes)
  if (deleted) await app.as('super_admin').send('DELETE', `${fieldsPath}/${deleted.id}`)
  const panel = await openPanel(app, 'crm', path)
  return { app, fields: { machine, sites, washes, tender, ends }, ...panel }
}

const control = (text: string) => screen.findByRole('button', { name: `Custom field: ${text}` })
/** Opens the box of a field, and returns it. */
async function openBox(field: string, text = 'any') {
  fireEvent.click(await control(`${field}: ${text}`))
  return within(await screen.findByRole('dialog', { name: field }))
}

test('leads are filtered by each type of field, in the address and as chips', async () => {
  const { address } = await openLeads()
  await listed('Alder', 'Birch', 'Cedar')
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  const sites = await openBox('Sites')
  fill(sites.getByLabelText('From'), 'many')
  fireEvent.click(sites.getByRole('button', { name: 'Apply' }))
  await sites.findByText(/^Enter a number/)
  fill(sites.getByLabelText('From'), '1,000')
  fireEvent.click(sites.getByRole('button', { name: 'Apply' }))
  await listed('Birch')
  expect(active()).toContain('Sites: from 1,000')
  expect(address()).toContain('custom_filter[]=2%3Ain%3A1000..')

  // A second field narrows further; removing a chip leaves the other.
  const machine = await openBox('Machine')
  fireEvent.click(machine.getByLabelText('Jensen'))
  fireEvent.click(machine.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(active()).toContain('Machine: Jensen'))
  await listed()
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Sites: from 1,000' }))
  await listed('Alder')
  const again = await openBox('Machine', 'Jensen')
  fireEvent.click(again.getByLabelText('Elevator'))
  fireEvent.click(again.getByRole('button', { name: 'Apply' }))
  await listed('Alder', 'Birch')
  expect(active()).toContain('Machine: Jensen or Elevator')
  const left = await openBox('Machine', 'Jensen or Elevator')
  fireEvent.click(left.getByRole('button', { name: 'is not' }))
  fireEvent.click(left.getByRole('button', { name: 'Apply' }))
  await listed('Cedar')
  expect(active()).toContain('Machine: not Jensen or Elevator')
  expect(address()).toContain('%3Anot%3A')
  const back = await openBox('Machine', 'not Jensen or Elevator')
  fireEvent.click(back.getByRole('button', { name: 'is' }))
  fireEvent.click(back.getByRole('button', { name: 'Apply' }))
  await listed('Alder', 'Birch')

  const tender = await openBox('Tender')
  fill(tender.getByLabelText('Contains'), 'CALL')
  fireEvent.submit(tender.getByLabelText('Contains').closest('form')!)
  await listed('Birch')
  expect(active()).toContain('Tender: contains “CALL”')
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await listed('Alder', 'Birch', 'Cedar')
  expect(active()).toBe('')

  await choose(() => screen.getByLabelText('Washes'), 'Washes: No')
  await listed('Birch')
  await choose(() => screen.getByLabelText('Washes'), 'Washes: empty')
  await listed('Cedar')
  await choose(() => screen.getByLabelText('Washes'), 'Washes: any')
  const ends = await openBox('Ends')
  fireEvent.click(ends.getByLabelText('Is empty'))
  fireEvent.click(ends.getByRole('button', { name: 'Apply' }))
  await listed('Birch', 'Cedar')
  const date = await openBox('Ends', 'empty')
  fireEvent.click(date.getByLabelText('Is empty'))
  fill(date.getByLabelText('To'), '2027-01-31')
  fireEvent.click(date.getByRole('button', { name: 'Apply' }))
  await listed('Alder')
  expect(active()).toContain('Ends: to 31 Jan 2027')
  // A field of another product has no filter here.
  expect(screen.queryByRole('button', { name: /^Custom field: Beds/ })).toBeNull()
})

test('a filter by a deleted field says so, and can be removed', async () => {
  const unknown = 'custom_filter[]=999:empty&custom_filter[]=6:in:1..2'
  await openLeads(`${all}&custom_filter[]=1:is:1&${unknown}`, 'Machine')
  await waitFor(() => expect(active()).toContain('Machine (deleted field): Jensen'))
  expect(active()).toContain('Unknown field #999: empty')
  expect(active()).toMatch(/Beds \(.+\): 1 – 2/)
  await screen.findByText('No results match your filters')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Unknown field #999: empty' }))
  await waitFor(() => expect(active()).not.toContain('999'))
  fireEvent.click(screen.getByRole('button', { name: /^Remove filter Beds/ }))
  await listed('Alder')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Machine (deleted field): Jensen' }))
  await listed('Alder', 'Birch', 'Cedar')
})

test('a filter in the address that isn’t one is left out, as others are', async () => {
  await openLeads(`${all}&custom_filter[]=x`)
  await listed('Alder', 'Birch', 'Cedar')
  expect(active()).toBe('')
})

test('the board has the same filters', async () => {
  const { sent } = await openLeads(`${all}&layout=board&custom_filter[]=2:in:..4`)
  await waitFor(() => expect(active()).toContain('Sites: up to 4'))
  const asked = sent.find(({ path }) => path.includes('lead-board'))
  expect(decodeURIComponent(asked!.path)).toContain('custom_filter[]=2:in:..4')
})
