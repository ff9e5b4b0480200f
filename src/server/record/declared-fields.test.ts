import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { editBaseFields } from '#shared/record.contract.ts'
import { text } from '#shared/schemas.ts'
import { assertFieldsExist } from '#server/record/declared-fields.ts'
import type { RecordKind } from '#server/record/rows.ts'

const kind: RecordKind = {
  type: 'organization',
  table: 'organizations',
  name: 'r.name',
  columns: ['name'],
  links: { product_ids: { table: 'organization_products', own: 'organization_id', other: 'product_id' } },
  files: { file_ids: { role: 'attachment', most: 1 } },
}
const update = endpoint({
  method: 'POST',
  path: '/organization',
  summary: 'Update an organization.',
  access: 'all_organization_update_status',
  record: 'organization',
  body: z.object({
    name: text(80),
    product_ids: z.array(z.int()),
    file_ids: z.array(z.int()),
    ...editBaseFields,
  }),
})
const withTaxCode = { ...update, body: update.body.extend({ tax_code: text(80) }) }

test('columns, links, and files of the record kind can be set', () => {
  expect(() => assertFieldsExist(update, [kind])).not.toThrow()
})

test('a key that the record kind has no field for stops the start, unless it is declared', () => {
  expect(() => assertFieldsExist(withTaxCode, [kind])).toThrow(
    'POST /organization sets tax_code, which organization has no field for',
  )
  expect(() => assertFieldsExist({ ...withTaxCode, notFields: ['tax_code'] }, [kind])).not.toThrow()
  expect(() => assertFieldsExist(withTaxCode, [{ ...kind, columns: ['name', 'tax_code'] }])).not.toThrow()
})

test('a declared key that the body does not have stops the start', () => {
  expect(() => assertFieldsExist({ ...update, notFields: ['tax_code'] }, [kind])).toThrow('has no tax_code')
})

test('a change of a record whose type is not declared or not registered stops the start', () => {
  const { record: _record, ...withoutType } = update
  expect(() => assertFieldsExist(withoutType, [kind])).toThrow('without declaring its type')
  expect(() => assertFieldsExist(update, [])).toThrow('organization, which is not registered')
})
