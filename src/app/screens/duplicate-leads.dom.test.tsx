import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Leads that may be the same are merged, or marked as different, on their page and on the page of a lead. */

async function withDuplicates() {
  const app = await startTestApp()
  const ids: number[] = []
  for (const company_name of ['Aalto Linen', 'aalto linen Ltd.', 'Aalto Linnen', 'Nordic Spa'])
    ids.push(await enterLead(app.db, { company_name, email: `office${ids.length}@gmail.com` }))
  return { app, ids: ids as [number, number, number, number] }
}
const group = () => screen.findByRole('region', { name: /: Aalto Linen$/ })

test('a lead marked as not a duplicate leaves its group, and returns with Undo', async () => {
  const { app, ids } = await withDuplicates()
  await openPanel(app, 'crm', '/demo-leads/duplicates')
  await screen.findByText('1 group, the most likely first.')
  const first = within(await group())
  first.getByRole('heading', { name: 'Same company name, similar company name' })
  expect(first.getAllByRole('listitem').length).toBe(3)
  // The oldest one is what the others may be a duplicate of.
  expect(first.queryByRole('button', { name: `Not a duplicate: Aalto Linen #${ids[0]}` })).toBeNull()
  fireEvent.click(first.getByRole('button', { name: `Not a duplicate: Aalto Linnen #${ids[2]}` }))
  await waitFor(async () => expect(within(await group()).getAllByRole('listitem').length).toBe(2))
  await clickUndo(/^Marked as not a duplicate/)
  await waitFor(async () => expect(within(await group()).getAllByRole('listitem').length).toBe(3))
})

test('two leads are compared and merged from the page, which then has one less', async () => {
  const { app, ids } = await withDuplicates()
  await openPanel(app, 'crm', '/demo-leads/duplicates')
  fireEvent.click(
    within(await group()).getByRole('button', { name: `Compare and merge: aalto linen Ltd. #${ids[1]}` }),
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge leads' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'Merge' }))
  await waitFor(async () => expect(within(await group()).getAllByRole('listitem').length).toBe(2))
  expect(screen.queryByRole('dialog')).toBeNull()

  // The list shows the merge as the last action, so its key undoes it there.
  fireEvent.click(
    within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByRole('link', { name: 'Leads' }),
  )
  await screen.findByRole('heading', { level: 1, name: 'Leads' })
  await waitFor(() => expect(document.querySelector('#main')!.textContent).toContain('Undo'))
  const inTrash = async () =>
    (await app.db.selectFrom('leads').select('lead_id').where('deleted_at', 'is not', null).execute()).length
  expect(await inTrash()).toBe(1)
  press('u', {}, document.body)
  await waitFor(async () => expect(await inTrash()).toBe(0))
})

test('without duplicates, the page says so', async () => {
  const app = await startTestApp()
  await enterLead(app.db)
  await openPanel(app, 'crm', '/demo-leads/duplicates')
  await screen.findByText('No duplicates found')
})

test('a role that can’t see leads has no such page', async () => {
  const { app } = await withDuplicates()
  const { sent } = await openPanel(app, 'editor', '/demo-leads/duplicates')
  await screen.findByText(/don’t have access/)
  expect(sent.filter(({ path }) => path.includes('duplicate'))).toEqual([])
})

test('on the page of a lead, another one is marked as not a duplicate', async () => {
  const { app, ids } = await withDuplicates()
  await app.db
    .updateTable('leads')
    .set({ company_name: 'Aalto Linen' })
    .where('lead_id', '=', ids[1])
    .execute()
  await openPanel(app, 'crm', `/demo-leads/lead/${ids[0]}`)
  fireEvent.click(await screen.findByRole('button', { name: `Not a duplicate: Aalto Linen #${ids[1]}` }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: /^Possible duplicates/ })).toBeNull())
})
