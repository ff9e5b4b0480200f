import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'

const path = '/auth/calendar-feed'
const now = '2026-03-16T12:00:00.000Z'

async function createFeed({ as }: Pick<TestApp, 'as'>, who: string): Promise<string> {
  const { address } = await as(who).post(path)
  return /\/api(\/public\/calendar\/[\w-]{43})$/.exec(address as string)![1]!
}

const enterSession = async ({ db }: Pick<TestApp, 'db'>, lead_id: number, more: object = {}) =>
  (
    await db
      .insertInto('lead_demos')
      .values({
        lead_id,
        type: 'Demo',
        status: 2,
        final_date: '2026-03-20T14:00:00Z',
        schedule_comment: 'Ask for Ada',
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

/** Returns the events of a feed, each as its title with its start, without line folding. */
async function eventsOf({ as }: Pick<TestApp, 'as'>, feed: string): Promise<string[]> {
  const { status, text } = await as(undefined).get(feed)
  expect(status).toBe(200)
  const lines = text.replaceAll('\r\n ', '').split('\r\n')
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(name) ? [line.slice(line.indexOf(':') + 1)] : []))
  const starts = valuesOf('DTSTART')
  return valuesOf('SUMMARY').map((title, index) => `${title} ${starts[index]}`)
}

test('a feed has the owner’s sessions and follow-ups, and nothing else about the leads', async () => {
  const app = await startTestApp({ now })
  const crm = app.as('crm').id
  const own = await enterLead(app.db, {
    company_name: 'Aalto Linen',
    contact_name: 'Ada Aalto',
    email: 'ada@aalto.example',
    phone: '+358 40 1234567',
    assign_to: crm,
    followup_date: '2026-03-18',
  })
  await enterSession(app, own)
  await enterSession(app, own, { status: 0 })
  await enterSession(app, own, { status: 1, final_date: null, requested_date: '2026-03-20T14:00:00Z' })
  await enterSession(app, own, { final_date: '2025-12-01T10:00:00Z' })
  const other = await enterLead(app.db, {
    company_name: 'Birch',
    assign_to: app.as('super_admin').id,
    followup_date: '2026-03-18',
  })
  await enterSession(app, other)
  await enterLead(app.db, { company_name: 'Cedar', assign_to: crm, followup_date: '2026-03-18', status: 8 })

  const feed = await createFeed(app, 'crm')
  expect(await eventsOf(app, feed)).toEqual([
    'Demo: Aalto Linen 20260320T140000Z',
    'Follow-up: Aalto Linen 20260318',
  ])
  const { headers, text } = await app.as(undefined).get(feed)
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(text).toContain(`/demo-leads/lead/${own}`)
  expect(text).toContain('DTEND:20260320T150000Z')
  expect(text).not.toMatch(/Ada|1234567|ada@/)
})

test('a session of an onboarding is in the feed of the onboarding’s assignee', async () => {
  const app = await startTestApp({ now })
  const { lead_id, id: onboarding_id } = await winLead(app)
  await app.db
    .updateTable('leads')
    .set({ assign_to: app.as('crm').id })
    .where('lead_id', '=', lead_id)
    .execute()
  await app.db
    .updateTable('onboardings')
    .set({ assign_to: app.as('csm').id })
    .where('id', '=', onboarding_id)
    .execute()
  await enterSession(app, lead_id, { onboarding_id, type: 'Training' })
  expect(await eventsOf(app, await createFeed(app, 'csm'))).toEqual([
    expect.stringMatching(/^Training: .* 20260320T140000Z$/),
  ])
  expect(await eventsOf(app, await createFeed(app, 'crm'))).toEqual([])
})

test('records that the owner can no longer see leave the feed, and a banned owner’s feed ends', async () => {
  const app = await startTestApp({ now })
  const id = app.as('crm').id
  await enterLead(app.db, { company_name: 'Aalto', lead_for: 1, assign_to: id, followup_date: '2026-03-18' })
  await enterSession(app, await enterLead(app.db, { company_name: 'Birch', lead_for: 2, assign_to: id }))
  const feed = await createFeed(app, 'crm')
  const both = ['Demo: Birch 20260320T140000Z', 'Follow-up: Aalto 20260318']
  expect(await eventsOf(app, feed)).toEqual(both)

  await app.db.deleteFrom('staff_products').where('staff_id', '=', id).where('product_id', '=', 2).execute()
  expect(await eventsOf(app, feed)).toEqual([both[1]])
  await app.db
    .deleteFrom('role_permissions')
    .where('permission', '=', 'lead_list')
    .where('role_id', '=', (of) => of.selectFrom('staff').select('role_id').where('id', '=', id))
    .execute()
  expect(await eventsOf(app, feed)).toEqual([])
  await app.db.updateTable('staff').set({ banned_at: now }).where('id', '=', id).execute()
  expect((await app.as(undefined).get(feed)).status).toBe(404)
})

test('an address is shown once, is replaced by a new one, and ends when the feed is turned off', async () => {
  const app = await startTestApp({ now })
  const { as, db } = app
  expect((await as(undefined).post(path)).status).toBe(401)
  expect(await as('crm').get(path)).toMatchObject({ status: 200, data: null })
  const first = await createFeed(app, 'crm')
  expect((await as('crm').get(path)).text).not.toContain(first.split('/').at(-1))
  expect(await as('crm').get(path)).toMatchObject({ data: { created_at: now, last_read_at: null } })
  const rows = await db.selectFrom('calendar_feeds').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(first.split('/').at(-1))

  expect((await as(undefined).get(first)).status).toBe(200)
  expect(await as('crm').get(path)).toMatchObject({ data: { last_read_at: now } })
  const second = await createFeed(app, 'crm')
  expect((await as(undefined).get(first)).status).toBe(404)
  expect((await as(undefined).get(second)).status).toBe(200)
  // Another user's feed stays.
  const other = await createFeed(app, 'csm')
  expect((await as('crm').send('DELETE', path)).status).toBe(200)
  expect((await as(undefined).get(second)).status).toBe(404)
  expect((await as(undefined).get(other)).status).toBe(200)
  expect((await as('crm').send('DELETE', path)).status).toBe(404)
})

test('wrong addresses and reads are limited', async () => {
  const app = await startTestApp({ now, env: { RATE_LIMITS: 'on' } })
  const feed = await createFeed(app, 'crm')
  const statuses = async (address: string, times: number) => {
    const all = []
    for (let index = 0; index < times; index += 1) all.push((await app.as(undefined).get(address)).status)
    return all
  }
  expect(await statuses('/public/calendar/wrong', 22)).toEqual([...Array<number>(20).fill(404), 429, 429])
  expect((await statuses(feed, 61)).slice(-2)).toEqual([200, 429])
})
