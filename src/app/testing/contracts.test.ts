import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#app/server/contracts.ts'
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

/** Returns the endpoints that a file exports, at any depth. */
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
  // Compared by name, because some pages declare only half of an endpoint.
  expect(
    exported
      .flat()
      .map(nameOf)
      .filter((name) => !served.has(name)),
  ).toEqual([])
  expect(exported.flat().length).toBeGreaterThan(300)
})
