import { fireEvent, screen } from '@testing-library/react'
import { useForm } from '@mantine/form'
import { expect, test } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import { PersonField } from '#web/form/PersonField.tsx'

const staff = [
  { id: 1, name: 'Mei Tanaka' },
  { id: 2, name: 'Zoë Fournier' },
  { id: 3, name: 'Tom Whitfield' },
  { id: 4, name: 'Jörg Weiß' },
]

function Page() {
  const fields = useForm({ initialValues: { assigned_to: '3' } })
  return (
    <>
      <PersonField form={fields} name="assigned_to" label="Assignee" staff={staff} none="Unassigned" />
      <output>{fields.values.assigned_to}</output>
    </>
  )
}

test('an assignee is found by parts of the name, whatever the case and accents', async () => {
  await renderPage(Page)
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Assignee' })
  expect(field.value).toBe('Tom Whitfield')
  fireEvent.click(field)
  fireEvent.change(field, { target: { value: 'fou zoe' } })
  fireEvent.click(await screen.findByRole('option', { name: 'Zoë Fournier' }))
  expect(screen.getByRole('status').textContent).toBe('2')
  expect(field.value).toBe('Zoë Fournier')
  fireEvent.click(field)
  fireEvent.change(field, { target: { value: 'weiss jorg' } })
  fireEvent.click(await screen.findByRole('option', { name: 'Jörg Weiß' }))
  expect(screen.getByRole('status').textContent).toBe('4')
  fireEvent.click(field)
  fireEvent.change(field, { target: { value: '' } })
  fireEvent.click(await screen.findByRole('option', { name: 'Unassigned' }))
  expect(screen.getByRole('status').textContent).toBe('')
})

test('a click into the field selects the name, so that typing replaces it, but not a search', async () => {
  await renderPage(Page)
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Assignee' })
  const click = () => {
    field.focus()
    // The browser places the cursor where the field is pressed.
    field.setSelectionRange(3, 3)
    fireEvent.click(field)
    return field.value.slice(field.selectionStart!, field.selectionEnd!)
  }
  expect(click()).toBe('Tom Whitfield')
  fireEvent.change(field, { target: { value: 'Mei' } })
  expect(click()).toBe('')
})
