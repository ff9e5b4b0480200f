import { expect, test } from 'vitest'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsOf } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'

const page = '/settings/custom-fields'
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const click = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

test('an admin adds a field with choices, and renames it', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', page)
  await screen.findByText('No custom fields yet')
  await click('New field')
  const form = within(await screen.findByRole('form', { name: 'New field' }))
  fill(form.getByLabelText(/^Name/), 'Machine')
  fill(form.getByLabelText('Type'), 'choice')
  fireEvent.click(form.getByRole('button', { name: 'Create field' }))
  await form.findByText('Enter at least one choice.')
  fireEvent.click(form.getByRole('button', { name: 'Add choice' }))
  fill(await form.findByLabelText('Choice 1'), 'Jensen')
  fireEvent.click(form.getByRole('button', { name: 'Create field' }))
  await screen.findByText('Machine added.')
  const list = within(await screen.findByRole('list', { name: 'Custom fields of Linen' }))
  await list.findByText('Jensen')
  list.getByText('0 of 0')
  fireEvent.click(list.getByRole('button', { name: 'Machine' }))
  const edit = within(await screen.findByRole('form', { name: 'Machine' }))
  expect(edit.getByLabelText('Type')).toHaveProperty('disabled', true)
  fill(edit.getByLabelText(/^Name/), 'Laundry machine')
  fireEvent.click(edit.getByRole('button', { name: 'Save field' }))
  await screen.findByText('Laundry machine saved.')
  expect(await fieldsOf(app)).toMatchObject([
    { name: 'Laundry machine', choices: [{ id: 1, name: 'Jensen', is_removed: false }] },
  ])
})

test('a choice is added with Enter, and pasted lines become choices', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', page)
  await click('New field')
  const form = within(await screen.findByRole('form', { name: 'New field' }))
  fill(form.getByLabelText(/^Name/), 'Machine')
  fill(form.getByLabelText('Type'), 'choice')
  fireEvent.click(form.getByRole('button', { name: 'Add choice' }))
  const first = await form.findByLabelText('Choice 1')
  expect(document.activeElement).toBe(first)
  fill(first, 'Jensen')
  fireEvent.keyDown(first, { key: 'Enter' })
  const second = await form.findByLabelText('Choice 2')
  expect(document.activeElement).toBe(second)
  fireEvent.paste(second, { clipboardData: { getData: () => 'Kannegiesser\r\n\r\n Girbau \n' } })
  await form.findByDisplayValue('Girbau')
  fireEvent.click(form.getByRole('button', { name: 'Create field' }))
  await screen.findByText('Machine added.')
  const [{ choices } = { choices: [] }] = await fieldsOf(app)
  expect(choices.map(({ name }: { name: string }) => name)).toEqual(['Jensen', 'Kannegiesser', 'Girbau'])
})

test('a field is moved, deleted after a question, and restored', async () => {
  const app = await startTestApp()
  for (const name of ['One', 'Two']) await addField(app, { name, type: 'text' })
  await openPanel(app, 'super_admin', page)
  await click('Move Two')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  await screen.findByText('Order saved.')
  expect((await fieldsOf(app)).map(({ name }) => name)).toEqual(['Two', 'One'])
  await click('More actions for One')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete…' }))
  const question = within(await screen.findByRole('dialog'))
  question.getByText('Delete “One”?')
  question.getByText(/^No lead has a value\./)
  fireEvent.click(question.getByRole('button', { name: 'Delete field' }))
  const deleted = within(await screen.findByRole('region', { name: 'Deleted fields' }))
  fireEvent.click(deleted.getByRole('button', { name: 'Restore One' }))
  await screen.findByText('One restored.')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Deleted fields' })).toBeNull())
  expect((await fieldsOf(app)).map(({ is_deleted }) => is_deleted)).toEqual([false, false])
})

test('the page is for admins, and asks nothing of the server for others', async () => {
  const { sent } = await openPanel(await startTestApp(), 'support', page)
  await screen.findByText('Only Super Admins and Admins can see and change custom fields.')
  expect(sent.some(({ path }) => path.includes('/custom-fields'))).toBe(false)
})
