import {
  act,
  cleanup,
  render,
  renderHook,
  screen,
  waitFor,
  type RenderHookResult,
} from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiError, NotPermitted, noAnswer } from '#web/api/errors.ts'
import { nextRequest, settle, signIn } from '#web/dom.testing.tsx'
import { dropDraft, keepDraft, readDraft } from '#web/form/draft.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { useMessage } from '#web/message/messages.ts'
import { toast } from '#web/message/toast.ts'

interface Note {
  title: string
  text: string
}
const initial: Note = { title: '', text: '' }
const schema = z.object({ title: z.string().min(1, 'Title is required.'), text: z.string() })
type Options = Partial<Parameters<typeof useDraftForm<Note>>[0]>

const draftDelayMs = 400

function open(options: Options = {}): RenderHookResult<DraftForm<Note>, unknown> {
  return renderHook(
    () => useDraftForm<Note>({ name: 'note', initial, schema, onSave: async () => {}, ...options }),
    { wrapper: MantineProvider },
  )
}

const type = (form: RenderHookResult<DraftForm<Note>, unknown>, values: Partial<Note>) =>
  act(async () => form.result.current.fields.setValues(values))
const submit = (form: RenderHookResult<DraftForm<Note>, unknown>) =>
  act(async () => form.result.current.submit())
/** Submits a form without waiting for its save. */
const begin = (form: Pick<RenderHookResult<DraftForm<Note>, unknown>, 'result'>) =>
  act(async () => {
    void form.result.current.submit()
  })
const valuesOf = (form: Pick<RenderHookResult<DraftForm<Note>, unknown>, 'result'>) =>
  form.result.current.fields.getValues()

/** A save that ends when the test says so. */
function pendingSave() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onSave = vi.fn(() => promise)
  return {
    onSave,
    succeed: () => act(async () => resolve()),
    fail: (error: Error) => act(async () => reject(error)),
  }
}

beforeEach(() => signIn([]))
afterEach(() => {
  vi.useRealTimers()
  // A long draft would be sent later, during another test.
  ;['note', 'note-1'].forEach(dropDraft)
})

test('input is kept as a draft after a pause, and a reopened form restores it with the time it was entered', async () => {
  vi.useFakeTimers()
  const form = open()
  await type(form, { title: 'Call back' })
  await act(() => vi.advanceTimersByTimeAsync(draftDelayMs - 1))
  expect(readDraft('note')).toBeUndefined()
  await act(() => vi.advanceTimersByTimeAsync(1))
  const keptAt = Date.now()
  expect(readDraft('note')).toMatchObject({ values: { title: 'Call back' }, over: { title: '' } })
  form.unmount()

  const again = open()
  expect(valuesOf(again)).toEqual({ title: 'Call back', text: '' })
  expect(again.result.current.restoredFrom?.getTime()).toBe(keptAt)
})

test('text that was brought from another form is not announced as a restored draft, until it is kept as one', async () => {
  vi.useFakeTimers()
  keepDraft('note', { text: 'They called.' }, { text: '' }, true)
  const form = open()
  expect(valuesOf(form)).toEqual({ title: '', text: 'They called.' })
  expect(form.result.current.restoredFrom).toBeUndefined()
  await act(() => vi.advanceTimersByTimeAsync(draftDelayMs))
  form.unmount()
  expect(open().result.current.restoredFrom).toBeInstanceOf(Date)
})

test('a form that is closed before the pause keeps its last input', async () => {
  const form = open()
  await type(form, { title: 'Call' })
  form.unmount()
  expect(readDraft('note')?.values).toEqual({ title: 'Call' })
})

test('input that is deleted again deletes the draft, at a pause and when the form is closed', async () => {
  vi.useFakeTimers()
  const form = open()
  await type(form, { title: 'Call back' })
  await act(() => vi.advanceTimersByTimeAsync(draftDelayMs))
  expect(readDraft('note')).toBeDefined()
  await type(form, { title: '' })
  await act(() => vi.advanceTimersByTimeAsync(draftDelayMs))
  expect(readDraft('note')).toBeUndefined()
  form.unmount()

  keepDraft('note', { title: 'Call back' }, { title: '' })
  const again = open()
  expect(valuesOf(again).title).toBe('Call back')
  await type(again, { title: '' })
  again.unmount()
  expect(readDraft('note')).toBeUndefined()
})

test('a draft belongs to the admin user who entered it', async () => {
  const form = open()
  await type(form, { title: 'Mine' })
  form.unmount()
  localStorage.setItem('admin_id', '8')
  expect(valuesOf(open())).toEqual(initial)
})

test('a form asks before it is saved without a file that was refused, and names the file', async () => {
  const onSave = vi.fn(async () => {})
  const dismiss = vi.fn()
  const form = open({ onSave, saveVerb: 'Send' })
  const { result: message } = renderHook(useMessage)
  await type(form, { title: 'Call' })
  await act(async () => void form.result.current.inner.tell.refused({ names: ['scan.exe'], dismiss }))
  await begin(form)
  expect(message.current).toMatchObject({
    text: 'Send without “scan.exe”?',
    question: { proceedLabel: 'Send without it' },
  })
  await act(async () => message.current!.answer(false))
  expect(onSave).not.toHaveBeenCalled()
  expect(form.result.current).toMatchObject({ saving: false, isDirty: true })

  await begin(form)
  await act(async () => message.current!.answer(true))
  expect(onSave).toHaveBeenCalledOnce()
  expect(dismiss).toHaveBeenCalledOnce()
})

test('a save deletes the draft and leaves the form clean', async () => {
  const form = open()
  await type(form, { title: 'Call' })
  await submit(form)
  expect(readDraft('note')).toBeUndefined()
  expect(form.result.current.isDirty).toBe(false)
  form.unmount()
  expect(readDraft('note')).toBeUndefined()
})

test('invalid input is not sent, and the message is shown', async () => {
  const onSave = vi.fn(async () => {})
  const form = open({ onSave })
  await submit(form)
  expect(onSave).not.toHaveBeenCalled()
  // No field of this test is on a page, so its message is shown above the form.
  expect(form.result.current.failure).toBe('Title is required.')
})

test('a form saves once, however often it is submitted', async () => {
  const save = pendingSave()
  const form = open({ onSave: save.onSave })
  await type(form, { title: 'Call' })
  await begin(form)
  await begin(form)
  expect(form.result.current.saving).toBe(true)
  await save.succeed()
  expect(save.onSave).toHaveBeenCalledTimes(1)
  expect(form.result.current.saving).toBe(false)
})

test('input that is entered during a save stays, unsaved and in the draft', async () => {
  const save = pendingSave()
  const form = open({ onSave: save.onSave })
  await type(form, { title: 'Call' })
  await begin(form)
  await type(form, { text: 'At noon' })
  await save.succeed()
  expect(valuesOf(form)).toEqual({ title: 'Call', text: 'At noon' })
  expect(form.result.current.isDirty).toBe(true)
  form.unmount()
  expect(readDraft('note')?.values).toMatchObject({ text: 'At noon' })
})

test('a form that starts over after its values were sent keeps input entered since', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const form = open({
    onSave: async (values) => {
      await promise
      form.result.current.discardSent(values)
    },
  })
  await type(form, { title: 'Call', text: 'Sent.' })
  await begin(form)
  await type(form, { text: 'Sent. Next' })
  await act(async () => resolve())
  expect(valuesOf(form)).toEqual({ title: '', text: 'Next' })
  expect(form.result.current.isDirty).toBe(true)
  form.unmount()
  expect(readDraft('note')?.values).toEqual({ text: 'Next' })
})

test('a failed save keeps the input and the draft, and shows what the server said', async () => {
  const save = pendingSave()
  const form = open({ onSave: save.onSave })
  await type(form, { title: 'Call' })
  await begin(form)
  await save.fail(new ApiError(422, { message: 'Invalid.', errors: { title: ['This title is taken.'] } }))
  expect(form.result.current.failure).toBe('This title is taken.')
  expect(valuesOf(form).title).toBe('Call')
  expect(readDraft('note')?.values).toEqual({ title: 'Call' })
})

test('the message that the server can’t be reached disappears when the connection is back', async () => {
  const form = open({ onSave: () => Promise.reject(noAnswer()) })
  await type(form, { title: 'Call back' })
  await submit(form)
  expect(form.result.current.failure).toContain('Can’t reach the server.')
  await act(async () => dispatchEvent(new Event('online')))
  expect([form.result.current.failure, valuesOf(form).title]).toEqual([undefined, 'Call back'])
})

test('a message of the server stays when the connection is back', async () => {
  const form = open({ onSave: () => Promise.reject(new ApiError(409, { message: 'This title is taken.' })) })
  await type(form, { title: 'Call back' })
  await submit(form)
  await act(async () => dispatchEvent(new Event('online')))
  expect(form.result.current.failure).toBe('This title is taken.')
})

test('an error of a field whose path is on a wrapper focuses the text inside', async () => {
  const save = pendingSave()
  const form = open({ onSave: save.onSave })
  render(
    <div data-path="text">
      <button type="button">Bold</button>
      <textarea aria-label="Text" />
    </div>,
  )
  await type(form, { title: 'Call back' })
  await begin(form)
  await save.fail(new ApiError(422, { message: 'Not saved.', errors: { text: ['Text is required.'] } }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text' })))
})

test('the first field on the page with an error gets the focus, whatever the order of the values', async () => {
  const errors = { title: ['This title is taken.'], text: ['Text is required.'] }
  const form = open({ onSave: () => Promise.reject(new ApiError(422, { message: 'Not saved.', errors })) })
  render(
    <>
      <textarea aria-label="Text" data-path="text" />
      <input aria-label="Title" data-path="title" />
    </>,
  )
  await type(form, { title: 'Call back' })
  await submit(form)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text' })))
})

test('a save without the permission shows no message and keeps the input', async () => {
  const form = open({ onSave: () => Promise.reject(new NotPermitted('')) })
  await type(form, { title: 'Call' })
  await submit(form)
  expect([form.result.current.failure, valuesOf(form).title]).toEqual([undefined, 'Call'])
})

test('a save that fails after the form was closed says so and keeps the draft', async () => {
  const failure = vi.spyOn(toast, 'failure').mockImplementation(() => {})
  const save = pendingSave()
  const form = open({ onSave: save.onSave })
  await type(form, { title: 'Call' })
  await begin(form)
  form.unmount()
  await save.fail(new ApiError(0, { message: 'Can’t reach the server.' }))
  expect(failure).toHaveBeenCalledExactlyOnceWith(
    'Can’t reach the server. Not saved. Your changes are kept as a draft.',
  )
  expect(readDraft('note')?.values).toEqual({ title: 'Call' })
})

test('a save that ends after the form was closed deletes the draft, closes nothing, and resets a reopened form', async () => {
  const save = pendingSave()
  const onSaved = vi.fn()
  const form = open({ onSave: save.onSave, onSaved })
  await type(form, { title: 'Call' })
  await begin(form)
  form.unmount()
  const again = open({ onSaved })
  expect(valuesOf(again).title).toBe('Call')
  await save.succeed()
  expect(readDraft('note')).toBeUndefined()
  expect(valuesOf(again)).toEqual(initial)
  expect(onSaved).not.toHaveBeenCalled()
})

test('a reopened form keeps what was added since the save that ends late', async () => {
  const save = pendingSave()
  const form = open({ onSave: save.onSave })
  await type(form, { title: 'Call' })
  await begin(form)
  form.unmount()
  const again = open()
  await type(again, { text: 'At noon' })
  await save.succeed()
  expect(valuesOf(again)).toEqual({ title: 'Call', text: 'At noon' })
})

test('a question before saving that is answered with no saves nothing', async () => {
  const onSave = vi.fn(async () => {})
  const form = open({ onSave, confirmSave: async () => false })
  await type(form, { title: 'Call' })
  await submit(form)
  expect(onSave).not.toHaveBeenCalled()
  expect([form.result.current.isDirty, form.result.current.saving]).toEqual([true, false])
})

test('discarding returns to the stored values and deletes the draft, also one that is about to be stored', async () => {
  vi.useFakeTimers()
  const form = open({ initial: { title: 'Stored', text: '' } })
  await type(form, { title: 'Typed' })
  await act(async () => form.result.current.discard())
  await act(() => vi.advanceTimersByTimeAsync(draftDelayMs))
  expect(valuesOf(form).title).toBe('Stored')
  expect([readDraft('note'), form.result.current.isDirty]).toEqual([undefined, false])
})

test('an upload in progress blocks the save', async () => {
  const onSave = vi.fn(async () => {})
  const form = open({ onSave })
  await type(form, { title: 'Call' })
  let done = () => {}
  await act(async () => void (done = form.result.current.inner.tell.busy()))
  await submit(form)
  expect(form.result.current.saveBlockedReason).toBe('A file is still uploading.')
  expect(onSave).not.toHaveBeenCalled()
  await act(async () => done())
  await submit(form)
  expect(onSave).toHaveBeenCalledTimes(1)
})

test('a draft names the fields that others have changed since it was entered', async () => {
  const form = open({ initial: { title: 'A', text: 'B' } })
  await type(form, { title: 'Mine' })
  form.unmount()
  expect(open({ initial: { title: 'Theirs', text: 'B' } }).result.current.outdated).toEqual(['title'])
  cleanup()
  expect(open({ initial: { title: 'A', text: 'Theirs' } }).result.current.outdated).toEqual([])
})

interface Stored extends Note {
  version: number
}
function openRecord(first: Stored, onSave: (values: Note) => Promise<unknown> = async () => {}) {
  return renderHook(
    ({ record }: { record: Stored }) => {
      const { stored, newer } = useRecordSnapshot(record, ({ title, text }) => ({ title, text }))
      return useDraftForm<Note>({ name: 'note-1', initial: stored, newer, schema, onSave })
    },
    { initialProps: { record: first }, wrapper: MantineProvider },
  )
}

test('an untouched form follows the record; a form with input does not until it is discarded', async () => {
  const form = openRecord({ version: 1, title: 'A', text: 'B' })
  form.rerender({ record: { version: 2, title: 'A2', text: 'B' } })
  await waitFor(() => expect(form.result.current.fields.getValues().title).toBe('A2'))
  expect(form.result.current.isDirty).toBe(false)

  await act(async () => form.result.current.fields.setValues({ text: 'Mine' }))
  form.rerender({ record: { version: 3, title: 'A3', text: 'B3' } })
  await settle()
  expect(form.result.current.fields.getValues()).toEqual({ title: 'A2', text: 'Mine' })
  await act(async () => form.result.current.discard())
  await waitFor(() => expect(form.result.current.fields.getValues()).toEqual({ title: 'A3', text: 'B3' }))
})

test('after a save, the form takes over the saved record and keeps what was entered since', async () => {
  const save = pendingSave()
  const form = openRecord({ version: 1, title: 'A', text: 'B' }, save.onSave)
  await act(async () => form.result.current.fields.setValues({ title: 'Mine' }))
  await begin(form)
  await act(async () => form.result.current.fields.setValues({ text: 'More' }))
  await save.succeed()
  form.rerender({ record: { version: 2, title: 'Mine', text: 'Theirs' } })
  await waitFor(() => expect(form.result.current.fields.getValues()).toEqual({ title: 'Mine', text: 'More' }))
  expect(form.result.current.fields.isDirty('title')).toBe(false)
  expect(form.result.current.fields.isDirty('text')).toBe(true)
})

const long = 'x'.repeat(200_000)

test('a long draft is fetched from the server; input entered while it loads wins', async () => {
  keepDraft('note', { title: 'Draft', text: long }, initial)
  expect(readDraft('note')).toMatchObject({ values: {}, onServer: true })
  const form = open()
  const request = await nextRequest(0)
  await type(form, { title: 'Typed' })
  await act(async () =>
    request.answer(200, { data: { values: { title: 'Draft', text: long }, over: initial, at: Date.now() } }),
  )
  await waitFor(() => expect(valuesOf(form)).toEqual({ title: 'Typed', text: long }))
})

test('a long draft that arrives when the form shows another record changes nothing', async () => {
  keepDraft('note-1', { title: 'Draft', text: long }, initial)
  const form = renderHook(
    ({ name }) => useDraftForm<Note>({ name, initial, schema, onSave: async () => {} }),
    { initialProps: { name: 'note-1' }, wrapper: MantineProvider },
  )
  const request = await nextRequest(0)
  form.rerender({ name: 'note-2' })
  await act(async () => request.answer(200, { data: { values: { title: 'Draft' }, at: Date.now() } }))
  await settle()
  expect(valuesOf(form)).toEqual(initial)
})
