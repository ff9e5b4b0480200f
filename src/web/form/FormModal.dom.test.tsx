import { useState } from 'react'
import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { TextField } from '#web/form/inputs.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'

const initial = { title: '', text: '' }

function Sample({ onSave, starts }: { onSave: () => void; starts?: 'text' }) {
  const form = useDraftForm({ name: 'sample', initial, onSave: async () => onSave() })
  return (
    <FormModal title="Sample" form={form} onClose={() => {}}>
      <TextField form={form.fields} name="title" label="Title" />
      <TextField form={form.fields} name="text" label="Text" autoFocus={starts === 'text'} />
    </FormModal>
  )
}

function Page(props: Parameters<typeof Sample>[0]) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {isOpen && <Sample {...props} />}
    </>
  )
}

/** Opens the form; a dialog takes the focus a moment later. */
async function open(starts?: 'text') {
  const onSave = vi.fn()
  await renderPage(() => <Page onSave={onSave} {...(starts && { starts })} />)
  fireEvent.click(screen.getByRole('button', { name: 'Open' }))
  return onSave
}

beforeEach(() => signIn([]))

test('the first field has the focus, unless another one is marked', async () => {
  await open()
  await settle()
  expect(document.activeElement).toBe(screen.getByLabelText('Title'))
})

test('a marked field has the focus', async () => {
  await open('text')
  await settle()
  expect(document.activeElement).toBe(screen.getByLabelText('Text'))
})

test('a field that the user chooses while the dialog opens keeps the focus', async () => {
  await open()
  act(() => screen.getByLabelText('Text').focus())
  await settle()
  expect(document.activeElement).toBe(screen.getByLabelText('Text'))
})

test('Ctrl+Enter saves from anywhere in the dialog, such as its Close button', async () => {
  const onSave = await open()
  await settle()
  fireEvent.keyDown(document.querySelector('header button')!, { key: 'Enter', ctrlKey: true })
  await settle()
  expect(onSave).toHaveBeenCalledOnce()
})
