import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints } from '#app/server/features.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import type { EndpointShape } from '#shared/endpoint.ts'

const nameOf = ({ method, path }: EndpointShape) => `${method} ${path}`
const missingIn = (some: readonly EndpointShape[], all: readonly EndpointShape[]) =>
  some.filter((one) => !all.includes(one)).map(nameOf)

test('the implemented endpoints are exactly those that the areas export', async () => {
  const { app } = await startTestApp()
  const implemented = app.implemented.map(({ endpoint }) => endpoint)
  expect(missingIn(implemented, endpoints)).toEqual([])
  expect(missingIn(endpoints, implemented)).toEqual([])
  expect(endpoints.length).toBeGreaterThan(300)
})

const source = join(import.meta.dirname, '../..')

/** Returns the endpoints that a file exports, at any nesting depth. */
function endpointsIn(value: unknown): EndpointShape[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || '_zod' in value) return []
  return 'method' in value && 'path' in value && 'access' in value
    ? [value as EndpointShape]
    : Object.values(value).flatMap(endpointsIn)
}

test('no contract is forgotten: every exported endpoint is served', async () => {
  const files = [
    ...globSync('features/**/*contract.ts', { cwd: source }),
    ...globSync('shared/*.ts', { cwd: source }),
  ].filter((file) => !file.includes('.test.'))
  const exported = await Promise.all(
    files.map(async (file) => endpointsIn({ ...((await import(join(source, file))) as object) })),
  )
  const served = new Set(endpoints.map(nameOf))
  // Compare by name, because some pages declare only half of an endpoint.
  expect(
    exported
      .flat()
      .map(nameOf)
      .filter((name) => !served.has(name)),
  ).toEqual([])
  expect(exported.flat().length).toBeGreaterThan(300)
})

/** Values of every JSON type, none of which is valid for most fields. */
const wrongValues = [undefined, null, true, -1.5, 1e21, '', 'x', [], ['x'], {}, { x: 1 }]
/** Zod's default messages, which mention types and codes. */
const zodText =
  /Invalid (input|option|key|element|string|number)|Too (big|small)|Unrecognized|expected|received/

function textsOf(schema: z.ZodType): string[] {
  const keys = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const inputs = [
    ...wrongValues,
    ...keys.flatMap((key) => wrongValues.map((value) => ({ [key]: value, unknown: 1 }))),
  ]
  return inputs.flatMap((input) => schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [])
}

test('every refusal of an input is a sentence for people, never a default text of zod', () => {
  const texts = endpoints.flatMap(
    ({ query, params, body }: { query?: unknown; params?: unknown; body?: unknown }) =>
      [query, params, body].flatMap((schema) => (schema instanceof z.ZodType ? textsOf(schema) : [])),
  )
  expect(texts.length).toBeGreaterThan(5_000)
  expect(texts.filter((text) => zodText.test(text))).toEqual([])
})

test('control: a default text of zod is recognized', () => {
  expect(
    z.locales.en().localeError({ code: 'invalid_type', expected: 'number', input: 'x' } as never),
  ).toMatch(zodText)
})
