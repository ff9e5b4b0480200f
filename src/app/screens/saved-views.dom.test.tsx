import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { queries } from '#web/api/queries.ts'

const shared = {
  list: 'contracts',
  path: '/customer-contracts',
  name: 'In effect',
  shared: true,
  address: { status: 2 },
  hidden_columns: [],
  shown_columns: [],
}

/** Opens the list of contracts with a shared view of the admin. */
async function openContracts(who: string) {
  const app = await startTestApp()
  const saved = await app.as('admin').post('/admin/views', shared)
  const panel = await openPanel(app, who, `/customer-contracts?status=2&saved_view=${saved['id']}`)
  await named('Views: In effect')
  const viewsOf = async (who: string) => (await app.as(who).get('/admin/views?list=contracts'))['data']
  const change = (body: object) => app.as('admin').post(`/admin/views/${saved['id']}`, body)
  return { app, id: saved['id'] as number, viewsOf, change, ...panel }
}

const button = () => screen.getByRole('button', { name: /^Views/ })
const named = (text: string) => waitFor(() => expect(button().textContent).toBe(text))
async function item(name: RegExp | string) {
  fireEvent.click(button())
  fireEvent.click(await screen.findByRole('menuitem', { name }))
}
async function offered() {
  fireEvent.click(button())
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  fireEvent.click(button())
  return items
}
const filters = () => within(screen.getByRole('region', { name: 'Filters' }))
const filterBy = (status: string) => choose(() => filters().getByRole('combobox', { name: 'Status' }), status)

test('the button names the open view, also after a reload, and the owner updates it', async () => {
  const { viewsOf, address, reload, id } = await openContracts('admin')
  expect(await offered()).not.toContain('Update view')
  await filterBy('Ended')
  await named('Views: In effect (changed)')
  expect(address()).toContain(`saved_view=${id}`)
  reload()
  await named('Views: In effect (changed)')
  await item('Discard changes')
  await named('Views: In effect')
  await filterBy('Ended')
  await named('Views: In effect (changed)')
  await item('Update view')
  await named('Views: In effect')
  expect(await viewsOf('admin')).toMatchObject([{ address: { status: 3 }, version: 2 }])
  await item('Close view')
  await named('Views')
  expect(address()).toMatch(/status=3/)
})

test('columns are part of the view, and follow when it is opened by a link', async () => {
  const { app, go } = await openContracts('admin')
  const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const { id } = await app.as('admin').post('/admin/views', {
    ...shared,
    name: 'Narrow',
    address: {},
    hidden_columns: ['due_date'],
  })
  await app.as('admin').post('/admin/create_contract', { title: 'Hire of robots' })
  await go('/customer-contracts')
  await screen.findByRole('rowheader', { name: 'Hire of robots' })
  await waitFor(() => expect(headers().join()).toContain('Due date'))
  await go(`/customer-contracts?saved_view=${id}`)
  await named('Views: Narrow')
  await waitFor(() => expect(headers().join()).not.toContain('Due date'))
})

test('a view is renamed, shared, and deleted after a question', async () => {
  const { viewsOf } = await openContracts('admin')
  await item('Manage views')
  fireEvent.click(await screen.findByRole('button', { name: 'Rename In effect' }))
  const form = within(await screen.findByRole('form', { name: 'Rename view' }))
  fill(form.getByLabelText(/^Name/, { selector: 'input' }), 'Running')
  fireEvent.click(form.getByRole('button', { name: 'Rename' }))
  await named('Views: Running')
  fireEvent.click(await screen.findByRole('button', { name: 'Stop sharing Running' }))
  await screen.findByRole('button', { name: 'Share Running' })
  expect(await viewsOf('editor')).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Delete Running' }))
  await screen.findByText('Delete the view “Running”?')
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await named('Views')
  expect(await viewsOf('admin')).toEqual([])
})

test('someone else’s shared view can be the default and the start of a new one, but not changed', async () => {
  const { viewsOf } = await openContracts('editor')
  await filterBy('Ended')
  await named('Views: In effect (changed)')
  const items = await offered()
  expect(items).toEqual(expect.arrayContaining(['Discard changes', 'Save as new view', 'Close view']))
  expect(items).not.toContain('Update view')
  await item('Manage views')
  fireEvent.click(await screen.findByRole('button', { name: 'Use as default: In effect' }))
  await screen.findByRole('button', { name: 'Default view: In effect' })
  expect(screen.queryByRole('button', { name: /^(Rename|Delete|Share|Stop)/ })).toBeNull()
  fireEvent.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0]!)
  await item('Save as new view')
  const form = within(await screen.findByRole('form', { name: 'Save view' }))
  fill(form.getByLabelText(/^Name/, { selector: 'input' }), 'Ended ones')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await named('Views: Ended ones')
  expect((await viewsOf('editor')).map(({ name }: { name: string }) => name)).toEqual([
    'Ended ones',
    'In effect',
  ])
})

test('a shared view that its owner changes or deletes while it is open says so, and the list stays', async () => {
  const { change, address } = await openContracts('editor')
  // The tests of pages have no live connection, which refetches in the same way.
  const refetch = () => queries.invalidateQueries()
  await change({ _method: 'PUT', version: 1, address: { status: 3 } })
  await refetch()
  await screen.findByText(/ changed the view In effect\. Your filters stay/)
  await named('Views: In effect (changed)')
  expect(address()).toContain('status=2')
  await item(/^Show the changes by /)
  await named('Views: In effect')
  expect(address()).toContain('status=3')
  await change({ _method: 'DELETE' })
  await refetch()
  await screen.findByText(/^The view In effect was deleted or isn’t shared anymore/)
  await named('Views: In effect (deleted)')
  expect(address()).toContain('status=3')
  expect(await offered()).toEqual(['Close view', 'Save as new view'])
})
