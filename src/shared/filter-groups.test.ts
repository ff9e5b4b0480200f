import { expect, test } from 'vitest'
import { z } from 'zod'
import { filterGroups } from '#shared/filter-groups.ts'
import { asList, text, wholeNumber } from '#shared/schemas.ts'

const Filters = z.object({
  search: text(200).default(''),
  status: wholeNumber(0, 9).optional(),
  kind: z.enum(['all', 'some']).default('all'),
  tags: z.preprocess(asList, z.array(text(30)).max(20).optional()),
})
const groups = filterGroups(Filters)
const errorOf = (sent: unknown) => groups.schema.safeParse(sent).error?.issues[0]

test('a group survives its text, with whatever signs its values have', () => {
  const group = { search: '50% ; a=b %3B', status: 0, kind: 'all' as const, tags: ['12:has:x;y', 'é&ü'] }
  const written = groups.write(group)
  expect(written).toBe('search=50%25 %3B a=b %253B;status=0;tags=12:has:x%3By;tags=é&ü')
  expect(groups.read(written)).toEqual(group)
  expect(groups.schema.parse(written)).toEqual([written])
})

test('groups have one text each: without defaults, in the order of the filters, and once', () => {
  expect(groups.schema.parse(['kind=all;status=2;search=a', 'search=a;status=2', 'status=3'])).toEqual([
    'search=a;status=2',
    'status=3',
  ])
  expect(groups.write(groups.read(''))).toBe('')
  expect(groups.schema.parse(undefined)).toBeUndefined()
})

test('a group that isn’t one is refused at its place, with the reason', () => {
  for (const [sent, message] of [
    ['', 'Choose at least one filter in each group.'],
    ['kind=all', 'Choose at least one filter in each group.'],
    ['status=x', 'status: Enter a whole number.'],
    ['status=2;page=3', '“page” isn’t a filter of a group.'],
    ['__proto__=1', '“__proto__” isn’t a filter of a group.'],
    ['status=2;status=3', 'status: Enter a whole number.'],
    ['tags=\u0000', 'tags: Remove the NUL character.'],
    [`search=${'x'.repeat(1000)}`, 'Use 1000 characters or fewer in each group.'],
  ])
    expect([sent, errorOf(['status=1', sent])]).toMatchObject([sent, { path: [1], message }])
  expect(errorOf(Array.from({ length: 6 }, (_, status) => `status=${status}`))).toMatchObject({
    path: [],
    message: 'Use 5 groups or fewer.',
  })
  expect(errorOf([{ status: 2 }])).toMatchObject({ path: [0], message: 'This must be text.' })
})
