import type { z } from 'zod'
import type { EndpointShape, Input, Viewer } from '#shared/endpoint.ts'
import { notAllowed } from '#server/http/errors.ts'

const productNames = new Set(['lead_for', 'product_id', 'productId', 'product'])

/** Endpoints that were checked: a process can start several servers with the same contracts, as tests do. */
const passed = new WeakSet<EndpointShape>()

/**
 * @throws Error if the contract does not declare every place where a request can name a product, or if it
 * declares one that does not exist.
 */
export function assertProductsDeclared(endpoint: EndpointShape): void {
  const { method, path, product, params, query, body } = endpoint
  if (typeof product === 'string' || passed.has(endpoint)) return
  const places = Object.entries({ params, query, body }).flatMap(([part, schema]) => placesIn(schema, part))
  const missing = places.filter((place) => !product?.some((declared) => declared === place))
  if (missing.length)
    throw new Error(
      `${method} ${path} refers to a product without declaring it: product: ['${missing.join("', '")}']`,
    )
  const [unknown] = product?.filter((declared) => !isPlace({ params, query, body }, declared)) ?? []
  if (unknown !== undefined) throw new Error(`${method} ${path} has no ${unknown}`)
  passed.add(endpoint)
}

/**
 * Rejects products other than the caller's own in every place that the contract declares
 * (docs/product.md#products).
 */
export function checkProducts({ product }: EndpointShape, viewer: Viewer | undefined, input: Input): void {
  if (!viewer || !Array.isArray(product)) return
  for (const place of product as readonly string[])
    for (const id of valuesAt(input, place.split('.')))
      if (!viewer.products.includes(id as number)) throw notAllowed('You don’t have access to this product.')
}

function valuesAt(held: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(held)) return held.flatMap((one) => valuesAt(one, path))
  if (held === undefined || held === null) return []
  const [name, ...rest] = path
  return name === undefined ? [held] : valuesAt((held as Record<string, unknown>)[name], rest)
}

/** Returns the paths of all fields within a schema that name a product. */
const placesIn = (schema: z.core.$ZodType | undefined, at: string): string[] =>
  [...new Set(fieldsOf(schema))]
    .filter((path) => productNames.has(path.split('.').at(-1)!))
    .map((path) => `${at}.${path}`)

function isPlace(parts: Record<string, z.core.$ZodType | undefined>, place: string): boolean {
  const [part, ...path] = place.split('.')
  return fieldsOf(parts[part!]).includes(path.join('.'))
}

/** A schema's definition: zod's own union of all schema types. */
export interface SchemaWithDef {
  def: z.core.$ZodTypes['_zod']['def']
}

const known = new WeakMap<z.core.$ZodType, readonly string[]>()

/**
 * Returns the paths of all fields of a schema; arrays and unions add nothing to a path. They are found only once,
 * because a process can start several servers with the same contracts, as tests do.
 */
export function fieldsOf(schema: z.core.$ZodType | undefined): readonly string[] {
  if (!schema) return []
  const found = known.get(schema) ?? findFields(schema, [])
  known.set(schema, found)
  return found
}

function findFields(schema: z.core.$ZodType, above: readonly z.core.$ZodType[]): string[] {
  if (above.includes(schema)) return []
  const inner = (one: z.core.$ZodType) => findFields(one, [...above, schema])
  const { def } = schema as unknown as SchemaWithDef
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([name, field]) => [
      name,
      ...inner(field).map((path) => `${name}.${path}`),
    ])
  if (def.type === 'array') return inner(def.element)
  if (def.type === 'tuple') return [...def.items, ...(def.rest ? [def.rest] : [])].flatMap(inner)
  if (def.type === 'union') return def.options.flatMap(inner)
  if (def.type === 'intersection') return [...inner(def.left), ...inner(def.right)]
  if (def.type === 'record') return inner(def.valueType)
  if (def.type === 'pipe') return [...inner(def.in), ...inner(def.out)]
  if (def.type === 'lazy') return inner(def.getter())
  return 'innerType' in def ? inner(def.innerType) : []
}
