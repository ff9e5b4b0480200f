import { expect, test } from 'vitest'
import { fromQueryString, toQueryString } from '#web/api/query-string.ts'

test('a list is written with brackets, null as an empty text, and undefined is omitted', () => {
  expect(
    toQueryString({ status: 0, org_ids: [1, 2], date: null, color: undefined, search: 'Müller & Søn' }),
  ).toBe('status=0&org_ids[]=1&org_ids[]=2&date=&search=M%C3%BCller+%26+S%C3%B8n')
})

test('a list is read with brackets or repeated', () => {
  expect(fromQueryString('?tags[]=1&crm=1&crm=2&search=a+b')).toEqual({
    tags: ['1'],
    crm: ['1', '2'],
    search: 'a b',
  })
})

test('the output can be read back', () => {
  expect(fromQueryString(toQueryString({ page: 2, tags_filter: [0, 3] }))).toEqual({
    page: '2',
    tags_filter: ['0', '3'],
  })
})
