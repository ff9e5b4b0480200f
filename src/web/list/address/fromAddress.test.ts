import { expect, test } from 'vitest'
import { z } from 'zod'
import { fromAddress, toAddress } from '#web/list/address/fromAddress.ts'

const Filters = z.object({
  page: z.coerce.number().int().min(1).default(1),
  status: z.coerce.number().int().min(0).optional(),
  search: z.string().max(10).default(''),
  tags: z.array(z.coerce.number()).optional(),
})

test('a URL without filters has the defaults', () => {
  expect(fromAddress(Filters, {})).toEqual({ page: 1, search: '' })
})

test('texts in a URL become numbers, and 0 stays a value', () => {
  expect(fromAddress(Filters, { page: '3', status: '0' })).toEqual({ page: 3, status: 0, search: '' })
})

test('an invalid value falls back to its default and leaves the rest alone', () => {
  expect(
    fromAddress(Filters, {
      page: 'abc',
      status: 'x',
      search: 'far too long a search',
      tags: ['1', '2'],
      unknown: 'y',
    }),
  ).toEqual({
    page: 1,
    search: '',
    tags: [1, 2],
  })
})

test('a URL contains the values that differ from the defaults', () => {
  expect(toAddress(Filters, { page: 1, status: 0, search: '', tags: [1] })).toEqual({ status: 0, tags: [1] })
})
