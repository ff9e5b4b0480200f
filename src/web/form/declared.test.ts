import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { fileIds } from '#shared/files.ts'
import {
  code,
  emailOrEmpty,
  emptyIsNull,
  flag,
  plainDay,
  recordId,
  requiredText,
  richText,
  text,
  webAddressOrEmpty,
} from '#shared/schemas.ts'
import { fieldErrors, isRequired, kindOf, maxLengthOf, sentOf, withInputs } from '#web/form/declared.ts'

const fields = {
  name: { label: 'Name', input: requiredText(80), empty: '' },
  note: { label: 'Note', input: text(5000), empty: '' },
  email: { label: 'Email', input: emptyIsNull(emailOrEmpty).transform((value) => value), empty: '' },
  site: { label: 'Website', input: webAddressOrEmpty, empty: '' },
  organization_id: { label: 'Organization', input: recordId, empty: '' },
  parent_id: { label: 'Parent', input: emptyIsNull(recordId), empty: '' },
  category: {
    label: 'Category',
    input: z.union([recordId, z.literal('')]).refine((value) => value !== '', 'Choose a category.'),
    empty: '',
  },
  status: { label: 'Status', input: code, empty: '1' },
  due: { label: 'Due date', input: emptyIsNull(plainDay), empty: '' },
  featured: { label: 'Featured', input: flag, empty: false },
  body: { label: 'Text', input: richText(1000), empty: '' },
  file_ids: { label: 'Files', input: fileIds.max(1), empty: [] as number[] },
  customers: { label: 'Customers', input: z.array(recordId), empty: [] as string[] },
  person: { label: 'Assignee', empty: '' },
} as const satisfies Fields

const of = <Value>(get: (field: Fields[string]) => Value) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, get(field)]))

test('the kind of an input is that of the schema, also within others', () => {
  expect(of(kindOf)).toEqual({
    name: undefined,
    note: undefined,
    email: 'email',
    site: 'url',
    organization_id: undefined,
    parent_id: undefined,
    category: undefined,
    status: undefined,
    due: 'day',
    featured: undefined,
    body: 'richText',
    file_ids: 'files',
    customers: undefined,
    person: undefined,
  })
})

test('the length of a text is that of the schema, also within others', () => {
  expect(of(maxLengthOf)).toMatchObject({ name: 80, note: 5000, email: 254, site: 2000, due: undefined })
})

test('a field is required if its schema refuses that it stays empty', () => {
  const required = Object.entries(of(isRequired)).flatMap(([name, is]) => (is ? [name] : []))
  expect(required).toEqual(['name', 'organization_id', 'category'])
})

test('the schemas are those of the request, in which a value may be left out or not', () => {
  const { name, note } = withInputs(
    fields,
    z.preprocess(
      (value) => value,
      z
        .object({ name: requiredText(80), organization_id: recordId })
        .partial()
        .required({ name: true }),
    ),
  )
  expect(name).toMatchObject({ label: 'Name', empty: '' })
  expect([isRequired(name!), maxLengthOf(name!)]).toEqual([true, 80])
  expect(note).toEqual({ label: 'Note', empty: '' })
})

test('errors name the field and say what is wrong in the words of the schema', () => {
  const values = {
    name: '',
    organization_id: '',
    category: '',
    email: 'x',
    note: '',
    customers: ['3', 'y'],
    person: '',
  }
  expect(fieldErrors(fields, values)).toEqual({
    name: 'This field is required.',
    organization_id: 'This field is required.',
    category: 'Choose a category.',
    email: 'Enter a valid email address.',
    'customers.1': 'Enter a whole number.',
  })
})

test('numbers, flags, lists, and nulls are sent as such; texts as typed', () => {
  const values = {
    name: ' Ida ',
    organization_id: '17',
    parent_id: '',
    status: '0',
    due: '',
    featured: true,
    body: '<p>Two presses</p>',
    file_ids: [4],
    customers: ['3'],
    person: '5',
  }
  expect(sentOf(fields, values)).toEqual({
    name: ' Ida ',
    organization_id: 17,
    parent_id: null,
    status: 0,
    due: null,
    featured: 1,
    body: '<p>Two presses</p>',
    file_ids: [4],
    customers: [3],
    person: '5',
  })
})

test('a refused value is sent unchanged, so that the server can say what is wrong', () => {
  expect(sentOf(fields, { organization_id: 'x', due: '31.2.' })).toEqual({
    organization_id: 'x',
    due: '31.2.',
  })
})
