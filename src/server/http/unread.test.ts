import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { streamWhileRead } from '#server/http/unread.ts'

async function* texts(count: number, betweenMs = 0) {
  for (let number = 0; number < count; number += 1) {
    await wait(betweenMs)
    yield `${number}\n`
  }
}

test('a stream that no one reads any more ends and frees its place', async () => {
  const stream = streamWhileRead(texts(1000), 50)
  stream.once('data', () => stream.pause())
  await once(stream, 'close')
  expect(stream.readableEnded).toBe(false)
})

test('a stream that is read to its end is complete, even if its texts take longer', async () => {
  let read = ''
  for await (const text of streamWhileRead(texts(3, 100), 50)) read += String(text)
  expect(read).toBe('0\n1\n2\n')
})
