import { beforeEach, expect, test, vi } from 'vitest'
import { PendingSteps } from '#web/record/pendingSteps.ts'

let steps: PendingSteps
beforeEach(() => void (steps = new PendingSteps()))

test('steps requested while the next record loads are taken by its page', () => {
  steps.arrive(1)
  steps.add(1, 1)
  expect(steps.of(1)).toBe(1)
  steps.take(1, 2)
  expect([steps.of(1), steps.of(2)]).toEqual([0, 0])
  // The first record is still on screen.
  steps.add(1, 1)
  steps.add(1, 1)
  expect([steps.of(1), steps.of(2)]).toEqual([0, 2])
  steps.arrive(2)
  steps.take(2, 3)
  steps.arrive(3)
  expect(steps.of(3)).toBe(1)
})

test('steps forward and back cancel each other out', () => {
  steps.arrive(1)
  for (const by of [1, 1, 1, -1] as const) steps.add(1, by)
  expect(steps.of(1)).toBe(2)
  steps.take(1, 2)
  expect(steps.of(2)).toBe(1)
})

test('steps of a page that was left in another way are dropped', () => {
  steps.arrive(1)
  steps.add(1, 1)
  steps.add(1, 1)
  steps.take(1, 2)
  steps.arrive(7)
  expect(steps.of(7)).toBe(0)
  steps.arrive(2)
  expect(steps.of(2)).toBe(0)
  // The page that is gone can no longer request or take any.
  steps.add(1, 1)
  steps.take(1, 3)
  expect([steps.of(1), steps.of(2), steps.of(3)]).toEqual([0, 0, 0])
})

test('a page that is shown again after it was left takes its own steps', () => {
  steps.arrive(1)
  steps.add(1, 1)
  steps.take(1, 2)
  steps.arrive(1)
  steps.add(1, 1)
  expect([steps.of(1), steps.of(2)]).toEqual([1, 0])
})

test('the end of the list drops the steps, but not those requested since', () => {
  steps.arrive(1)
  steps.add(1, 1)
  steps.add(1, -1)
  steps.add(1, -1)
  steps.drop(1, 1)
  expect(steps.of(1)).toBe(-1)
  steps.drop(1, -1)
  expect(steps.of(1)).toBe(0)
})

test('a page that is gone is not notified', () => {
  const changed = vi.fn<() => void>()
  const stop = steps.subscribe(changed)
  steps.arrive(1)
  steps.add(1, 1)
  expect(changed).toHaveBeenCalledTimes(2)
  stop()
  steps.add(1, 1)
  expect(changed).toHaveBeenCalledTimes(2)
})
