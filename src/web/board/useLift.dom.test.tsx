import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useLift } from '#web/board/useLift.ts'

interface Card {
  id: number
  name: string
}
const lanes = [
  {
    id: 1,
    name: 'To do',
    total: 2,
    cards: [
      { id: 11, name: 'One' },
      { id: 12, name: 'Two' },
    ],
  },
  { id: 2, name: 'Doing', total: 1, cards: [{ id: 21, name: 'Three' }] },
]

function start(onMove: (move: object) => Promise<boolean> = () => Promise.resolve(true)) {
  const onDropped = vi.fn<(id: number, isRefused: boolean) => void>()
  const { result } = renderHook(() =>
    useLift<Card>({
      lanes,
      keyOf: ({ id }) => id,
      nameOf: ({ name }) => name,
      isOrdered: true,
      onMove,
      onDropped,
    }),
  )
  return { result, onDropped }
}

test('a card that is lifted with the keyboard is announced at each step, and dropped before its neighbor', async () => {
  const onMove = vi.fn<(move: object) => Promise<boolean>>(() => Promise.resolve(true))
  const { result, onDropped } = start(onMove)
  act(() => result.current.lift(12, 'keys', 90))
  expect(result.current.announcement).toMatch(/^Two picked up from To do, position 2 of 2\. /)
  act(() => void result.current.step('ArrowRight'))
  expect(result.current.announcement).toBe('Two is over Doing, position 2 of 2')
  act(() => void result.current.step('ArrowUp'))
  expect(result.current.lifted?.to).toEqual({ lane: 2, index: 0 })
  await act(async () => result.current.drop())
  expect(onMove).toHaveBeenCalledExactlyOnceWith({
    card: lanes[0]!.cards[1],
    to: 2,
    before: lanes[1]!.cards[0],
  })
  expect(result.current.lifted).toBeUndefined()
  expect(result.current.announcement).toBe('Two moved to Doing, position 1 of 2.')
  expect(onDropped.mock.calls).toEqual([[12, false]])
})

test('Escape and a drop on the same place move nothing', async () => {
  const onMove = vi.fn<(move: object) => Promise<boolean>>(() => Promise.resolve(true))
  const { result } = start(onMove)
  act(() => result.current.lift(11, 'keys', 90))
  act(() => void result.current.step('ArrowRight'))
  act(() => result.current.cancel())
  expect(result.current.announcement).toBe('One wasn’t moved.')
  act(() => result.current.lift(11, 'keys', 90))
  await act(async () => result.current.drop())
  expect(result.current.lifted).toBeUndefined()
  expect(onMove).not.toHaveBeenCalled()
})

test('a refused drop takes the card back and says so', async () => {
  const { result, onDropped } = start(() => Promise.resolve(false))
  await act(() => result.current.move(11, { lane: 2, index: 1 }))
  expect(onDropped.mock.calls).toEqual([
    [11, false],
    [11, true],
  ])
  expect(result.current.announcement).toBe('One wasn’t moved.')
})

test('a move that is answered late doesn’t replace what was said of the next one', async () => {
  const answers: ((isMoved: boolean) => void)[] = []
  const { result } = start(() => new Promise((answer) => answers.push(answer)))
  act(() => void result.current.move(11, { lane: 2, index: 1 }))
  act(() => result.current.lift(12, 'keys', 90))
  act(() => result.current.cancel())
  await act(async () => answers[0]!(true))
  expect(result.current.announcement).toBe('Two wasn’t moved.')
  act(() => void result.current.move(11, { lane: 2, index: 1 }))
  act(() => result.current.lift(12, 'keys', 90))
  await act(async () => answers[1]!(false))
  expect(result.current.announcement).toBe('One wasn’t moved.')
})
