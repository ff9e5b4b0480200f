import type { EndpointShape } from '#shared/endpoint.ts'
import { editBaseFields } from '#shared/record.contract.ts'
import { fieldsOf } from '#server/http/product-scope.ts'
import type { RecordKind } from '#server/record/rows.ts'

const baseKeys = Object.keys(editBaseFields)

/**
 * @throws Error if the endpoint sets fields of a record and its body has a key that would be dropped, because
 * it is neither a column, nor a link, nor a file field of the record kind.
 */
export function assertFieldsExist(endpoint: EndpointShape, kinds: readonly RecordKind[]): void {
  const { method, path, record, notFields = [], body } = endpoint
  const keys = [...new Set(fieldsOf(body))].filter((key) => !key.includes('.'))
  if (record === undefined) {
    if (keys.includes('base') && !notFields.includes('base'))
      throw new Error(`${method} ${path} changes a record without declaring its type`)
    return
  }
  const kind = kinds.find(({ type }) => type === record)
  if (!kind) throw new Error(`${method} ${path} sets fields of ${record}, which is not registered`)
  const { columns, links, files, wireNames } = kind
  const known = [...columns, ...Object.keys({ ...links, ...files, ...wireNames })]
  const dropped = keys.filter((key) => ![...known, ...notFields, ...baseKeys].includes(key))
  if (dropped.length)
    throw new Error(`${method} ${path} sets ${dropped.join(', ')}, which ${record} has no field for`)
  const [unknown] = notFields.filter((key) => !keys.includes(key))
  if (unknown !== undefined) throw new Error(`${method} ${path} has no ${unknown} in its body`)
}
