import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useSelection } from '#web/list/table/selection.tsx'

const start = () => renderHook(({ list }) => useSelection(1, list), { initialProps: { list: '{}, 4 rows' } })

test('after a change of the whole list, the rows that were ticked stay ticked when one is taken out', () => {
  const { result, rerender } = start()
  act(() => result.current.set([1, 2, 3], true))
  act(() => result.current.chooseAll())
  expect(result.current).toMatchObject({ isAll: true, isEmpty: false })

  act(() => result.current.keepAll('{}, 3 rows', [3]))
  rerender({ list: '{}, 3 rows' })
  expect([result.current.isAll, result.current.has(9)]).toEqual([true, true])

  act(() => result.current.set([1], false))
  expect([result.current.isAll, result.current.ids]).toEqual([false, [2]])
})

test('another list isn’t selected as a whole', () => {
  const { result, rerender } = start()
  act(() => result.current.chooseAll())
  rerender({ list: '{"search":"towel"}, 2 rows' })
  expect(result.current).toMatchObject({ isAll: false, isEmpty: true })
})
