import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { TextField } from '#web/form/inputs.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'

function Page({ isNew, marked }: { isNew?: boolean; marked?: boolean }) {
  const form = useDraftForm({ name: 'sample', initial: { title: '', text: '' }, onSave: async () => {} })
  return (
    <FormPage label="Sample" form={form} {...(isNew && { isNew })}>
      <TextField form={form.fields} name="title" label="Title" />
      <TextField form={form.fields} name="text" label="Text" {...(marked && { autoFocus: true })} />
    </FormPage>
  )
}

beforeEach(() => signIn([]))

test('the cursor is in the first or marked field of a page that makes a record', async () => {
  const first = await renderPage(() => <Page isNew />)
  await settle()
  expect(document.activeElement).toBe(screen.getByLabelText('Title'))
  first.unmount()
  await renderPage(() => <Page isNew marked />)
  await settle()
  expect(document.activeElement).toBe(screen.getByLabelText('Text'))
})

test('the page of a record does not take the focus from its keys', async () => {
  await renderPage(() => <Page />)
  await settle()
  expect(document.activeElement).not.toBe(screen.getByLabelText('Title'))
})

test('a field elsewhere in which the user types keeps the cursor', async () => {
  await renderPage(() => (
    <>
      <input aria-label="Search" ref={(node) => node?.focus()} />
      <Page isNew />
    </>
  ))
  await settle()
  expect(document.activeElement).toBe(screen.getByLabelText('Search'))
})
