import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { addField, fieldsOf } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'

/* Columns of an import that become custom fields. */

const file = `Company,Machine,Interests,Email
Alder,Jensen,Lockers; Training,x
Birch,Elevator,Lockers,y
Cedar,jensen,Training,z
Dogwood,Elevator,,`

async function openMapping(who: string, app: Awaited<ReturnType<typeof startTestApp>>) {
  const form = { lead_for: '1', file: { name: 'list.csv', bytes: file, type: 'text/csv' } }
  const { data } = await app.as(who).post('/admin/users/lead-imports', undefined, { form })
  const panel = await openPanel(app, who, `/demo-leads/import?import=${data.id}`)
  await screen.findByLabelText('Lead field for Machine')
  return panel
}
const target = (column: string) => screen.getByLabelText<HTMLSelectElement>(`Lead field for ${column}`)
async function openForm(column: string) {
  fireEvent.click(await screen.findByRole('button', { name: `Make a field of ${column}` }))
  return within(await screen.findByRole('form', { name: 'New field' }))
}
const choicesOf = (form: Awaited<ReturnType<typeof openForm>>) =>
  form.getAllByLabelText<HTMLInputElement>(/^Choice \d/).map(({ value }) => value)

test('an admin makes a field of a column, which is then mapped to it', async () => {
  const app = await startTestApp()
  await openMapping('admin', app)
  expect(screen.queryByRole('button', { name: 'Make a field of Company' })).toBeNull()
  const form = await openForm('Machine')
  expect(form.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Machine')
  expect(form.getByLabelText<HTMLSelectElement>('Type').value).toBe('choice')
  expect(choicesOf(form)).toEqual(['Elevator', 'Jensen'])
  fireEvent.click(form.getByRole('button', { name: 'Create field' }))
  await screen.findByText('Machine added.')
  const [field] = await fieldsOf(app)
  expect(field).toMatchObject({ name: 'Machine', type: 'choice', choices: [{ id: 1 }, { id: 2 }] })
  await waitFor(() => expect(target('Machine').selectedOptions[0]!.text).toBe('Machine'))
  expect(target('Machine').value).toBe(`custom_${field!.id}`)
  expect(document.activeElement).toBe(target('Machine'))
  expect(screen.queryByRole('button', { name: 'Make a field of Machine' })).toBeNull()
  fill(target('Email'), 'skip')
  fireEvent.click(screen.getByRole('button', { name: 'Preview import' }))
  await screen.findByRole('button', { name: 'Import 4 rows' })
})

test('another type has the choices of the column, too', async () => {
  await openMapping('super_admin', await startTestApp())
  const form = await openForm('Interests')
  expect(form.getByLabelText<HTMLSelectElement>('Type').value).toBe('choices')
  expect(choicesOf(form)).toEqual(['Lockers', 'Training'])
  fill(form.getByLabelText('Type'), 'choice')
  await waitFor(() => expect(choicesOf(form)).toEqual(['Lockers; Training', 'Lockers', 'Training']))
  fill(form.getByLabelText('Choice 1'), 'Both')
  fill(form.getByLabelText('Type'), 'choices')
  await waitFor(() => expect(choicesOf(form)).toEqual(['Both', 'Lockers', 'Training']))
})

test('a refused field stays in its form, and the column as it was', async () => {
  const app = await startTestApp()
  await openMapping('admin', app)
  fill(target('Email'), 'detail')
  const form = await openForm('Email')
  fireEvent.click(form.getByRole('button', { name: 'Create field' }))
  await form.findByText('Leads have the field “Email” already.')
  expect(target('Email').value).toBe('detail')
  expect(await fieldsOf(app)).toEqual([])
})

test('a product with 50 custom fields says so at the column', async () => {
  const app = await startTestApp()
  for (let field = 1; field <= 50; field += 1) await addField(app, { name: `Field ${field}`, type: 'text' })
  await openMapping('admin', app)
  const button = () => screen.getByRole('button', { name: 'Make a field of Machine' })
  await waitFor(() => expect(button()).toHaveProperty('disabled', true))
  within(button().closest('td')!).getByText('A product can have up to 50 custom fields.')
})

test('others can’t make a field', async () => {
  await openMapping('crm', await startTestApp())
  expect(screen.queryByRole('button', { name: /^Make a field/ })).toBeNull()
})
