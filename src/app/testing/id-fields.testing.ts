import { z } from 'zod'
import { articleKindNames } from '#shared/article-kinds.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import { recordTypeNames } from '#shared/records.ts'
import { plantedId, type Planted } from '#app/testing/planted.testing.ts'
import { bodies, requiredFileOf, sampleOf } from '#app/testing/sample-request.testing.ts'
import { idFieldsOf, textFieldsOf, withValue } from '#app/testing/text-fields.testing.ts'
import type { Sample } from '#app/testing/samples.testing.ts'

/* Requests that name records: every field of an endpoint that can contain an ID, found in its contract. */

type Part = 'params' | 'query' | 'body'
type Inputs = Record<Part, Record<string, any>>
interface Field {
  part: Part
  path: string
}

export interface Walked {
  method: string
  path: string
  query: Record<string, string>
  body: object | undefined
  /** Name of the file field that the endpoint requires; undefined if it requires none. */
  file: string | undefined
}

/** Fields that contain the ID of a product or an admin user, or a number that is not an ID. */
const productField = /(^|\.)(product|product_id|productId|product_ids\.0|products\.0|lead_for)$/
const staffField =
  /(^|\.)(assign_to|assigned_to|assignee|crm_id|staff_id|person|author|author_id|creator|onboarding_by|by|actor|moderators\.0|staff_ids\.0)$/
const noId = /(^|\.)(version|page|limit|total|skipRecord|per_page|before|after|position|hours|seconds)$/

/**
 * Returns requests to an endpoint that name `foreign` records: first in one field at a time, with `own`
 * records in the other fields, then in all fields. These are preceded by a request that names only `own`
 * records and, if the endpoint has a search field, by a search for the mark.
 */
export function requestsOf(
  endpoint: EndpointShape,
  { own, foreign, staff }: { own: Target; foreign: Target; staff: number },
  sample: Partial<Sample> = {},
): Walked[] {
  const schemas = { params: endpoint.params, query: endpoint.query, body: endpoint.body }
  const fields = (Object.keys(schemas) as Part[]).flatMap((part) =>
    [...idFieldsOf(schemas[part]), ...(part === 'params' && endpoint.path.includes('{slug}') ? ['slug'] : [])]
      .filter((path) => !noId.test(path) && !productField.test(path))
      .map((path): Field => ({ part, path })),
  )
  const targets = fields.filter(({ path }) => !staffField.test(path))
  return typesOf(endpoint).flatMap((type) => {
    const value = (of: Target, { path }: Field) =>
      path === 'slug' ? of.slug : plantedId(of, type?.value ?? typeInPath(endpoint.path))
    const start = startOf(endpoint, sample, type)
    const isGiven = ({ part, path }: Field) => valueAt(start[part], path) !== undefined
    const base = fields
      .filter((field) => isGiven(field) || field.part === 'params')
      .reduce(
        (inputs, field) => put(inputs, field, staffField.test(field.path) ? staff : value(own, field)),
        start,
      )
    const all = targets.reduce((inputs, field) => put(inputs, field, value(foreign, field)), base)
    const search = textFieldsOf(endpoint).find(({ path }) => /(^|\.)(search|q)$/.test(path))
    return [
      base,
      ...(search ? [put(base, { part: search.place, path: search.path }, foreign.mark.slice(0, 5))] : []),
      ...targets.map((field) => put(base, field, value(foreign, field))),
      ...targets
        .filter(({ path }) => path === 'slug')
        .map((field) => put(base, field, String(plantedId(foreign, typeInPath(endpoint.path))))),
      ...(targets.length > 1 ? [all] : []),
    ].map((inputs) => asRequest(endpoint, inputs))
  })
}
export type Target = Pick<Planted, 'id' | 'slug' | 'mark'>

/**
 * Returns the record types that a path parameter can name; `[undefined]` if the path has no such parameter.
 */
function typesOf({ params }: EndpointShape): ({ name: string; value: string } | undefined)[] {
  const shape = params instanceof z.ZodObject ? params.shape : {}
  const named = Object.entries(shape).find(
    ([, field]) =>
      z.safeParse(field as z.ZodType, 'lead').success || z.safeParse(field as z.ZodType, 'contract').success,
  )
  if (!named || named[0] === 'slug') return [undefined]
  const [name, field] = named
  return recordTypeNames
    .filter((value) => z.safeParse(field as z.ZodType, value).success)
    .map((value) => ({ name, value }))
}

const typeInPath = (path: string): string =>
  path.includes('/designertask')
    ? 'designer_task'
    : (articleKindNames.find((kind) => path.startsWith(`/admin/${kind}`)) ?? 'post')

function startOf(
  { method, path, params, query, body, product }: EndpointShape,
  sample: Partial<Sample>,
  type: { name: string; value: string } | undefined,
): Inputs {
  const given = sample.input as Record<string, any> | undefined
  const inputs: Inputs = {
    params: (sample.params ?? sampleOf(params)) as Record<string, any>,
    query: { ...(sampleOf(query) as object), ...(body ? {} : given) },
    body:
      given ??
      (bodies[`${method} ${path}`] as Record<string, any>) ??
      (sampleOf(body) as Record<string, any>),
  }
  if (type) inputs.params[type.name] = type.value
  // If a product is required, it is one of the caller's own.
  return (Array.isArray(product) ? (product as string[]) : []).reduce((sofar, place) => {
    const [part, ...rest] = place.split('.') as [Part, ...string[]]
    return valueAt(sofar[part], rest.join('.')) === undefined
      ? sofar
      : put(
          sofar,
          { part, path: rest.join('.') },
          Array.isArray(valueAt(sofar[part], rest.join('.'))) ? [1] : 1,
        )
  }, inputs)
}

const put = (inputs: Inputs, { part, path }: Field, value: unknown): Inputs => ({
  ...inputs,
  [part]: withValue(inputs[part], path, value) as Record<string, any>,
})
const valueAt = (held: any, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], held)

const asRequest = (endpoint: EndpointShape, { params, query, body }: Inputs): Walked => ({
  method: endpoint.method,
  path: endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name]))),
  query: Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
    ]),
  ),
  body: endpoint.body ? body : undefined,
  file: requiredFileOf(endpoint),
})
