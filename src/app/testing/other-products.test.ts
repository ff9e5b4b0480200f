import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endpoints } from '#app/server/features.ts'
import { plant, plantedTables, type Planted } from '#app/testing/planted.testing.ts'
import { requestsOf, type Walked } from '#app/testing/id-fields.testing.ts'
import { allSamples } from '#app/testing/samples.testing.ts'
import { client, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { changesSomething, type EndpointShape } from '#shared/endpoint.ts'
import { openSession } from '#server/http/session.ts'

/*
 * A user with access to product 1 only calls every endpoint with the IDs of records of product 4. No response
 * may contain a name, text, or address from these records.
 */

const mark = 'Zqxforeign'
const own: Omit<Planted, 'by' | 'to'> = { id: 1100, product: 1, mark: 'Ownrecord', slug: 'own-record' }
const foreign: Omit<Planted, 'by' | 'to'> = { id: 4400, product: 4, mark, slug: 'other-record' }

async function startPlanted() {
  const started = await startTestApp()
  const { db, as } = started
  const people = { by: as('super_admin').id, to: as('admin').id }
  await plant(db, { ...own, ...people })
  await plant(db, { ...foreign, ...people })
  return started
}

const { samples } = await allSamples()
async function requests(started: TestApp, endpoint: EndpointShape): Promise<Walked[]> {
  const sample = await samples[`${endpoint.method} ${endpoint.path}`]?.({
    lead: own.id,
    question: 1,
    started,
  })
  return requestsOf(endpoint, { own, foreign, staff: started.as('crm').id }, sample)
}

/** Signs in again for each call, because some calls end sessions or ban people. */
async function callAs({ app, db, clock }: TestApp, id: number, { method, path, query, body, file }: Walked) {
  await db
    .updateTable('staff')
    .set({ banned_at: null, deleted_at: null, deleted_by: null, role_id: 1 })
    .where('id', '=', id)
    .execute()
  const { token } = await openSession(db, {
    staff_id: id,
    remember: true,
    address: '127.0.0.1',
    user_agent: 'test',
    now: clock.now(),
    expires: app.sessions.expiryOf({ remember: true }),
  })
  const search = new URLSearchParams(query).toString()
  return client(app, token, id).send(method, search ? `${path}?${search}` : path, file ? undefined : body, {
    ...(file
      ? {
          form: {
            ...asTexts(body),
            [file]: { name: 'a.csv', bytes: 'company\nAalto Linen\n', type: 'text/csv' },
          },
        }
      : {}),
  })
}
const asTexts = (body: object = {}) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))

/**
 * Calls all endpoints that read or, with `writes`, all endpoints that write. Each endpoint is called with
 * every request that names foreign records; yields the responses.
 */
async function* walk(started: TestApp, id: number, { writes }: { writes: boolean }) {
  for (const endpoint of endpoints.filter((one) => changesSomething(one) === writes))
    for (const request of await requests(started, endpoint)) {
      const reply = await callAs(started, id, request)
      yield { request, reply, isMarked: reply.text.toLowerCase().includes(mark.toLowerCase()) }
      if (writes && reply.status < 300) await restoreOwn(started)
    }
}

test(
  'no answer to a user without a product has a name, text, or address of its records',
  { timeout: 300_000 },
  async () => {
    const started = await startPlanted()
    const { db, as } = started
    const { id } = as('admin')
    const keepProductOne = () =>
      db.deleteFrom('staff_products').where('staff_id', '=', id).where('product_id', '<>', 1).execute()
    await keepProductOne()
    const found: unknown[] = []
    let succeeded = 0
    for (const writes of [false, true])
      for await (const { request, reply, isMarked } of walk(started, id, { writes })) {
        if (isMarked || reply.status >= 500) found.push([request, reply.status, excerpt(reply.text)])
        if (reply.status < 300) succeeded += 1
        if (writes) await keepProductOne()
      }
    expect(found).toEqual([])
    expect(succeeded).toBeGreaterThan(400)
  },
)

test(
  'control: the same reads show the records to a user with the product',
  { timeout: 120_000 },
  async () => {
    const started = await startPlanted()
    const marked = new Set<string>()
    for await (const { request, isMarked } of walk(started, started.as('admin').id, { writes: false }))
      if (isMarked) marked.add(request.path)
    expect([...marked].toSorted()).toMatchSnapshot()
  },
)

const excerpt = (text: string) => {
  const at = text.toLowerCase().indexOf(mark.toLowerCase())
  return text.slice(Math.max(0, at - 120), at + 60)
}

async function restoreOwn({ db }: TestApp) {
  for (const [table, id] of Object.entries(plantedTables))
    await sql`update ${sql.table(table)} set deleted_at = null, deleted_by = null where ${sql.ref(id)} between ${own.id} and ${own.id + 20}`.execute(
      db,
    )
}
