import { expect, test } from 'vitest'
import type { ChatMessage } from '#features/panel/chat/contract.ts'
import { blocksOf } from '#features/panel/chat/web/blocks.ts'

const said = (id: number, at: string, by = 1): ChatMessage => ({
  id,
  message: `Message ${id}`,
  created_at: new Date(at).toISOString(),
  user: { id: by, slug: 'p', name: 'P', avatar: null },
})
const idsOf = (messages: readonly ChatMessage[], unread?: number) =>
  blocksOf(messages, unread).map((block) => block.messages.map(({ id }) => id))

test('messages of one person within five minutes are one block', () => {
  const messages = [
    said(1, '2026-03-16T10:00'),
    said(2, '2026-03-16T10:05'),
    said(3, '2026-03-16T10:10:01'),
    said(4, '2026-03-16T10:10:02', 2),
    said(5, '2026-03-16T10:10:03'),
  ]
  expect(idsOf(messages)).toEqual([[1, 2], [3], [4], [5]])
})

test('a block ends where a day or the unread messages begin', () => {
  const messages = [said(1, '2026-03-16T23:58'), said(2, '2026-03-17T00:01'), said(3, '2026-03-17T00:02')]
  expect(idsOf(messages, 3)).toEqual([[1], [2], [3]])
  expect(blocksOf(messages, 3).map(({ day, isNew }) => [day, isNew])).toEqual([
    ['2026-03-16', false],
    ['2026-03-17', false],
    [undefined, true],
  ])
})
