import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/errors.ts'
import { renderPage } from '#web/dom.testing.tsx'
import type { RecordFields } from '#web/record/fieldWords.ts'
import { changedOf } from '#web/form/changedOf.ts'
import { useMerged, type Seen } from '#web/record/useMerged.tsx'

interface Note {
  title: string
  text: string
}
interface Stored extends Note {
  version: number
}
const words = { title: { label: 'Title' }, text: { label: 'Text' } } as unknown as RecordFields

type Save = ReturnType<typeof useMerged<Partial<Note>>>['save']

/** Shows a record; `current().save` is what its form calls. */
async function show(found: Stored): Promise<{ current: () => Save }> {
  let save: Save | undefined
  await renderPage(() => {
    const merged = useMerged<Partial<Note>>(found, 'the note', words)
    save = merged.save
    return <main>{merged.dialog}</main>
  })
  return { current: () => save! }
}

const conflict = (current: Stored, ...fields: (keyof Note)[]) =>
  new ApiError(409, {
    message: 'Someone else changed this.',
    current,
    clashes: fields.map((field) => ({ field, yours: `my ${field}`, theirs: current[field] })),
  })

/** Begins a save that asks a question before it ends. */
function begin(current: () => Save, ...words: Parameters<Save>): Promise<void> {
  let saved = Promise.resolve()
  act(() => void (saved = current()(...words)))
  return saved
}

const answer = async (button: string) => {
  const found = await screen.findByRole('button', { name: button })
  await act(async () => void fireEvent.click(found))
}

test('a save sends the changed fields with the values and the version that the user saw', async () => {
  const send = vi.fn<(changes: object, seen: Seen) => Promise<void>>(async () => {})
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  await act(() => current()({ title: 'my title' }, send))
  expect(send).toHaveBeenCalledExactlyOnceWith({ title: 'my title' }, { version: 3, base: { title: 'A' } })
})

test('a conflict asks; saving the own values repeats the save on the newer version', async () => {
  const theirs = { version: 5, title: 'their title', text: 'B5' }
  const send = vi.fn(async () => {}).mockRejectedValueOnce(conflict(theirs, 'title'))
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  const saved = begin(current, { title: 'my title', text: 'my text' }, send)
  await answer('Save')
  await act(() => saved)
  expect(send).toHaveBeenLastCalledWith(
    { title: 'my title', text: 'my text' },
    { version: 5, base: { title: 'their title', text: 'B5' } },
  )
  expect(send).toHaveBeenCalledTimes(2)
})

test('fields for which the saved value is chosen are not sent again', async () => {
  const theirs = { version: 5, title: 'their title', text: 'B' }
  const send = vi.fn(async () => {}).mockRejectedValueOnce(conflict(theirs, 'title'))
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  const saved = begin(current, { title: 'my title', text: 'my text' }, send)
  fireEvent.click(await screen.findByRole('radio', { name: /Saved version/ }))
  await answer('Save')
  await act(() => saved)
  expect(send).toHaveBeenLastCalledWith({ text: 'my text' }, { version: 5, base: { text: 'B' } })
})

test('if every saved value is chosen, nothing is sent again and the save is done', async () => {
  const theirs = { version: 5, title: 'their title', text: 'B' }
  const send = vi.fn(async () => {}).mockRejectedValueOnce(conflict(theirs, 'title'))
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  const saved = begin(current, { title: 'my title' }, send)
  fireEvent.click(await screen.findByRole('radio', { name: /Saved version/ }))
  await answer('Save')
  await act(() => saved)
  expect(send).toHaveBeenCalledTimes(1)
})

test('someone who saves again while the question is open leads to a second question', async () => {
  const send = vi
    .fn(async () => {})
    .mockRejectedValueOnce(conflict({ version: 5, title: 'their title', text: 'B' }, 'title'))
    .mockRejectedValueOnce(conflict({ version: 6, title: 'their newer title', text: 'B' }, 'title'))
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  const saved = begin(current, { title: 'my title' }, send)
  await answer('Save')
  await screen.findByText('their newer title')
  await answer('Save')
  await act(() => saved)
  expect(send).toHaveBeenLastCalledWith(
    { title: 'my title' },
    { version: 6, base: { title: 'their newer title' } },
  )
})

test('continuing to edit rejects with the conflict, so that the form keeps its input', async () => {
  const error = conflict({ version: 5, title: 'their title', text: 'B' }, 'title')
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  const saved = begin(current, { title: 'my title' }, () => Promise.reject(error))
  const failed = expect(saved).rejects.toBe(error)
  await answer('Keep editing')
  await failed
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a draft that would overwrite a later change asks before anything is sent', async () => {
  const send = vi.fn(async () => {})
  const { current } = await show({ version: 3, title: 'their title', text: 'B' })
  const saved = begin(current, { title: 'my draft' }, send, ['title'])
  await screen.findByText('their title')
  expect(send).not.toHaveBeenCalled()
  const failed = expect(saved).rejects.toThrow('Someone else changed this after you started editing.')
  await answer('Keep editing')
  await failed
  expect(send).not.toHaveBeenCalled()
})

test('errors other than conflicts pass through', async () => {
  const error = new ApiError(422, { message: 'Invalid.', errors: { title: ['Too long.'] } })
  const { current } = await show({ version: 3, title: 'A', text: 'B' })
  await expect(current()({ title: 'my title' }, () => Promise.reject(error))).rejects.toBe(error)
})

test('only fields whose values differ count as changes', () => {
  expect(changedOf({ a: 1, b: [1, 3], c: null }, { a: 1, b: [1, 2], c: null })).toEqual({ b: [1, 3] })
})
