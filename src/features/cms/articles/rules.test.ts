import { expect, test } from 'vitest'
import { metaWarnings } from '#features/cms/articles/rules.ts'

test('meta texts warn if they are missing, too long to be shown in full, the same as each other, or those of another post', () => {
  expect(metaWarnings({ title: 'Linen', description: 'How to wash it' })).toEqual([])
  expect(metaWarnings({ title: '', description: '' })).toEqual([
    'Add a meta title.',
    'Add a meta description.',
  ])
  expect(metaWarnings({ title: 'x'.repeat(60), description: 'y'.repeat(160) })).toEqual([])
  expect(metaWarnings({ title: 'x'.repeat(61), description: 'y'.repeat(161) })).toEqual([
    'The meta title has 61 characters. Search engines show only the first 60.',
    'The meta description has 161 characters. Search engines show only the first 160.',
  ])
  expect(metaWarnings({ title: 'Linen', description: 'Linen' })).toEqual([
    'The meta title and meta description are the same.',
  ])
  expect(
    metaWarnings(
      { title: 'Linen', description: 'Wash' },
      { title: ['Sheets', 'Towels'], description: ['Care'] },
    ),
  ).toEqual([
    'The meta title is also used by “Sheets”, “Towels”.',
    'The meta description is also used by “Care”.',
  ])
})
