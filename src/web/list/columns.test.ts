import { expect, test } from 'vitest'
import type { Fields } from '#shared/field.ts'
import { columnsOfFields } from '#web/list/columns.ts'

const fields = {
  id: { label: 'Number', list: { id: 'number', after: 'tags', width: 90 } },
  title: { label: 'Title', list: { width: 200, always: true } },
  hidden: { label: 'Hidden' },
  created: { label: 'Created', list: { after: 'tags', width: 90 } },
  owner: { label: 'Owner', shownAs: 'owner_name', list: { after: 'title', width: 90 } },
  tags: { label: 'Tags', words: (value) => `${String(value)}!`, list: { width: 90 } },
} as const satisfies Fields

test('columns are in the order of the declaration, unless a field names the column before its own', () => {
  const columns = columnsOfFields<object, typeof fields>(fields, { title: { header: 'Name', width: 300 } })
  expect(columns.map(({ id }) => id)).toEqual(['title', 'owner', 'tags', 'created', 'number'])
  expect(columns[0]).toMatchObject({ header: 'Name', width: 300, always: true })
  const row = { owner: 7, owner_name: 'Paula', tags: 'new' }
  expect(columns.slice(1, 3).map(({ cell }) => cell(row))).toEqual(['Paula', 'new!'])
})
