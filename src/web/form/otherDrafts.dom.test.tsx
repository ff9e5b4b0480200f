import { startTransition, useEffect, useState } from 'react'
import { act, cleanup, render, renderHook } from '@testing-library/react'
import { MantineProvider } from '@mantine/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextRequest, signIn } from '#web/dom.testing.tsx'
import { keepDraft, readDraft } from '#web/form/draft.ts'
import { hasDraft, moveDraft, setAside } from '#web/form/otherDrafts.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { draftPrefix, personalKey } from '#web/session.ts'

interface Note {
  title: string
  text: string
}
const initial: Note = { title: '', text: '' }
const useNote = () => useDraftForm<Note>({ name: 'note', initial, onSave: async () => {} })
const open = () => renderHook(useNote, { wrapper: MantineProvider })
type Opened = ReturnType<typeof open>

const draftDelayMs = 400
const type = (form: Opened, values: Partial<Note>) =>
  act(async () => form.result.current.fields.setValues(values))
const pause = () => act(() => vi.advanceTimersByTimeAsync(draftDelayMs))
const valuesOf = (form: Opened) => form.result.current.fields.getValues()

const key = () => draftPrefix + personalKey('note')
/** Stores a draft as another tab does; without `isHeard`, this tab is frozen and doesn’t hear of it yet. */
async function storeElsewhere(values: Partial<Note> | undefined, isHeard = true): Promise<void> {
  if (values) localStorage.setItem(key(), JSON.stringify({ values, over: {}, at: Date.now() }))
  else localStorage.removeItem(key())
  if (isHeard) await act(async () => dispatchEvent(new StorageEvent('storage', { key: key() })))
}

beforeEach(() => {
  signIn([])
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  localStorage.clear()
})

test('a form has its draft before anything can be typed', async () => {
  vi.useRealTimers()
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  keepDraft('note', { text: 'A long reply.' }, {})
  const seen: string[] = []
  function Form() {
    const { fields } = useNote()
    return (
      <textarea
        aria-label="Text"
        ref={(field) => {
          if (field) queueMicrotask(() => seen.push(field.value))
        }}
        {...fields.getInputProps('text')}
      />
    )
  }
  // As a page that loads, whose effects run later than its first keys.
  function Page() {
    const [isLoaded, setLoaded] = useState(false)
    useEffect(() => startTransition(() => setLoaded(true)), [])
    return isLoaded && <Form />
  }
  render(<Page />, { wrapper: MantineProvider })
  await vi.waitFor(() => expect(seen).toContain('A long reply.'))
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  expect(seen[0]).toBe('A long reply.')
})

test('a form whose input is stored takes over what another tab stores, and what is typed here is added', async () => {
  const form = open()
  await type(form, { text: 'Start.' })
  await pause()
  await storeElsewhere({ text: 'Start. Long text.' })
  expect(valuesOf(form).text).toBe('Start. Long text.')
  await type(form, { text: 'Start. Long text. x' })
  await pause()
  expect(readDraft('note')?.values).toEqual({ text: 'Start. Long text. x' })
  expect(form.result.current.other).toBeUndefined()
})

test('a form without input takes over what another tab stores, and is empty again when it is sent there', async () => {
  const form = open()
  await storeElsewhere({ text: 'Hello.' })
  expect(valuesOf(form).text).toBe('Hello.')
  await pause()
  await storeElsewhere(undefined)
  expect(valuesOf(form)).toEqual(initial)
  await pause()
  expect(readDraft('note')).toBeUndefined()
})

for (const isHeard of [true, false])
  test(`input that differs from what another tab ${isHeard ? 'stores' : 'has stored unnoticed'} is stored, and the other is offered`, async () => {
    const form = open()
    await type(form, { text: 'Start.' })
    await pause()
    await type(form, { text: 'Start. x' })
    await storeElsewhere({ text: 'Start. Long text.' }, isHeard)
    await pause()
    expect(valuesOf(form).text).toBe('Start. x')
    expect(readDraft('note')?.values).toEqual({ text: 'Start. x' })

    await act(async () => form.result.current.other!.use())
    await pause()
    expect(valuesOf(form).text).toBe('Start. Long text.')
    expect(readDraft('note')?.values).toEqual({ text: 'Start. Long text.' })
    // The first one is offered in turn, also when the form is opened again, until it is discarded.
    form.unmount()
    const again = open()
    await act(async () => again.result.current.other!.use())
    expect(valuesOf(again).text).toBe('Start. x')
    await act(async () => again.result.current.other!.drop())
    expect(again.result.current.other).toBeUndefined()
    again.unmount()
    expect(readDraft('note')?.values).toEqual({ text: 'Start. x' })
  })

test('a form that is closed with older input keeps what another tab has stored', async () => {
  const form = open()
  await type(form, { text: 'Start.' })
  await pause()
  await storeElsewhere({ text: 'Start. Long text.' }, false)
  await act(async () => form.result.current.discard())
  form.unmount()
  expect(readDraft('note')?.values).toEqual({ text: 'Start. Long text.' })
})

test('a form stores nothing over a long draft that it couldn’t load; its input is offered the next time', async () => {
  const long = 'x'.repeat(60_000)
  keepDraft('note', { text: long }, initial)
  const form = open()
  await act(async () => (await nextRequest(0)).answer(500, { message: 'Down.' }))
  await type(form, { text: 'r' })
  await pause()
  await type(form, { text: 're' })
  await pause()
  form.unmount()
  expect(readDraft('note')?.onServer).toBe(true)
  const again = open()
  await act(async () => again.result.current.other!.use())
  expect(valuesOf(again).text).toBe('re')
})

test('input typed while a long draft loaded is kept, and the draft is offered if both have the same field', async () => {
  const long = 'x'.repeat(60_000)
  keepDraft('note', { text: long }, initial)
  const form = open()
  const request = await nextRequest(0)
  await type(form, { text: 're' })
  await pause()
  await act(async () => request.answer(200, { data: { values: { text: long }, at: Date.now() } }))
  await settleTimers()
  expect(valuesOf(form).text).toBe('re')
  expect(form.result.current.other).toBeDefined()
})

test('a draft that moves to a form whose long draft can’t be read is set aside', async () => {
  keepDraft('note', { text: 'x'.repeat(60_000) }, initial)
  keepDraft('note-2', { text: 'Hello.' }, initial)
  const moved = moveDraft('note-2', 'note', 'text')
  ;(await nextRequest(0)).answer(500, { message: 'Down.' })
  expect(await moved).toBe(true)
  expect(readDraft('note')?.onServer).toBe(true)
  expect([hasDraft('note'), hasDraft('note-2')]).toEqual([true, false])
})

test.each([true, false])(
  'drafts that were set aside move too, with a draft of the form: %s',
  async (hasOwn) => {
    if (hasOwn) keepDraft('note-2', { text: 'Mine.' }, initial)
    setAside('note-2', { text: 'Of the other tab.' }, initial)
    setAside('note-2', { text: 'x'.repeat(60_000) }, initial)
    setAside('note', { text: 'Already there.' }, initial)
    const moved = moveDraft('note-2', 'note', 'text')
    const values = { text: 'x'.repeat(60_000) }
    ;(await nextRequest(0)).answer(200, { data: { values, at: Date.now() } })
    expect(await moved).toBe(true)
    expect(hasDraft('note-2')).toBe(false)
    expect(readDraft('note')?.values).toEqual(hasOwn ? { text: 'Mine.' } : undefined)
    const asides = [1, 2, 3].map((slot) => readDraft(`note:other-${slot}`))
    expect(asides.map((draft) => draft?.onServer ?? draft?.values)).toEqual([
      { text: 'Already there.' },
      { text: 'Of the other tab.' },
      true,
    ])
    // The form offers them.
    const form = open()
    await act(async () => form.result.current.other!.use())
    expect(valuesOf(form).text).toBe('Already there.')
  },
)

test('a draft that was set aside stays where it is if there is no room for it, or if it can’t be read', async () => {
  for (const slot of [1, 2, 3, 4]) setAside('note', { text: `Other ${slot}.` }, initial)
  for (const text of ['First.', 'Second.', 'x'.repeat(60_000)]) setAside('note-2', { text }, initial)
  const moved = moveDraft('note-2', 'note', 'text')
  ;(await nextRequest(0)).answer(500, { message: 'Down.' })
  expect(await moved).toBe(true)
  const left = [1, 2, 3].map((slot) => readDraft(`note-2:other-${slot}`))
  expect(left.map((draft) => draft?.onServer ?? draft?.values)).toEqual([
    undefined,
    { text: 'Second.' },
    true,
  ])
  expect(readDraft('note:other-5')?.values).toEqual({ text: 'First.' })
  expect(await moveDraft('note-3', 'note', 'text')).toBe(false)
})

const settleTimers = () => act(() => vi.advanceTimersByTimeAsync(0))
