import { z } from 'zod'
import type { Access, EndpointShape } from '#shared/endpoint.ts'

type Json = Record<string, unknown>

const inWords = (access: Access): string =>
  typeof access === 'string' ? access : 'anyOf' in access ? access.anyOf.join(' or ') : access.says

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
  }) as Json
  return json
}

const failure = {
  type: 'object',
  required: ['message', 'request_id'],
  properties: {
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    current: {},
    request_id: { type: 'string' },
  },
}

/** Describes the operations of the API by path and method, each with its own schemas. */
export function describePaths(endpoints: readonly EndpointShape[]): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    for (const path of [endpoint.path, ...(endpoint.alsoAt ?? [])]) {
      const at = (paths[path] ??= {})
      const described = describe(endpoint, path)
      at[endpoint.method.toLowerCase()] = described
      if (endpoint.method !== 'GET' && endpoint.method !== 'POST' && !at['post'])
        at['post'] = {
          ...described,
          operationId: `${described['operationId']}_override`,
          summary: `${endpoint.summary} Sent as a POST with _method=${endpoint.method}.`,
        }
    }
  }
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Describes the entire HTTP API in OpenAPI 3.1, using only the contracts. */
export function describeApi(endpoints: readonly EndpointShape[], version: string): Json {
  const paths = describePaths(endpoints)
  const parts = new SharedParts(paths)
  return {
    openapi: '3.1.0',
    info: { title: 'Admin Panel', version },
    servers: [{ url: '/api' }],
    paths: parts.replaced(paths),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: failure, ...parts.schemas },
    },
  }
}

/** Schemas with fewer characters than this are clearer inline. */
const smallestPart = 200
const isSchema = (value: object): value is Json =>
  'type' in value && (value.type === 'object' || value.type === 'array')

/** Writes object and array schemas that repeat in the API description only once, named after the first operation that uses them. */
class SharedParts {
  readonly schemas: Record<string, unknown> = {}
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string>()

  constructor(paths: Json) {
    this.#count(paths)
  }

  /**
   * Counts schemas. A repeated schema is traversed only once, so that its parts do not count as repeated
   * themselves.
   */
  #count(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    if (isSchema(value)) {
      const text = JSON.stringify(value)
      const count = (this.#counts.get(text) ?? 0) + 1
      this.#counts.set(text, count)
      if (count > 1) return
    }
    for (const one of Object.values(value)) this.#count(one)
  }

  /**
   * Replaces repeated schemas with references.
   * @param way the operation and the enclosing fields, which make up the name
   */
  replaced(value: unknown, way: readonly string[] = []): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => this.replaced(one, way))
    const here = 'operationId' in value && typeof value.operationId === 'string' ? [value.operationId] : way
    const text = isSchema(value) ? JSON.stringify(value) : ''
    if (text.length < smallestPart || this.#counts.get(text)! < 2) return this.#inside(value, here)
    let name = this.#names.get(text)
    if (name === undefined) {
      name = this.#freeName(here.join('.'))
      this.#names.set(text, name)
      this.schemas[name] = this.#inside(value, here)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  #inside(value: object, way: readonly string[]): Json {
    const fields = (of: Json) =>
      Object.fromEntries(
        Object.entries(of).map(([field, schema]) => [field, this.replaced(schema, [...way, field])]),
      )
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        key === 'properties' ? fields(one as Json) : this.replaced(one, way),
      ]),
    )
  }

  #freeName(name: string): string {
    let free = name
    for (let number = 2; free in this.schemas; number += 1) free = `${name}.${number}`
    // Reserve the name until the schema is filled in.
    this.schemas[free] = {}
    return free
  }
}

function describe(endpoint: EndpointShape, path: string): Json {
  const parameters: Json[] = [
    ...parametersOf(endpoint.params, 'path'),
    ...parametersOf(endpoint.query, 'query'),
  ]
  const body = bodyOf(endpoint)
  const refused = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } }
  return {
    operationId: `${endpoint.method.toLowerCase()}_${path.replace(/\W+/g, '_').replace(/^_|_$/g, '')}`,
    summary: endpoint.summary,
    description: [
      `Access: ${inWords(endpoint.access)}.`,
      ...(endpoint.writes ? ['This GET changes data. Don’t retry or prefetch it.'] : []),
      ...(endpoint.calledBy ? [`Called by ${endpoint.calledBy}.`] : []),
    ].join(' '),
    ...(endpoint.access === 'public' ? { security: [] } : { security: [{ token: [] }] }),
    ...(parameters.length ? { parameters } : {}),
    ...(body ? { requestBody: { content: body } } : {}),
    responses: {
      ...(endpoint.response
        ? {
            200: {
              description: 'Success.',
              content: { 'application/json': { schema: schemaOf(endpoint.response, 'output') } },
            },
          }
        : {
            200: {
              description: 'Success.',
              ...(endpoint.answers ? { content: { 'text/html': { schema: { type: 'string' } } } } : {}),
            },
          }),
      422: { description: 'Validation failed.', ...refused },
      default: { description: 'Request failed.', ...refused },
    },
  }
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, json]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: json,
  }))
}

function bodyOf({ body, files }: EndpointShape): Json | undefined {
  if (!body && !files) return undefined
  const json = body ? schemaOf(body, 'input') : { type: 'object', properties: {} }
  if (files) {
    const binary = { type: 'string', format: 'binary' }
    const fields = Object.entries(files).map(([field, { most }]) =>
      most === 1 ? [field, binary] : [`${field}[]`, { type: 'array', maxItems: most, items: binary }],
    )
    const withFiles = {
      ...json,
      properties: { ...(json['properties'] as Json), ...Object.fromEntries(fields) },
    }
    return {
      'multipart/form-data': { schema: withFiles },
      ...(body ? { 'application/json': { schema: json } } : {}),
    }
  }
  return { 'application/json': { schema: json } }
}

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!)

/** Renders the API description as an HTML page. */
export function apiPage(endpoints: readonly EndpointShape[]): string {
  const rows = endpoints
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((endpoint) => {
      const parameters = [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')]
      const fields = endpoint.body
        ? Object.keys((schemaOf(endpoint.body, 'input')['properties'] as Json) ?? {})
        : []
      const list = (title: string, names: string[]) =>
        names.length
          ? `<p>${title}: ${names.map((name) => `<code>${escape(name)}</code>`).join(' ')}</p>`
          : ''
      return `<section><h2><b>${endpoint.method}</b> /api${escape(endpoint.path)}</h2><p>${escape(endpoint.summary)}</p><p>Access: <code>${escape(inWords(endpoint.access))}</code></p>${list(
        'Parameters',
        parameters.map(({ name }) => String(name)),
      )}${list('Body', [...fields, ...Object.keys(endpoint.files ?? {})])}</section>`
    })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API | Admin Panel</title><meta name="viewport" content="width=device-width"><style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}h2{font-size:1rem;margin:2rem 0 .25rem}p{margin:.15rem 0}code{font-size:.9em}</style></head><body><main><h1>API</h1><p>Generated from the API contracts. Machine-readable version: <a href="/api/openapi.json">openapi.json</a>.</p>${rows.join('\n')}</main></body></html>`
}
