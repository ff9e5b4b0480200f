import { expect, test } from 'vitest'
import { differences, inForce, mayUpdateTerms, periodsOf, stateOf } from '#features/admin/terms/rules.ts'
import { addDays } from '#shared/dates.ts'

/** Yields a reproducible pseudo-random sequence. */
function* randoms(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state / 2 ** 31
  }
}

test('the terms in effect on random days match a plain walk through the days', () => {
  const numbers = randoms(7)
  const below = (most: number) => Math.floor(numbers.next().value! * most)
  for (let round = 0; round < 50; round += 1) {
    const versions = Array.from({ length: 1 + below(12) }, (_, index) => ({
      id: index + 1,
      effective_on: addDays('2026-01-01', below(20)),
    }))
    let now: (typeof versions)[number] | undefined
    for (let step = -1; step < 22; step += 1) {
      const day = addDays('2026-01-01', step)
      now = versions.findLast(({ effective_on }) => effective_on === day) ?? now
      expect(inForce(versions, day)).toEqual(now)
      expect(versions.filter((version) => stateOf(version, versions, day) === 'in force')).toEqual(
        now ? [now] : [],
      )
    }
  }
})

test('the diff is the words that only one text has, and both texts can be rebuilt from it', () => {
  const [before, after] = ['We keep your data for two years.', 'We keep all your data for three long years.']
  const pieces = differences(before, after)
  const read = (without: string) =>
    pieces
      .filter(({ kind }) => kind !== without)
      .map(({ text }) => text)
      .join('')
  expect([read('added'), read('removed')]).toEqual([before, after])
  expect(pieces.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(['two'])
  expect(pieces.filter(({ kind }) => kind === 'added').map(({ text }) => text.trim())).toEqual([
    'all',
    'three long',
  ])
  expect(differences('same', 'same')).toEqual([{ kind: 'same', text: 'same' }])
  expect(differences('', 'new')).toEqual([{ kind: 'added', text: 'new' }])
})

test('terms can be updated only if the value matches', () => {
  expect(mayUpdateTerms({ value: '<p>One</p>' }, { value: '<p>One</p>' })).toBe(true)
  expect(mayUpdateTerms({ value: '<p>One</p>' }, { value: '<p>Two</p>' })).toBe(false)
})

test('versions apply until the next one; a version that was replaced on its own day applies never', () => {
  const versions = [
    { id: 1, effective_on: '2026-01-01' },
    { id: 2, effective_on: '2026-07-01' },
    { id: 3, effective_on: '2026-07-01' },
    { id: 4, effective_on: '2026-03-01' },
  ]
  expect(periodsOf(versions)).toEqual([
    { id: 1, from: '2026-01-01', until: '2026-03-01' },
    { id: 4, from: '2026-03-01', until: '2026-07-01' },
    { id: 3, from: '2026-07-01', until: undefined },
  ])
})
