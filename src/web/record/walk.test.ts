import { expect, test } from 'vitest'
import { around, extend, queueAround, type Placed, type Walk } from '#web/record/walk.ts'

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id, to: `/tickets/${id}` }))
/** Rows of a list in their order, the first of them at this position. */
const listed = (ids: readonly number[], from = 1): Placed[] =>
  rowsOf(...ids).map((row, index) => ({ ...row, position: from + index }))
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const without = (ids: readonly number[], id: number) => ids.filter((one) => one !== id)

/** Returns where the walk leads from a record once the list has these rows. */
function at(walk: Walk, id: number, known: readonly Placed[]) {
  const now = extend(walk, id, known)
  const { isListed, previous, next } = around(now, id, known)
  return { isListed, place: now.place, previous: previous?.id, next: next?.id, walk: now }
}
const opened = (place: number, ids: readonly number[]): Walk => ({ place, queue: rowsOf(...ids) })

test('the neighbors in an unchanged list are the rows before and after', () => {
  expect(at(opened(3, count(1, 20)), 3, listed(count(1, 20)))).toMatchObject({
    place: 3,
    previous: 2,
    next: 4,
  })
  expect(at(opened(1, [1]), 1, listed([1]))).toMatchObject({ previous: undefined, next: undefined })
})

test('a record that leaves the list keeps its place, and is followed by the one that was next before', () => {
  const walk = opened(3, count(1, 20))
  expect(at(walk, 3, listed(without(count(1, 21), 3)))).toMatchObject({
    isListed: false,
    place: 3,
    previous: 2,
    next: 4,
  })
})

test.each([
  ['top', [3, ...without(count(1, 20), 3)]],
  ['end', [...without(count(1, 20), 3), 3]],
])('a record that moves to the %s of its list is followed by the one that was next before', (_, ids) => {
  // Its place stays, and so does the page of the list to go back to.
  expect(at(opened(3, count(1, 20)), 3, listed(ids))).toMatchObject({
    isListed: true,
    place: 3,
    previous: 2,
    next: 4,
  })
})

test('the last record keeps its place when it moves to the top of its list', () => {
  const ids = [20, ...count(1, 19)]
  expect(at(opened(20, count(1, 20)), 20, listed(ids))).toMatchObject({ place: 20, previous: 19 })
})

test('every record of the list is visited once, although each one is moved to the top when it is answered', () => {
  let order = count(1, 60)
  const page = (number: number) => listed(order.slice((number - 1) * 20, number * 20), (number - 1) * 20 + 1)
  const visited: number[] = []
  let walk = opened(1, count(1, 20))
  for (let id: number | undefined = 1; id !== undefined;) {
    visited.push(id)
    const number = Math.ceil(walk.place / 20)
    walk = extend(walk, id, [...page(number), ...page(number + 1)])
    order = [id, ...without(order, id)]
    const now = [...page(number - 1), ...page(number), ...page(number + 1)]
    walk = extend(walk, id, now)
    const { next } = around(walk, id, now)
    if (next) walk = { place: next.position, queue: queueAround(walk, next.id) }
    id = next?.id
  }
  expect(visited).toEqual(count(1, 60))
})

test('every record is visited once, although each one leaves the list when it is answered', () => {
  let order = count(1, 60)
  const page = (number: number) => listed(order.slice((number - 1) * 20, number * 20), (number - 1) * 20 + 1)
  const visited: number[] = []
  let walk = opened(1, count(1, 20))
  for (let id: number | undefined = 1; id !== undefined;) {
    visited.push(id)
    walk = extend(walk, id, page(1))
    order = without(order, id)
    const now = [...page(1), ...page(2)]
    walk = extend(walk, id, now)
    const { next } = around(walk, id, now)
    if (next) walk = { place: next.position, queue: queueAround(walk, next.id) }
    id = next?.id
  }
  expect(visited).toEqual(count(1, 60))
})

test('a step back leads to where the user came from, even if it no longer matches the filters', () => {
  const walk = opened(3, count(1, 20))
  const known = listed(without(count(1, 20), 3))
  const next = at(walk, 3, known)
  expect(at({ ...next.walk, place: 3 }, 4, known)).toMatchObject({ previous: 3, next: 5 })
})

test('a next record that someone else has handled is skipped', () => {
  const walk = opened(3, count(1, 20))
  expect(at(walk, 3, listed(without(count(1, 20), 4)))).toMatchObject({ place: 3, next: 5 })
})

test('the next page adds its rows once it has loaded; while the list loads, the remembered rows count', () => {
  const walk = opened(20, count(1, 20))
  expect(around(walk, 20, listed(count(1, 20))).next).toBeUndefined()
  expect(at(walk, 20, listed(count(1, 40)))).toMatchObject({ next: 21, previous: 19 })
  expect(around(opened(19, count(1, 20)), 19, undefined)).toMatchObject({
    isListed: true,
    previous: { id: 18, position: 18 },
    next: { id: 20, position: 20 },
  })
})

test('the previous page adds its rows before the first', () => {
  const walk = opened(21, count(21, 40))
  expect(around(walk, 21, listed(count(21, 40), 21)).previous).toBeUndefined()
  expect(at(walk, 21, listed(count(1, 40)))).toMatchObject({ previous: 20, next: 22 })
})

test('a late response with rows of a page that is no longer around changes nothing', () => {
  const walk = opened(45, count(41, 60))
  expect(extend(walk, 45, [])).toBe(walk)
  expect(extend(walk, 45, listed(count(41, 60), 41))).toBe(walk)
})
