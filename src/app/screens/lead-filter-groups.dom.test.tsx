import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, filterByChoices, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsOf } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Groups of filters of the lead list: their dialog, their chips, and the address. */

const names = () =>
  screen
    .queryAllByRole('rowheader')
    .map(({ textContent }) => textContent)
    .toSorted()
const listed = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
const active = () => screen.queryByRole('list', { name: 'Active filters' })?.textContent ?? ''
const all = '/demo-leads?fromDate=all&toDate=all'

async function openLeads(path = all) {
  const app = await startTestApp()
  await addField(app, { name: 'Sites', type: 'number' })
  const sites = (await fieldsOf(app))[0]!.id
  await enterLead(app.db, { company_name: 'Alder', status: 1, color: 4 })
  await enterLead(app.db, { company_name: 'Birch', status: 2, email: 'b@birch.example' })
  await enterLead(app.db, { company_name: 'Cedar', status: 3, custom_values: JSON.stringify({ [sites]: 7 }) })
  return { app, ...(await openPanel(app, 'crm', path)) }
}

const dialog = async (title: string) => within(await screen.findByRole('dialog', { name: title }))
test('groups are added, edited, and removed, in the address and as chips', async () => {
  const { address } = await openLeads()
  await listed('Alder', 'Birch', 'Cedar')
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  fireEvent.click(screen.getByRole('button', { name: 'Match any of' }))
  let box = await dialog('Match any of')
  fireEvent.click(box.getByRole('button', { name: 'Add group' }))
  expect(box.getByRole('alert').textContent).toBe('Choose at least one filter.')
  const status = 'Contacted'
  await filterByChoices(box, 'Status', status)
  expect(box.getByRole('alert').textContent).toBe('')
  // What was typed and isn’t a filter isn’t dropped.
  fill(await box.findByLabelText('Amount from'), 'many')
  fireEvent.blur(box.getByLabelText('Amount from'))
  fireEvent.click(box.getByRole('button', { name: 'Add group' }))
  expect(box.getByRole('alert').textContent).toBe('Correct or clear the marked filter.')
  fill(box.getByLabelText('Amount from'), '')
  await choose(() => box.getByLabelText('Is not empty'), 'Email')
  fireEvent.click(box.getByRole('button', { name: 'Add group' }))
  await listed('Birch')
  expect(address()).toContain('or[]=status=2;field_filter=email%3Afilled')
  const first = `Status: ${status}, Email: not empty`
  await waitFor(() => expect(active()).toContain(`Any of${first}`))

  // A second group finds more; the box of a custom field is above the dialog and leaves it open.
  fireEvent.click(screen.getByRole('button', { name: 'Add group' }))
  box = await dialog('Match any of')
  fireEvent.click(box.getByRole('button', { name: 'Custom field: Sites: any' }))
  const sites = within(await screen.findByRole('dialog', { name: 'Sites' }))
  fill(sites.getByLabelText('From'), '5')
  fireEvent.submit(sites.getByLabelText('From').closest('form')!)
  await box.findByRole('button', { name: 'Remove Sites: from 5' })
  fill(box.getByLabelText('Search'), 'ced;ar')
  fireEvent.keyDown(box.getByLabelText('Search'), { key: 'Enter' })
  await waitFor(() => expect(active()).toContain('orSearch: ced;ar, Sites: from 5'))
  await listed('Birch')
  fireEvent.click(screen.getByRole('button', { name: 'Edit group Search: ced;ar, Sites: from 5' }))
  box = await dialog('Edit group')
  expect(box.getByLabelText<HTMLInputElement>('Search').value).toBe('ced;ar')
  fireEvent.click(box.getByRole('button', { name: 'Remove Search: ced;ar' }))
  fireEvent.click(box.getByRole('button', { name: 'Save group' }))
  await listed('Birch', 'Cedar')

  // A filter outside of the groups narrows all of them.
  fill(screen.getByLabelText('Search leads'), 'birch')
  await listed('Birch')
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Search: birch' }))
  await listed('Birch', 'Cedar')
  fireEvent.click(screen.getByRole('button', { name: `Remove group ${first}` }))
  await listed('Cedar')
  fireEvent.click(screen.getByRole('button', { name: 'Remove group Sites: from 5' }))
  await listed('Alder', 'Birch', 'Cedar')
  expect(address()).not.toContain('or[]')
})

test('the address keeps groups through a reload, and Clear filters removes them', async () => {
  const { reload, address, sent } = await openLeads(`${all}&or[]=status=2&or[]=color=4`)
  await listed('Alder', 'Birch')
  reload()
  await listed('Alder', 'Birch')
  await waitFor(() => expect(active()).toContain('or'))
  expect(sent.some(({ path }) => path.includes('or[]=status=2&or[]=color=4'))).toBe(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
  await listed('Alder', 'Birch', 'Cedar')
  expect(address()).not.toContain('or[]')
})

test('no results name the groups, five are the most, and a group that isn’t one is left out', async () => {
  const { go } = await openLeads(`${all}&or[]=color=3&or[]=status=5`)
  await screen.findByText('No results match your filters')
  expect(document.body.textContent).toMatch(/Any of: Priority: .+ or Status: /)
  const five = [1, 2, 3, 4, 5].map((status) => `or[]=status=${status}`).join('&')
  await go(`${all}&${five}`)
  await listed('Alder', 'Birch', 'Cedar')
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Remove group/ })).toHaveLength(5))
  expect(screen.queryByRole('button', { name: 'Add group' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'More filters' }))
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Match any of' })
  expect([button.disabled, button.title]).toEqual([true, 'A list can have up to 5 groups.'])
  await go(`${all}&or[]=nonsense`)
  await waitFor(() => expect(active()).toBe(''))
})

test('a saved view keeps its groups, and the board has them', async () => {
  const { app, go, sent } = await openLeads(`${all}&or[]=status=2&or[]=color=4`)
  await listed('Alder', 'Birch')
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save view' }))
  const save = await dialog('Save view')
  fill(save.getByLabelText(/^Name/), 'Hot or new')
  fireEvent.click(save.getByRole('button', { name: /^Save/ }))
  await screen.findByText('View Hot or new saved.')
  const [view] = (await app.as('crm').get('/admin/views?list=leads'))['data']
  expect(view.address.or).toEqual(['status=2', 'color=4'])
  await go(all)
  await listed('Alder', 'Birch', 'Cedar')
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /Hot or new/ }))
  await listed('Alder', 'Birch')
  await go(`${all}&layout=board&or[]=status=2&or[]=color=4`)
  await waitFor(() => expect(sent.some(({ path }) => /lead-board.*or\[\]=status=2/.test(path))).toBe(true))
})
