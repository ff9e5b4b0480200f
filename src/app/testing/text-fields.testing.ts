import { z } from 'zod'
import type { EndpointShape } from '#shared/endpoint.ts'

interface JsonSchema {
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
}

export interface TextField {
  place: 'query' | 'body'
  /** Path, as in the errors of a 422 response: `sessions.0.type`. */
  path: string
}

/** Returns every text field of a request, determined from the contract. */
export function textFieldsOf({ query, body }: Pick<EndpointShape, 'query' | 'body'>): TextField[] {
  const of = (place: TextField['place'], schema: z.ZodType | undefined) => {
    if (!schema) return []
    const json = z.toJSONSchema(schema, {
      io: 'output',
      unrepresentable: 'any',
      reused: 'inline',
    }) as JsonSchema
    return [...new Set(textsIn(json, []))].map((path): TextField => ({ place, path }))
  }
  return [...of('query', query), ...of('body', body)]
}

function textsIn(schema: JsonSchema, path: readonly string[]): string[] {
  if (schema.enum || schema.const !== undefined) return []
  const own = schema.type === 'string' && path.length ? [path.join('.')] : []
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    textsIn(field, [...path, name]),
  )
  const items = schema.items ? textsIn(schema.items, [...path, '0']) : []
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((one) =>
    textsIn(one, path),
  )
  return [...own, ...fields, ...items, ...choices]
}

/** Returns a copy of an input with a value set at a path; everything else stays as in `sample`. */
export function withValue(sample: unknown, path: string, value: unknown): unknown {
  const put = (held: any, [name, ...rest]: readonly string[]): unknown => {
    if (name === undefined) return value
    if (/^\d+$/.test(name)) {
      const items: unknown[] = Array.isArray(held) ? [...(held as unknown[])] : []
      items[Number(name)] = put(items[Number(name)], rest)
      return items
    }
    return { ...held, [name]: put(held?.[name], rest) }
  }
  return put(sample, path.split('.'))
}
