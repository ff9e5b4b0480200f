import { expect, onTestFinished, test, vi } from 'vitest'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'
import { cleanHtml, textOf, tryClean } from '#server/html/html-clean.ts'
import { watchTurns } from '#server/turns.testing.ts'

const hostile = '<'.repeat(600_000)
const nextTurn = () => new Promise((done) => setImmediate(done))

test('a hostile text blocks no one while it is cleaned, and the result is the same', async () => {
  const body = { title: 'a', parts: [{ body: { unclean: hostile } }] }
  const longest = watchTurns()
  await cleanLargeHtml(body)
  const html = cleanHtml(body.parts[0]!.body)
  expect(textOf(html)).toBe(hostile)
  await nextTurn()
  const longestMs = longest()
  // Control: without the worker, the same text blocks the thread.
  const blocked = watchTurns()
  expect(tryClean(hostile)).toEqual({ html })
  await nextTurn()
  const blockedMs = blocked()
  expect(longestMs).toBeLessThan(blockedMs / 3)
})

test('a long text that is nested too deeply is refused at its field', async () => {
  const html = { unclean: '<blockquote>'.repeat(20_000) }
  await cleanLargeHtml({ html })
  expect(() => cleanHtml(html, 'message')).toThrow(
    expect.objectContaining({ status: 422, errors: { message: [expect.stringContaining('levels deep')] } }),
  )
})

test('the bytes of a raw email are not searched for texts', async () => {
  const listed = vi.spyOn(Object, 'values')
  onTestFinished(() => listed.mockRestore())
  await cleanLargeHtml({ raw: new Uint8Array(8) })
  expect(listed.mock.calls.map(([value]) => Object.keys(value))).toEqual([['raw']])
})
