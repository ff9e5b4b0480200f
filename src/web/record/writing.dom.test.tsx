import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WritingEvent } from '#shared/writing.ts'
import { asked, holdRequests, signIn } from '#web/dom.testing.tsx'
import { trackWriters, useAnnounceWriting, writingWords, type Writing } from '#web/record/writing.ts'

const reply: Writing = { type: 'ticket', id: 12, what: 'reply' }
const channel = 'private-ticket.12'

beforeEach(() => {
  vi.useFakeTimers()
  holdRequests()
  signIn(['all_tickets_view'])
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens a form whose text is empty at first. */
const openForm = (writing: Writing) => {
  const hook = renderHook(({ isDirty }) => useAnnounceWriting(writing, isDirty), {
    initialProps: { isDirty: false },
  })
  return {
    ...hook,
    type: () =>
      act(() => {
        hook.result.current()
        hook.rerender({ isDirty: true })
      }),
  }
}
const sent = () => asked.map(({ address, body }) => [address, body])
const path = '/api/admin/records/ticket/12/writing'

test('a writer is announced at most every five seconds while they type, and once when the text is sent', () => {
  const form = openForm(reply)
  form.type()
  vi.advanceTimersByTime(4999)
  form.type()
  expect(sent()).toEqual([[path, { what: 'reply', stopped: false }]])
  vi.advanceTimersByTime(1)
  form.type()
  expect(asked).toHaveLength(2)
  form.rerender({ isDirty: false })
  form.rerender({ isDirty: false })
  expect(sent().slice(2)).toEqual([[path, { what: 'reply', stopped: true }]])
  form.unmount()
  expect(asked).toHaveLength(3)
})

test('leaving the page with a text ends it, and a draft that was not continued is not announced', () => {
  const left = openForm({ ...reply, what: 'note' })
  left.type()
  left.unmount()
  expect(sent()).toEqual([
    [path, { what: 'note', stopped: false }],
    [path, { what: 'note', stopped: true }],
  ])
  const draft = openForm(reply)
  draft.rerender({ isDirty: true })
  draft.unmount()
  expect(asked).toHaveLength(2)
})

test('those who can see only their own records announce nothing', () => {
  signIn([])
  openForm(reply).type()
  expect(asked).toEqual([])
})

test('a writer is shown until they stop, or for ten seconds after the last announcement', () => {
  const shown: string[][] = []
  const { hear, end } = trackWriters(channel, 7, (writers) => shown.push(writers.map(writingWords)))
  const ana: WritingEvent = { channel, id: 3, name: 'Ana Silva', what: 'reply' }
  const last = () => shown.at(-1)
  hear({ ...ana, id: 7 })
  hear({ ...ana, channel: 'private-ticket.13' })
  expect(last()).toBeUndefined()

  hear(ana)
  expect(last()).toEqual(['Ana Silva is writing a reply'])
  vi.advanceTimersByTime(9000)
  hear({ ...ana, what: 'note' })
  hear({ channel, id: 4, name: 'Ben Ode', what: 'email' })
  vi.advanceTimersByTime(9999)
  expect(last()).toEqual(['Ana Silva is writing a note', 'Ben Ode is writing an email'])
  hear({ channel, id: 4, name: 'Ben Ode', what: null })
  expect(last()).toEqual(['Ana Silva is writing a note'])
  vi.advanceTimersByTime(1)
  expect(last()).toEqual([])

  hear(ana)
  end()
  expect(last()).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
