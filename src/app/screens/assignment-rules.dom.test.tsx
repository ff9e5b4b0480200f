import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const path = '/admin/support/assignment-rules'
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

const addPerson = async (rule: number, name: string) => {
  fireEvent.click(await screen.findByRole('combobox', { name: `People of rule ${rule}` }))
  fireEvent.click(await screen.findByRole('option', { name }))
}

/** The names of the people in all rules. */
const chosen = () =>
  [...document.querySelectorAll('.mantine-Pill-label')].map(({ textContent }) => textContent)

const saveAs = async ({ as }: TestApp, who: string, rules: readonly object[]) => {
  const { data } = await as(who).get(path)
  return as(who).post(path, { version: data.version, rules })
}

test('an admin adds the first rule; a rule without people is refused at its field', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', '/support/assignment')
  await screen.findByText(/^No rules yet/)
  await press('Add rule')
  await choose(() => screen.getByLabelText('Category of rule 1'), 'Billing')
  await press('Save assignment rules')
  await screen.findByText('Choose at least one person.')
  await addPerson(1, 'Tom Whitfield')
  await addPerson(1, 'Daniel Aguirre')
  await press('Save assignment rules')
  await screen.findByText('Assignment rules saved.')
  const { data } = await app.as('admin').get(path)
  const staff_ids = [app.as('support').id, app.as('csm').id]
  expect(data).toMatchObject({ version: 1, rules: [{ category: 3, organization_id: null, staff_ids }] })
})

test('rules are put in another order and removed, and someone who is not available is marked', async () => {
  const app = await startTestApp()
  const ruleOf = (who: string, category: number) => ({
    id: null,
    category,
    organization_id: null,
    staff_ids: [app.as(who).id],
  })
  await saveAs(app, 'admin', [ruleOf('support', 1), ruleOf('csm', 2), ruleOf('adh', 3)])
  await app.db
    .updateTable('staff')
    .set({ banned_at: app.clock.now().toISOString() })
    .where('id', '=', app.as('csm').id)
    .execute()
  await openPanel(app, 'admin', '/support/assignment')
  await waitFor(() => expect(chosen()).toContain('Daniel Aguirre (not available)'))
  await press('Move rule 2 up')
  await press('Remove rule 3')
  await press('Save assignment rules')
  await screen.findByText('Assignment rules saved.')
  const { data } = await app.as('admin').get(path)
  expect(data.rules).toMatchObject([{ category: 2 }, { category: 1 }])
})

test('of two admins, the second keeps their input, and sees why it was not saved', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', '/support/assignment')
  await press('Add rule')
  await addPerson(1, 'Tom Whitfield')
  expect((await saveAs(app, 'super_admin', [])).status).toBe(200)
  await press('Save assignment rules')
  await screen.findByText(/^Someone else changed the assignment rules/)
  expect(chosen()).toEqual(['Tom Whitfield'])
})

test('the page is for admins', async () => {
  const { sent } = await openPanel(await startTestApp(), 'support', '/support/assignment')
  await screen.findByText('Only admins can see and change assignment rules.')
  await waitFor(() => expect(sent.some((one) => one.path === path)).toBe(false))
})

test('a ticket’s page says that a rule assigned it', async () => {
  const app = await startTestApp()
  const staff_ids = [app.as('support').id]
  await saveAs(app, 'admin', [{ id: null, category: null, organization_id: null, staff_ids }])
  const ticket = { title: 'The scanner stopped', message: '<p>It shows nothing.</p>' }
  const { data } = await app.as('admin').post('/admin/support/ticket', ticket)
  await openPanel(app, 'support', `/support/ticket/${data.id}/0`)
  const words = await screen.findByText(/by an assignment rule/)
  await waitFor(() =>
    expect(words.textContent).toBe('set the assignee to Tom Whitfield by an assignment rule'),
  )
})
