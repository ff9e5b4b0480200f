import { z } from 'zod'
import type { EndpointShape } from '#shared/endpoint.ts'

interface JsonSchema {
  type?: string
  maximum?: number
  maxLength?: number
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
  /** Path, in the format used by the errors in a 422 response: `sessions.0.type`. */
  path: string
}

/**
 * Returns every text field of a request, determined from the contract.
 * @param longest leaves out fields that accept more characters than this
 */
export function textFieldsOf(
  { query, body }: Pick<EndpointShape, 'query' | 'body'>,
  longest?: number,
): TextField[] {
  const of = (place: TextField['place'], schema: z.ZodType | undefined) =>
    fieldsOf(
      schema,
      ({ type, maxLength = Infinity }) => type === 'string' && maxLength <= (longest ?? Infinity),
    ).map((path): TextField => ({ place, path }))
  return [...of('query', query), ...of('body', body)]
}

const mostId = 2_147_483_647

/** Returns the paths of a schema's fields that contain a record ID. */
export const idFieldsOf = (schema: z.ZodType | undefined): string[] =>
  fieldsOf(schema, ({ type, maximum }) => type === 'integer' && maximum === mostId)

function fieldsOf(schema: z.ZodType | undefined, isWanted: (schema: JsonSchema) => boolean): string[] {
  if (!schema) return []
  const json = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    reused: 'inline',
  }) as JsonSchema
  return [...new Set(fieldsIn(json, [], isWanted))]
}

function fieldsIn(
  schema: JsonSchema,
  path: readonly string[],
  isWanted: (schema: JsonSchema) => boolean,
): string[] {
  if (schema.enum || schema.const !== undefined) return []
  const own = isWanted(schema) && path.length ? [path.join('.')] : []
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    fieldsIn(field, [...path, name], isWanted),
  )
  const items = schema.items ? fieldsIn(schema.items, [...path, '0'], isWanted) : []
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((one) =>
    fieldsIn(one, path, isWanted),
  )
  return [...own, ...fields, ...items, ...choices]
}

/** Returns a copy of `sample` with a value set at a path. */
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
