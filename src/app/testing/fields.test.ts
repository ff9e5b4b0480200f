import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { changesSomething } from '#shared/endpoint.ts'
import type { Fields } from '#shared/field.ts'
import { endpoints } from '#app/server/features.ts'

const source = join(import.meta.dirname, '../..')

/** The declarations of every `fields.ts`, so that those of a new record type are checked too. */
const declarations: readonly Fields[] = (
  await Promise.all(
    globSync('features/**/fields.ts', { cwd: source }).map(
      async (file) => (await import(join(source, file))) as Record<string, unknown>,
    ),
  )
).flatMap((declared) =>
  Object.entries(declared).flatMap(([name, value]) =>
    name.endsWith('Fields') && !Array.isArray(value) ? [value as Fields] : [],
  ),
)

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
  expect(declarations.length).toBeGreaterThan(15)
  expect(setting.length).toBeGreaterThan(20)
  expect(
    setting.filter(({ record }) => record === undefined).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([])
})
