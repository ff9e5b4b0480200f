import { formSettings, formTexts } from '#features/crm/leads/web-form/samples.testing.ts'
import { z } from 'zod'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { Reply, TestClient } from '#app/testing/start.testing.ts'
import type { SchemaWithDef } from '#server/http/product-scope.ts'
import { withValue } from '#app/testing/text-fields.testing.ts'

type Requested = Pick<EndpointShape, 'method' | 'path' | 'params' | 'query' | 'body' | 'files'>

const mailbox = {
  address: 'support@one.example',
  host: 'imap.one.example',
  port: 993,
  username: 'support',
  folder: 'INBOX',
  sign_in: 'password',
  unknown_becomes: 'unsorted',
  is_on: false,
}

/**
 * Request bodies for endpoints whose fields depend on each other in ways that the schemas of the individual
 * fields don't express.
 */
export const bodies: Record<string, object> = {
  'POST /admin/settings/mailboxes': mailbox,
  'POST /admin/settings/mailboxes/{id}': { ...mailbox, version: 1 },
  'POST /admin/settings/web-forms/{product_id}': { ...formSettings, version: 0 },
  'POST /admin/settings/web-forms/{product_id}/preview': { ...formTexts, is_embedded: false },
  'POST /admin/support/assignment-rules': { version: 0, rules: [] },
  'POST /admin/support/ticket-rules': { version: 0, rules: [] },
  'POST /admin/support/ticket-rules/try': { rules: [] },
  'POST /admin/support/targets': {
    version: 0,
    targets: [],
    pauses_while_waiting: true,
    reminder_percent: null,
    zone: 'UTC',
    days: Array.from({ length: 7 }, () => null),
    holidays: [],
  },
  'POST /admin/users/change-leads': {
    selection: { filters: {}, total: 1 },
    change: { kind: 'status', status: 1 },
  },
  'POST /admin/users/change-leads/current-values': {
    selection: { filters: {}, total: 1 },
    field: 'country',
  },
}

/** Returns the name of the file field that an endpoint requires, if there is one. */
export const requiredFileOf = ({ files }: Pick<EndpointShape, 'files'>): string | undefined =>
  Object.entries(files ?? {}).find(([, { required }]) => required)?.[0]

/**
 * Sends a request built from an endpoint's schemas: only required fields, plus an optional value at a path
 * such as `query.lead_for`.
 */
export function sendSample(
  as: TestClient,
  endpoint: Requested,
  at?: { place: string; value: unknown },
): Promise<Reply> {
  const { method } = endpoint
  const file = requiredFileOf(endpoint)
  const [part, ...path] = at?.place.split('.') ?? []
  const input = (name: 'params' | 'query' | 'body') => {
    const sample =
      name === 'body'
        ? (bodies[`${method} ${endpoint.path}`] ?? sampleOf(endpoint.body))
        : sampleOf(endpoint[name])
    if (part !== name) return sample as Record<string, any>
    const one = withValue(sample, path.join('.'), at!.value) as Record<string, any>
    // If the field is a list, wrap the value in a list.
    return endpoint[name] && !endpoint[name].safeParse(one).success
      ? (withValue(sample, path.join('.'), [at!.value]) as Record<string, any>)
      : one
  }
  const params = input('params')
  const address = endpoint.path.replace(/\{(\w+)\}/g, (_braces, name: string) => String(params[name]))
  const query = new URLSearchParams(input('query')).toString()
  const texts = () =>
    Object.fromEntries(Object.entries(input('body')).map(([name, value]) => [name, String(value)]))
  return as.send(
    method,
    query ? `${address}?${query}` : address,
    endpoint.body && !file ? input('body') : undefined,
    {
      ...(file
        ? {
            form: {
              ...texts(),
              [file]: { name: 'a.csv', bytes: 'company\nAalto Linen\n', type: 'text/csv' },
            },
          }
        : {}),
    },
  )
}

const leaves = [
  1,
  'x',
  'sample text',
  '2026-03-16',
  '2026-03-16T10:00:00Z',
  'zoe@aalto.example',
  'https://aalto.example',
  true,
  '1',
  '00000000-0000-4000-8000-000000000000',
  `${'0'.repeat(40)}.webp`,
  'Europe/Berlin',
  '#0f766e',
  [],
  {},
  null,
]

/** Returns a value that a schema accepts; for objects, with only the required properties. */
export function sampleOf(schema: z.core.$ZodType | undefined): unknown {
  if (!schema) return {}
  const { def } = schema as unknown as SchemaWithDef
  const fits = (value: unknown) => z.safeParse(schema, value).success
  if (def.type === 'object')
    return Object.fromEntries(
      Object.entries(def.shape)
        .filter(([, field]) => !z.safeParse(field, undefined).success)
        .map(([name, field]) => [name, sampleOf(field)]),
    )
  if (def.type === 'array') return fits([]) ? [] : [sampleOf(def.element)]
  if (def.type === 'union') return sampleOf(def.options[0])
  if (def.type === 'enum') return Object.values(def.entries)[0]
  if (def.type === 'literal') return def.values[0]
  if (def.type === 'pipe' && !leaves.some(fits))
    return sampleOf((def.in as unknown as SchemaWithDef).def.type === 'transform' ? def.out : def.in)
  const found = leaves.find((value) => (typeof value !== 'object' || def.type !== 'pipe') && fits(value))
  if (found === undefined) throw new Error(`No sample fits a schema of the kind ${def.type}.`)
  return found
}
