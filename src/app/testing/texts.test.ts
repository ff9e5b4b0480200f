import type { RunningApp } from '#app/server/server.ts'
import { expect, onTestFinished, test } from 'vitest'
import { endpoints } from '#app/server/features.ts'
import { startTestApp, type Reply, type TestApp } from '#app/testing/start.testing.ts'
import { textFieldsOf, withValue, type TextField } from '#app/testing/text-fields.testing.ts'
import { longestLine } from '#shared/schemas.ts'
import { changesSomething, type EndpointShape } from '#shared/endpoint.ts'
import { withoutInvisible } from '#shared/invisible.ts'
import { allSamples, type Sample, type SampleIds } from '#app/testing/samples.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/*
 * Hostile strings that could be entered into any field of any endpoint. The fields are read from the
 * contracts, so that new ones are covered too; an endpoint that stores text needs an entry in its feature's
 * `samples.testing.ts`.
 */

const { samples, isFree: isFreeField } = await allSamples()
// A request that is rejected before its body is read has no text to check. What an endpoint answers with a page, its own
// test checks (ratings.routes.test.ts).
const asked = endpoints.filter(
  (endpoint) => textFieldsOf(endpoint).length > 0 && !endpoint.inboundSecret && !endpoint.answers,
)
const nameOf = ({ method, path }: EndpointShape) => `${method} ${path}`

/** Fields that are hashed or signed as received, and never stored. */
const opaque =
  /^(filters\..*|password|oldPassword|newPassword|socket_id|channel_name|session|expires|signature)$/
/** Fields that don't accept free text: dates, addresses, references by name, keys. */
const notFree =
  /(_date|_from|_to|fromDate|toDate|today|timezone|email|url|services|hear_about|cog_types\.0|sessions\.0\.type|(^|\.)day|key|keys\.0|hidden\.0|order\.0|software_filter|user_name|slug|path|(^|\.)search|content|client_id|filters\..*|holidays\.0|guests\.0|(^|\.)list|base\..*)$/
/** The phone numbers of leads and their contacts, which must be able to be one; others are free text. */
const isChecked = ({ path }: EndpointShape, field: string) =>
  field === 'phone' && /demo-requests|lead-contacts/.test(path)
const takesFreeText = (endpoint: EndpointShape, field: string) =>
  !notFree.test(field) && isFreeField(field) && !isChecked(endpoint, field)
const notKept = new Set([
  'POST /admin/users/reset-user-password',
  'POST /admin/users/get-org-time',
  // The names of custom fields, such as custom_12.
  'POST /admin/users/lead-imports/{id}/dry-run',
  // Email addresses, which are checked.
  'POST /admin/users/{id}/addresses',
  'POST /admin/users/{id}/addresses/remove',
  'POST /admin/unsorted/unblock',
  'POST /broadcasting/auth',
  'POST /auth/login',
  // This endpoint is disabled unless a secret is configured.
  'POST /inbound/comment',
])

async function withLead() {
  const started = await startTestApp()
  const { id: question } = await started.db
    .selectFrom('prospection_questions')
    .select('id')
    .orderBy('position')
    .executeTakeFirstOrThrow()
  return { ...started, question, find: await findRows(started.app), newLead: () => enterLead(started.db) }
}

async function send(
  { as }: TestApp,
  endpoint: EndpointShape,
  { place, path }: TextField,
  value: string,
  { input, params = {}, query: behind = '' }: Sample,
): Promise<Reply> {
  const address = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '1')
  const sent = withValue(input, path, value) as Record<string, unknown>
  if (place === 'body') return as('super_admin').send(endpoint.method, `${address}${behind}`, sent)
  const query = new URLSearchParams(
    Object.entries(sent).map(([name, one]): [string, string] => [name, String(one)]),
  )
  return as('super_admin').send(endpoint.method, `${address}?${query}`)
}

const sampleOf = async (endpoint: EndpointShape, ids: SampleIds): Promise<Sample> =>
  (await samples[nameOf(endpoint)]?.(ids)) ?? { input: {} }

test('every endpoint that stores a text has a line here', () => {
  const keeping = asked
    .filter((endpoint) => changesSomething(endpoint) && !notKept.has(nameOf(endpoint)))
    .map(nameOf)
  expect(keeping.filter((name) => !(name in samples))).toEqual([])
  expect(keeping.length).toBeGreaterThan(12)
})

test.each(['a\u0000b', 'a\ud800b'])(
  '%j in any text of any endpoint is 422 at its field: it cannot be stored unchanged',
  async (text) => {
    const started = await withLead()
    const lead = await started.newLead()
    const wrong: unknown[] = []
    let count = 0
    // A URL cannot carry a lone surrogate.
    for (const endpoint of asked)
      for (const field of textFieldsOf(endpoint).filter(
        ({ path, place }) => !opaque.test(path) && (place === 'body' || text.isWellFormed()),
      )) {
        const reply = await send(
          started,
          endpoint,
          field,
          text,
          await sampleOf(endpoint, { lead, question: started.question, started, field: field.path }),
        )
        count += 1
        if (reply.status !== 422 || !Object.keys(reply.errors ?? {}).includes(field.path))
          wrong.push([nameOf(endpoint), field.path, reply.status, reply.errors])
      }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(40)
  },
)

/** With a mark, it has at most 60 characters, which is all that the shortest fields hold. */
const hostile = `<b on="a('1')">& </b>🧺‮مر e\u0308 '; drop -- \\ %_ ../{{7}}`

test('emoji, text from right to left, combining characters, markup, SQL, and paths are stored and shown as typed, or refused with a message', async () => {
  const started = await withLead()
  const wrong: unknown[] = []
  let kept = 0
  for (const endpoint of asked)
    for (const field of textFieldsOf(endpoint)) {
      const mark = newMark()
      const text = hostile + mark
      const reply = await send(
        started,
        endpoint,
        field,
        text,
        await sampleOf(endpoint, {
          lead: await started.newLead(),
          question: started.question,
          started,
          field: field.path,
        }),
      )
      const isFree =
        changesSomething(endpoint) && nameOf(endpoint) in samples && takesFreeText(endpoint, field.path)
      // Numbers and user names are stored without invisible characters.
      const stored = /phone|user_?name/i.test(field.path) ? withoutInvisible(text) : text
      if (reply.status >= 500 || (isFree && !(await isStored(started.find, reply, stored, mark))))
        wrong.push([nameOf(endpoint), field.path, reply.status, reply.text.slice(0, 300)])
      if (isFree) kept += 1
    }
  expect(wrong).toEqual([])
  expect(kept).toBeGreaterThan(25)
})

test('a line break in a name or another short text is stored as a space, or refused', async () => {
  const started = await withLead()
  const wrong: unknown[] = []
  let kept = 0
  for (const endpoint of asked) {
    if (!changesSomething(endpoint) || !(nameOf(endpoint) in samples)) continue
    for (const field of textFieldsOf(endpoint, longestLine)) {
      if (!takesFreeText(endpoint, field.path)) continue
      const sample = await sampleOf(endpoint, {
        lead: await started.newLead(),
        question: started.question,
        started,
        field: field.path,
      })
      const mark = newMark()
      const text = `One\r\nBcc: two\u2028three${mark}`
      const reply = await send(started, endpoint, field, text, sample)
      if (reply.status >= 500 || (await isStored(started.find, reply, text, mark)))
        wrong.push([nameOf(endpoint), field.path, reply.status, reply.text.slice(0, 300)])
      if (await isStored(started.find, reply, `One Bcc: two three${mark}`, mark)) kept += 1
    }
  }
  expect(wrong).toEqual([])
  expect(kept).toBeGreaterThan(25)
})

test('10 kB in any text of any endpoint are stored completely or refused at the field, never truncated', async () => {
  const started = await withLead()
  const wrong: unknown[] = []
  for (const endpoint of asked)
    for (const field of textFieldsOf(endpoint)) {
      const mark = newMark()
      const text = 'ü'.repeat(10_240) + mark
      const reply = await send(
        started,
        endpoint,
        field,
        text,
        await sampleOf(endpoint, {
          lead: await started.newLead(),
          question: started.question,
          started,
          field: field.path,
        }),
      )
      if (
        reply.status >= 500 ||
        (reply.status === 422 && !reply.errors) ||
        (reply.status === 200 && !(await isStored(started.find, reply, text, mark)))
      )
        wrong.push([nameOf(endpoint), field.path, reply.status, reply.text.slice(0, 300)])
    }
  expect(wrong).toEqual([])
})

/** Tables that repeat a request or its response, which proves nothing about where the text belongs. */
const copies = new Set(['audit_log', 'idempotency_keys'])

/** Returns a function that finds the rows of every table that contain a text, as JSON. */
async function findRows({ db, pool }: RunningApp): Promise<(text: string) => Promise<unknown[]>> {
  const tables = (await db.introspection.getTables()).filter(
    ({ name, schema }) => schema === 'public' && !copies.has(name),
  )
  const text = tables
    .map(
      ({ name }) => `select to_jsonb(t) as found from "${name}" t
        where t.xmin::text::bigint >= $1 and t::text like $2`,
    )
    .join(' union all ')
  const client = await pool.connect()
  onTestFinished(() => client.release())
  // Rows that were written before cannot contain the text, and are not converted to text.
  const { rows: first } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id')
  // Plan once per connection: for so many tables, planning takes longer than running.
  await client.query('set plan_cache_mode = force_generic_plan')
  return async (mark) => {
    const { rows } = await client.query<{ found: unknown }>({
      name: 'rows-with-text',
      text,
      values: [first[0]!.id, `%${mark}%`],
    })
    return rows.map(({ found }) => found)
  }
}

let marks = 0
/** Returns a mark that makes a text unique, so that its row can be found. */
const newMark = () => `~${(marks += 1)}~`

/** Returns whether a string is stored unchanged in the row that has its mark. */
async function isStored(find: Find, reply: Reply, text: string, mark: string): Promise<boolean> {
  if (reply.status !== 200) return false
  const found = await find(mark)
  return JSON.stringify(found).includes(JSON.stringify(text).slice(1, -1))
}
type Find = Awaited<ReturnType<typeof findRows>>
