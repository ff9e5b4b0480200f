import { expect, test } from 'vitest'
import type { Fields } from '#shared/field.ts'
import { fieldValues } from '#web/form/fieldValues.ts'

const fields = {
  id: { label: 'Number' },
  title: { label: 'Title', empty: '' },
  category: { label: 'Category', empty: '' },
  featured: { label: 'Featured', empty: false },
  tags: { label: 'Tags', empty: [] as string[] },
} as const satisfies Fields

test('a new record’s form has the empty values of the fields that declare one', () => {
  expect(fieldValues(fields)).toEqual({ title: '', category: '', featured: false, tags: [] })
})

test('a record’s form has its values: numbers as text, flags as booleans, and empty for null', () => {
  const values = { title: null, category: 7, featured: 1, tags: ['linen'] }
  expect(fieldValues(fields, { id: 3, ...values })).toEqual({
    title: '',
    category: '7',
    featured: true,
    tags: ['linen'],
  })
  expect(fieldValues(fields, { ...values, featured: 0 }).featured).toBe(false)
})
