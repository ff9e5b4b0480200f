import { use, useEffect, type ReactNode } from 'react'
import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ComposerForm } from '#web/composer/ComposerForm.tsx'
import { renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { readDraft } from '#web/form/draft.ts'
import { InnerContext } from '#web/form/inner.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useMessage } from '#web/message/messages.ts'

const schema = z.object({ text: z.string() })

function Note({ onSave, children }: { onSave: () => Promise<void>; children?: ReactNode }) {
  const form: DraftForm<{ text: string }> = useDraftForm({
    name: 'note',
    initial: { text: '' },
    schema,
    onSave: async () => {
      await onSave()
      form.discard()
    },
  })
  return (
    <ComposerForm label="Note" form={form} acts={null}>
      <textarea aria-label="Text" {...form.fields.getInputProps('text')} />
      {children}
    </ComposerForm>
  )
}

async function open(onSave: () => Promise<void>): Promise<HTMLElement> {
  signIn([])
  await renderPage(() => <Note onSave={onSave} />)
  const text = screen.getByRole('textbox', { name: 'Text' })
  text.focus()
  fireEvent.change(text, { target: { value: 'Call back' } })
  return text
}

async function save(text: HTMLElement): Promise<void> {
  fireEvent.keyDown(text, { key: 'Enter', ctrlKey: true })
  await settle()
}

test('Escape moves the focus out of the composer, and its text stays', async () => {
  const text = await open(async () => {})
  fireEvent.keyDown(text, { key: 'Escape' })
  expect(document.activeElement).toBe(document.body)
  expect(text).toHaveProperty('value', 'Call back')
})

test('the focus leaves the composer when its text was sent', async () => {
  const onSave = vi.fn(async () => {})
  const text = await open(onSave)
  await save(text)
  expect(onSave).toHaveBeenCalledOnce()
  expect(document.activeElement).toBe(document.body)
})

test('the focus stays in a text that could not be sent', async () => {
  const text = await open(() => Promise.reject(new Error('No answer.')))
  await save(text)
  expect(document.activeElement).toBe(text)
})

test('leaving asks nothing, because the text is kept as a draft, which the composer says', async () => {
  signIn([])
  const { go } = await renderPage(() => <Note onSave={async () => {}} />)
  fireEvent.change(screen.getByRole('textbox', { name: 'Text' }), { target: { value: 'Call back' } })
  await screen.findByText('Draft saved')
  const { result: question } = renderHook(() => useMessage())
  await act(() => go('/elsewhere'))
  expect(question.current).toBeUndefined()
  expect(readDraft('note')?.values).toEqual({ text: 'Call back' })
})

test('leaving asks while a file is uploading, which a draft can’t keep', async () => {
  signIn([])
  const Uploading = () => {
    const { busy } = use(InnerContext)
    useEffect(() => busy(), [busy])
    return null
  }
  const { go } = await renderPage(() => (
    <Note onSave={async () => {}}>
      <Uploading />
    </Note>
  ))
  await settle()
  const { result: question } = renderHook(() => useMessage())
  act(() => void go('/elsewhere'))
  await waitFor(() =>
    expect(question.current).toMatchObject({
      text: 'Leave this page?',
      question: { detail: expect.stringContaining('files that aren’t uploaded will be lost') },
    }),
  )
  await act(async () => question.current!.answer(true))
})
