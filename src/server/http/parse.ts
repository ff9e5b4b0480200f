import { z } from 'zod'
import type { EndpointShape, Input } from '#shared/endpoint.ts'
import { invalidInput, notFound } from '#server/http/errors.ts'

/**
 * Parses the input.
 * @throws HttpError 404 if the path parameters are invalid, 422 with messages by field for the rest.
 */
export function parse(endpoint: EndpointShape, sent: Input & { text?: string | undefined }): Input {
  const input: Input = { params: {}, query: {}, body: {} }
  if (endpoint.params) {
    const parsed = endpoint.params.safeParse(sent.params)
    if (!parsed.success) throw notFound('This page doesn’t exist.')
    input.params = parsed.data
  }
  const issues: z.core.$ZodIssue[] = []
  const query =
    sent.text === undefined
      ? parseQuery(endpoint, sent.query as Record<string, unknown>)
      : parseQueryCached(endpoint, sent.text, sent.query as Record<string, unknown>)
  if ('issues' in query) issues.push(...query.issues)
  else input.query = query.data
  if (endpoint.body) {
    const parsed = endpoint.body.safeParse(sent.body ?? {})
    if (parsed.success) input.body = parsed.data
    else issues.push(...parsed.error.issues)
  }
  if (issues.length) throw invalidInput(issues)
  return input
}

const mostKept = 300
const kept = new WeakMap<EndpointShape, Map<string, ParsedQuery>>()

/**
 * Caches parsed queries, because many clients send the same one, especially when a list refreshes in every
 * open tab. Results are frozen, so they are safe to share.
 */
function parseQueryCached(endpoint: EndpointShape, text: string, sent: Record<string, unknown>): ParsedQuery {
  let texts = kept.get(endpoint)
  if (!texts || texts.size > mostKept) kept.set(endpoint, (texts = new Map()))
  let parsed = texts.get(text)
  if (!parsed) {
    parsed = parseQuery(endpoint, sent)
    if ('data' in parsed) texts.set(text, { data: Object.freeze(parsed.data) })
  }
  return parsed
}

type ParsedQuery = { data: unknown } | { issues: z.core.$ZodIssue[] }

function parseQuery(endpoint: EndpointShape, sent: Record<string, unknown>): ParsedQuery {
  const known: Record<string, z.ZodType> = endpoint.query instanceof z.ZodObject ? endpoint.query.shape : {}
  const query = plainQuery(sent, known)
  const acceptsAny = endpoint.query instanceof z.ZodObject && endpoint.query.def.catchall !== undefined
  const issues: z.core.$ZodIssue[] = Object.keys(query)
    .filter((name) => !acceptsAny && !Object.hasOwn(known, name))
    .map((name) => ({ code: 'custom', path: [name], message: 'Unknown parameter.', input: undefined }))
  const parsed = endpoint.query?.safeParse(query)
  if (parsed && !parsed.success) issues.push(...parsed.error.issues)
  return issues.length ? { issues } : { data: parsed?.data ?? {} }
}

/**
 * Normalizes a query. `ids[]=1&ids[]=2` and `ids=1&ids=2` become the same list; an empty value becomes null
 * if null is valid, and is omitted otherwise; `_method` is removed.
 */
function plainQuery(
  sent: Record<string, unknown>,
  known: Record<string, z.ZodType>,
): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const name of Object.keys(sent)) {
    const value = sent[name]
    if (name === '_method') continue
    if (value === '') {
      if (Object.hasOwn(known, name) && known[name]!.safeParse(null).success) query[name] = null
    } else if (name.endsWith('[]')) query[name.slice(0, -2)] = Array.isArray(value) ? value : [value]
    else query[name] = value
  }
  return query
}
