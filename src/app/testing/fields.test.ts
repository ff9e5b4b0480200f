import { expect, test } from 'vitest'
import { z } from 'zod'
import { changesSomething } from '#shared/endpoint.ts'
import type { Fields } from '#shared/field.ts'
import { endpoints } from '#app/server/features.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'
import { categoryFields } from '#features/cms/articles/categories/fields.ts'
import { faqCategoryFields } from '#features/cms/articles/faq-categories/fields.ts'
import { postFields } from '#features/cms/articles/posts/fields.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { notificationFields } from '#features/crm/notifications/fields.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { quickTaskFields } from '#features/crm/quick-tasks/fields.ts'
import { ticketFields } from '#features/crm/support/fields.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { taskFields } from '#features/tasks/tasks/fields.ts'

const declarations: readonly Fields[] = [
  categoryFields,
  contractFields,
  faqCategoryFields,
  postFields,
  leadFields,
  notificationFields,
  organizationFields,
  quickTaskFields,
  ticketFields,
  userFields,
  taskFields,
]

/** Returns the properties of a body, whatever it is wrapped in. */
function propertiesOf(schema: unknown): [name: string, schema: unknown][] {
  if (schema instanceof z.ZodPipe) return propertiesOf(schema.out)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).map(([name, one]) => [
    name,
    one instanceof z.ZodOptional ? one.unwrap() : one,
  ])
}

/** Returns whether a body has several fields of a declaration: the same names with the same schemas. */
function setsFields(body: unknown): boolean {
  const properties = propertiesOf(body)
  return declarations.some(
    (fields) =>
      properties.filter(([name, schema]) => schema !== undefined && fields[name]?.input === schema).length >
      1,
  )
}

test('every endpoint whose body sets declared fields of a record names the type of the record', () => {
  const setting = endpoints.filter((one) => changesSomething(one) && setsFields(one.body))
  expect(setting.length).toBeGreaterThan(20)
  expect(
    setting.filter(({ record }) => record === undefined).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([])
})
