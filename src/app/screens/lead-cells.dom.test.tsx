import { sql } from 'kysely'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { clickUndo, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { addField } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* The cells of the lead list that are edited in place, and the same fields of many leads. */

const address = '/demo-leads?fromDate=all&toDate=all'
const leadOf = ({ db }: TestApp, id: number) =>
  db.selectFrom('leads').selectAll().where('lead_id', '=', id).executeTakeFirstOrThrow()
const tagsOf = async ({ db }: TestApp, id: number) =>
  (
    await db
      .selectFrom('lead_tag_links')
      .select('tag_id')
      .where('lead_id', '=', id)
      .orderBy('tag_id')
      .execute()
  ).map(({ tag_id }) => tag_id)

async function openList(who: string, ...companies: string[]) {
  const app = await startTestApp()
  const ids: number[] = []
  for (const company_name of companies)
    ids.push(await enterLead(app.db, { company_name, amount: 500, currency: 'USD' }))
  const panel = await openPanel(app, who, address)
  await screen.findByRole('rowheader', { name: companies[0] })
  await showColumns('Amount', 'Expected close', 'Request date', 'Tags')
  return { app, ids, id: ids[0]!, ...panel }
}

/** Shows columns that are hidden at first; they stay shown. */
async function showColumns(...names: readonly string[]) {
  fireEvent.click(screen.getByRole('button', { name: 'Columns' }))
  const menu = within(await screen.findByRole('menu', { name: 'Columns' }))
  for (const name of names) fireEvent.click(menu.getByRole('menuitemcheckbox', { name }))
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
}
const cell = (name: string) => screen.findByRole('button', { name })

test('assignee, dates, amount, and tags of a lead are edited in its row', async () => {
  const { app, id } = await openList('crm', 'Aalto Linen')
  fireEvent.click(await cell('Assignee of Aalto Linen: Unassigned'))
  const person = app.as('csm').id
  const { name } = await app.db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', person)
    .executeTakeFirstOrThrow()
  fireEvent.click(await screen.findByRole('menuitem', { name }))
  await waitFor(async () => expect((await leadOf(app, id)).assign_to).toBe(person))

  fireEvent.click(await cell('Expected close of Aalto Linen: not set'))
  fireEvent.click(await screen.findByRole('button', { name: 'In a week' }))
  await cell('Expected close of Aalto Linen: 23 Mar 2026')
  expect((await leadOf(app, id)).expected_close).toBe('2026-03-23')
  press('u', {}, document.body)
  await cell('Expected close of Aalto Linen: not set')
  expect((await leadOf(app, id)).expected_close).toBeNull()

  fireEvent.click(await cell('Amount of Aalto Linen: 500 USD'))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Amount of Aalto Linen' })
  expect(field.value).toBe('500')
  fill(field, '1200')
  fireEvent.submit(field.form!)
  await screen.findByText('1,200 USD')
  expect(Number((await leadOf(app, id)).amount)).toBe(1200)

  fireEvent.click(await cell('Tags of Aalto Linen: none'))
  const [first, second] = await app.db
    .selectFrom('lead_tags')
    .selectAll()
    .orderBy('position')
    .limit(2)
    .execute()
  // A colleague has added another tag.
  const added = { kind: 'tags', tag_id: second!.id, add: true }
  await app.as('admin').post('/admin/users/change-leads', { selection: { ids: [id] }, change: added })
  fireEvent.click(await screen.findByRole('menuitem', { name: first!.name }))
  await waitFor(async () =>
    expect(await tagsOf(app, id)).toEqual([first!.id, second!.id].toSorted((one, other) => one - other)),
  )
})

test('an amount that someone else changed meanwhile is not overwritten without a question', async () => {
  const { app, id } = await openList('crm', 'Aalto Linen')
  fireEvent.click(await cell('Amount of Aalto Linen: 500 USD'))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Amount of Aalto Linen' })
  fill(field, '1200')
  await app.as('admin').post('/admin/users/update-demo-requests', { lead_id: id, amount: 700 })
  fireEvent.submit(field.form!)
  await screen.findByText(/changed this to “700”\. Press Enter to save your value instead/)
  expect([field.value, Number((await leadOf(app, id)).amount)]).toEqual(['1200', 700])
  fireEvent.submit(field.form!)
  await waitFor(async () => expect(Number((await leadOf(app, id)).amount)).toBe(1200))
})

test('a failed save is named, and the row keeps its date', async () => {
  const { app, id, intercept } = await openList('crm', 'Aalto Linen')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  intercept('POST', /update-demo-requests/, () => ({
    status: 500,
    body: { message: 'Something went wrong.' },
  }))
  fireEvent.click(await cell('Request date of Aalto Linen: not set'))
  fireEvent.click(await screen.findByRole('button', { name: 'Tomorrow' }))
  await screen.findByText(/^Something went wrong/)
  await cell('Request date of Aalto Linen: not set')
  expect((await leadOf(app, id)).request_date).toBeNull()
})

test('without the permission to edit leads, the cells are text', async () => {
  const { app } = await openList('crm', 'Aalto Linen')
  await sql`delete from role_permissions where permission = 'lead_edit' and role_id <> 0`.execute(app.db)
  await openPanel(app, 'crm', address)
  // In its row, and in the sum below the list.
  await screen.findAllByText('500 USD')
  for (const name of ['Assignee', 'Amount', 'Tags', 'Expected close', 'Lead date'])
    expect(screen.queryByRole('button', { name: new RegExp(`^${name} of Aalto Linen`) })).toBeNull()
})

test('a field is set for all selected leads, and restored', async () => {
  const { app, ids } = await openList('crm', 'Aalto Linen', 'Bern Spa')
  for (const company of ['Aalto Linen', 'Bern Spa'])
    fireEvent.click(screen.getByRole('checkbox', { name: `Select ${company}` }))
  fireEvent.click(await screen.findByRole('button', { name: 'More fields' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Amount' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Amount of 2 leads' }))
  fill(await dialog.findByLabelText('Amount'), '500')
  await dialog.findByText(/0 of 2 leads change\.$/)
  fill(await dialog.findByLabelText('Amount'), '750')
  await dialog.findByText(/2 of 2 leads change\.$/)
  fireEvent.click(dialog.getByRole('button', { name: 'Change 2 leads' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Amount of 2 leads' })).toBeNull())
  const amounts = () => Promise.all(ids.map(async (id) => Number((await leadOf(app, id)).amount)))
  expect(await amounts()).toEqual([750, 750])
  // The same leads can be changed again.
  expect(screen.getByRole('group', { name: 'Selected rows' }).textContent).toContain('2 selected')
  await clickUndo(/^Amount set to 750 USD/)
  await waitFor(async () => expect(await amounts()).toEqual([500, 500]))
})

test('a custom field is set for all selected leads; the dialog says which values they have', async () => {
  const { app, ids, reload } = await openList('crm', 'Aalto Linen', 'Bern Spa')
  const sites = await addField(app, { name: 'Sites', type: 'number' })
  reload()
  for (const company of ['Aalto Linen', 'Bern Spa'])
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${company}` }))
  fireEvent.click(await screen.findByRole('button', { name: 'More fields' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Sites' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Sites of 2 leads' }))
  await dialog.findByText('Now: none (2 leads). 0 of 2 leads change.')
  fill(dialog.getByLabelText('Sites'), '12')
  fireEvent.click(dialog.getByRole('button', { name: 'Change 2 leads' }))
  const values = () => Promise.all(ids.map(async (id) => (await leadOf(app, id)).custom_values))
  await waitFor(async () => expect(await values()).toEqual([{ [sites.id]: 12 }, { [sites.id]: 12 }]))
  await clickUndo(/^Sites set to 12/)
  await waitFor(async () => expect(await values()).toEqual([{}, {}]))
})

test('leads that a bulk change takes out of the filter leave the selection, and the bar says how many', async () => {
  const app = await startTestApp()
  await enterLead(app.db, { company_name: 'Aalto Linen', status: 1 })
  await enterLead(app.db, { company_name: 'Bern Spa', status: 1, color: 3 })
  await openPanel(app, 'crm', `${address}&or[]=status=1&or[]=color=3`)
  for (const company of ['Aalto Linen', 'Bern Spa'])
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${company}` }))
  const bar = () => within(screen.getByRole('group', { name: 'Selected rows' }))
  fireEvent.click(await bar().findByRole('button', { name: 'Status' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Contacted' }))
  await bar().findByText('1 selected, 1 no longer matches')
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Select Aalto Linen' })).toBeNull())
  fireEvent.click(bar().getByRole('button', { name: 'Move to trash' }))
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Selected rows' })).toBeNull())
})
