import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { wallTime } from '#shared/zones.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import type { ServiceTarget, StoredTargets } from '#features/crm/support/targets.contract.ts'
import { remindOfTargets } from '#features/crm/support/server/targets/target-reminders.ts'
import { extendPeriods } from '#features/crm/support/server/targets/targets.routes.ts'

const path = '/admin/support/targets'
const workday = { from: '09:00', to: '17:00' }
const any: ServiceTarget = {
  priority: null,
  category: null,
  organization_id: null,
  first_response: 60,
  next_response: 120,
  resolution: 480,
  in_working_hours: false,
}
const settings = {
  version: 0,
  targets: [any],
  pauses_while_waiting: true,
  reminder_percent: 75,
  zone: 'Europe/Berlin',
  days: [workday, workday, workday, workday, workday, null, null],
  holidays: ['2026-03-18'],
}

/** Sets targets as of the beginning of March 2026. */
async function withTargets(changed: object = {}) {
  const started = await startTestApp({ now: '2026-03-01T00:00:00.000Z' })
  const saved = await started.as('admin').post(path, { ...settings, ...changed })
  expect(saved.status).toBe(200)
  return started
}

async function enterTicket(db: TestApp['db'], created_at: string, values: object = {}): Promise<number> {
  const { id } = await db
    .insertInto('tickets')
    .values({ title: 'The scanner stopped', created_at, last_message_at: created_at, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const say = (db: TestApp['db'], ticket_id: number, created_at: string, sent_by_admin = false) =>
  db
    .insertInto('ticket_messages')
    .values({ ticket_id, sent_by_admin, message: '<p>Hi</p>', created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
const turn = (
  db: TestApp['db'],
  ticket_id: number,
  changed_at: string,
  from_status: number,
  to_status: number,
) =>
  db.insertInto('ticket_status_changes').values({ ticket_id, from_status, to_status, changed_at }).execute()
const clocksOf = async (db: TestApp['db'], id: number) =>
  (
    await db
      .selectFrom('ticket_clocks')
      .select(['kind', 'due_at', 'seconds_left', 'ended_at'])
      .where('ticket_id', '=', id)
      .orderBy('started_at')
      .orderBy('kind')
      .execute()
  ).map(({ kind, due_at, seconds_left, ended_at }) => [kind, due_at, seconds_left, ended_at])

test('service targets are for roles 0 and 1', async () => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const expected = role === undefined ? 401 : isAdminRole(role) ? 200 : 403
    expect([role, (await as(role).get(path)).status]).toEqual([role, expected])
    const { version } = (await as('admin').get(path))['data'] as StoredTargets
    expect([role, (await as(role).post(path, { ...settings, version })).status]).toEqual([role, expected])
  }
})

test('of two admins who change the targets, the second gets a conflict with the targets of the first', async () => {
  const { as } = await withTargets()
  const late = await as('super_admin').post(path, { ...settings, targets: [] })
  expect([late.status, late['current']]).toEqual([409, expect.objectContaining({ version: 1 })])
  expect((await as('super_admin').get(path))['data']).toMatchObject({ ...settings, version: 1 })
})

test.each([
  [{ targets: [{ ...any, organization_id: 99 }] }, 'targets.0.organization_id'],
  [{ targets: [any, { ...any, category: 99 }] }, 'targets.1.category'],
  [
    { targets: [{ ...any, first_response: null, next_response: null, resolution: null }] },
    'targets.0.first_response',
  ],
  [{ zone: 'Mars/Olympus' }, 'zone'],
  [{ reminder_percent: 100 }, 'reminder_percent'],
  [{ days: [workday] }, 'days'],
  [{ holidays: ['2026-02-30'] }, 'holidays.0'],
])('%j is refused at its field', async (changed, field) => {
  const { as } = await startTestApp()
  const reply = await as('admin').post(path, { ...settings, ...changed })
  expect([reply.status, Object.keys(reply['errors'] as object)]).toEqual([422, [field]])
  expect((await as('admin').get(path))['data'].version).toBe(0)
})

test('the first response runs until the first answer, the next one from the customer’s next message', async () => {
  const { db } = await withTargets()
  const id = await enterTicket(db, '2026-03-02T09:00:00Z')
  await say(db, id, '2026-03-02T09:00:00Z')
  const resolution = ['resolution', '2026-03-02T17:00:00.000Z', null, null]
  expect(await clocksOf(db, id)).toEqual([
    ['first_response', '2026-03-02T10:00:00.000Z', null, null],
    resolution,
  ])
  await say(db, id, '2026-03-02T09:20:00Z')
  await say(db, id, '2026-03-02T09:40:00Z', true)
  const first = ['first_response', null, 20 * 60, '2026-03-02T09:40:00.000Z']
  expect(await clocksOf(db, id)).toEqual([first, resolution])
  await say(db, id, '2026-03-02T11:00:00Z')
  expect((await clocksOf(db, id)).at(-1)).toEqual(['next_response', '2026-03-02T13:00:00.000Z', null, null])
  await say(db, id, '2026-03-02T14:00:00Z', true)
  expect((await clocksOf(db, id)).at(-1)).toEqual(['next_response', null, -3600, '2026-03-02T14:00:00.000Z'])
})

test('the resolution pauses while waiting, ends when solved, and starts again when reopened', async () => {
  const { db } = await withTargets()
  const id = await enterTicket(db, '2026-03-02T09:00:00Z')
  await say(db, id, '2026-03-02T09:00:00Z', true)
  await turn(db, id, '2026-03-02T10:00:00Z', 0, 3)
  expect(await clocksOf(db, id)).toEqual([['resolution', null, 7 * 3600, null]])
  await turn(db, id, '2026-03-03T10:00:00Z', 3, 1)
  expect(await clocksOf(db, id)).toEqual([['resolution', '2026-03-03T17:00:00.000Z', null, null]])
  await turn(db, id, '2026-03-03T12:00:00Z', 1, 4)
  const solved = ['resolution', null, 5 * 3600, '2026-03-03T12:00:00.000Z']
  expect(await clocksOf(db, id)).toEqual([solved])
  await turn(db, id, '2026-03-05T12:00:00Z', 4, 0)
  expect(await clocksOf(db, id)).toEqual([solved, ['resolution', '2026-03-05T20:00:00.000Z', null, null]])
})

test('without the pause, the resolution runs while waiting', async () => {
  const { db } = await withTargets({ pauses_while_waiting: false })
  const id = await enterTicket(db, '2026-03-02T09:00:00Z')
  await say(db, id, '2026-03-02T09:00:00Z', true)
  await turn(db, id, '2026-03-02T10:00:00Z', 0, 3)
  expect(await clocksOf(db, id)).toEqual([['resolution', '2026-03-02T17:00:00.000Z', null, null]])
})

test('a ticket that is solved without an answer has no response to measure', async () => {
  const { db } = await withTargets()
  const id = await enterTicket(db, '2026-03-02T09:00:00Z')
  await say(db, id, '2026-03-02T09:00:00Z')
  await turn(db, id, '2026-03-02T09:30:00Z', 0, 5)
  expect((await clocksOf(db, id)).map(([kind]) => kind)).toEqual(['resolution'])
})

test('an undone reply was no answer: the clock runs again', async () => {
  const { as, db } = await withTargets()
  const id = await enterTicket(db, '2026-03-02T09:00:00Z', { sender_email: 'desk@inn.example' })
  await say(db, id, '2026-03-02T09:00:00Z')
  const running = await clocksOf(db, id)
  const sent = await as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Hello</p>' })
  expect((await clocksOf(db, id))[0]![3]).not.toBeNull()
  const { mail_id } = sent['data'] as { mail_id: number }
  await db
    .updateTable('mails')
    .set({ called_off_at: '2026-03-02T09:05:00Z', stopped_at: '2026-03-02T09:05:00Z' })
    .where('id', '=', mail_id)
    .execute()
  expect(await clocksOf(db, id)).toEqual(running)
})

test.each(['change of the status', 'change of several tickets', 'reply that solved the ticket'])(
  'an undone %s leaves the clocks and the report as they were',
  async (how) => {
    const { as, db } = await withTargets()
    const id = await enterTicket(db, '2026-03-02T09:00:00Z', { sender_email: 'desk@inn.example' })
    await say(db, id, '2026-03-02T09:00:00Z')
    const desk = as('support')
    const reportOf = async () => {
      const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
      const { data } = await desk.get(`/admin/support/report?from=${day(-1)}&to=${day(1)}`)
      return [data.answered.count, data.solved.count, data.reopened.count]
    }
    const before = [await clocksOf(db, id), await reportOf()]
    const change = async () => {
      if (how === 'change of the status') return desk.post(`/admin/support/change-ticket-status/${id}/5`)
      if (how === 'change of several tickets')
        return desk.post('/admin/support/change-tickets', {
          selection: { ids: [id] },
          change: { kind: 'status', status: 5 },
        })
      return desk.post(`/admin/support/sendReply/${id}`, { message: '<p>Solved</p>', status: 5 })
    }
    const { status, ...changed } = await change()
    expect(status).toBe(200)
    expect((await clocksOf(db, id)).map(([, , , ended]) => ended)).not.toContain(null)
    expect((await reportOf())[1]).toBe(1)
    const undo =
      how === 'reply that solved the ticket'
        ? await desk.post(`/admin/mail/${changed['data'].mail_id}/call-off`)
        : await desk.post(`/admin/operations/${changed['operation'].id}/undo`)
    expect(undo.status).toBe(200)
    expect([await clocksOf(db, id), await reportOf()]).toEqual(before)
    // Redone, it counts from then on.
    if (how !== 'change of the status') return
    await desk.post(`/admin/operations/${changed['operation'].id}/redo`)
    expect((await reportOf()).slice(1)).toEqual([1, 0])
  },
)

test('a target stays as it was when its clock started; the first one that fits applies', async () => {
  const org = async (db: TestApp['db']) => enterOrganization(db)
  const { as, db } = await startTestApp({ now: '2026-03-01T00:00:00.000Z' })
  const organization_id = await org(db)
  const urgent = { ...any, priority: 1 as const, first_response: 15 }
  const of = { ...any, organization_id, first_response: 30 }
  await as('admin').post(path, { ...settings, targets: [urgent, of, any] })
  const dueOf = async (values: object) => {
    const id = await enterTicket(db, '2026-03-02T09:00:00Z', values)
    await say(db, id, '2026-03-02T09:00:00Z')
    return { id, due: (await clocksOf(db, id))[0]![1] }
  }
  expect((await dueOf({ priority: 1, organization_id })).due).toBe('2026-03-02T09:15:00.000Z')
  expect((await dueOf({ organization_id })).due).toBe('2026-03-02T09:30:00.000Z')
  const { id, due } = await dueOf({})
  expect(due).toBe('2026-03-02T10:00:00.000Z')
  const changed = {
    ...settings,
    version: 1,
    targets: [
      { ...urgent, first_response: 5 },
      { ...any, first_response: 600 },
    ],
  }
  expect((await as('admin').post(path, changed)).status).toBe(200)
  await say(db, id, '2026-03-02T09:10:00Z')
  expect((await clocksOf(db, id))[0]![1]).toBe(due)
  await db.updateTable('tickets').set({ priority: 1 }).where('id', '=', id).execute()
  expect((await clocksOf(db, id))[0]![1]).toBe('2026-03-02T09:05:00.000Z')
})

test('tickets from before the targets were set have no clocks', async () => {
  const { db } = await withTargets()
  const id = await enterTicket(db, '2026-02-20T09:00:00Z')
  await say(db, id, '2026-02-20T09:00:00Z')
  expect(await clocksOf(db, id)).toEqual([])
  await say(db, id, '2026-03-02T09:00:00Z', true)
  await say(db, id, '2026-03-02T10:00:00Z')
  expect((await clocksOf(db, id)).map(([kind]) => kind)).toEqual(['next_response'])
})

test('a customer’s message and a reply at the same time leave no clock running', async () => {
  const { db, app } = await withTargets()
  const id = await enterTicket(db, '2026-03-02T09:00:00Z')
  const [one, other] = [await app.pool.connect(), await app.pool.connect()]
  const insert = (sent_by_admin: boolean, at: string) =>
    [
      'insert into ticket_messages (ticket_id, sent_by_admin, message, created_at) values ($1, $2, $3, $4)',
      [id, sent_by_admin, '<p>Hi</p>', at] as unknown[],
    ] as const
  await one.query('begin')
  await other.query('begin')
  await one.query(...insert(false, '2026-03-02T09:00:00Z'))
  const second = other.query(...insert(true, '2026-03-02T09:30:00Z'))
  await one.query('commit')
  await second
  await other.query('commit')
  one.release()
  other.release()
  expect((await clocksOf(db, id))[0]).toEqual(['first_response', null, 1800, '2026-03-02T09:30:00.000Z'])
})

test('the list shows and finds the target that ends first, and Due has those of the next day', async () => {
  const { as, db } = await withTargets()
  const now = Date.now()
  const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const missed = await enterTicket(db, ago(120))
  await say(db, missed, ago(120))
  const soon = await enterTicket(db, ago(10))
  await say(db, soon, ago(10))
  const none = await enterTicket(db, '2026-02-20T09:00:00Z')
  const found = async (query: string) =>
    (
      (await as('support').get(`/admin/support/ticket?${query}`))['data'] as {
        id: number
        target_kind: string
      }[]
    )
      .map(({ id, target_kind }) => [id, target_kind])
      .toSorted()
  expect(await found('target=overdue')).toEqual([[missed, 'first_response']])
  const both = [
    [missed, 'first_response'],
    [soon, 'first_response'],
  ].toSorted()
  expect(await found('target=soon')).toEqual(both)
  expect(await found('queue=due')).toEqual(both)
  expect(await found('')).toEqual([...both, [none, null]].toSorted())
})

test('a ticket has the time of its clock that ends first, whatever happens to its clocks', async () => {
  const { as, db } = await withTargets()
  const id = await enterTicket(db, '2026-03-02T09:00:00Z')
  const due = async () => {
    const { rows } = await sql<{ kept: string | null; first: string | null }>`select t.target_due_at as kept,
        (select min(c.due_at) from ticket_clocks c where c.ticket_id = t.id and c.ended_at is null) as first
      from tickets t where t.id = ${id}`.execute(db)
    expect(rows[0]!.kept).toEqual(rows[0]!.first)
    return rows[0]!.kept
  }
  await say(db, id, '2026-03-02T09:00:00Z')
  expect(await due()).toBe('2026-03-02T10:00:00.000Z')
  await say(db, id, '2026-03-02T09:30:00Z', true)
  expect(await due()).toBe('2026-03-02T17:00:00.000Z')
  await turn(db, id, '2026-03-02T10:00:00Z', 0, 3)
  expect(await due()).toBe(null)
  await turn(db, id, '2026-03-02T12:00:00Z', 3, 0)
  expect(await due()).toBe('2026-03-02T19:00:00.000Z')
  await turn(db, id, '2026-03-02T13:00:00Z', 0, 4)
  expect(await due()).toBe(null)
  await as('admin').post(path, { ...settings, version: 1, targets: [{ ...any, priority: 1 }] })
  const other = await enterTicket(db, '2026-03-03T09:00:00Z', { priority: 1 })
  await say(db, other, '2026-03-03T09:00:00Z')
  await db.updateTable('tickets').set({ priority: 2 }).where('id', '=', other).execute()
  expect(
    await db.selectFrom('tickets').select('target_due_at').where('id', '=', other).executeTakeFirstOrThrow(),
  ).toEqual({ target_due_at: null })
})

test('the list sorts by the time left, tickets without a running target last', async () => {
  const { as, db } = await withTargets()
  const none = await enterTicket(db, '2026-02-20T09:00:00Z')
  const late = await enterTicket(db, '2026-03-02T10:00:00Z')
  const early = await enterTicket(db, '2026-03-02T09:00:00Z')
  for (const [id, at] of [
    [late, '2026-03-02T10:00:00Z'],
    [early, '2026-03-02T09:00:00Z'],
  ] as const)
    await say(db, id, at)
  const sorted = async (direction: string) => {
    const { data } = await as('support').get(
      `/admin/support/ticket?column=target_due_at&direction=${direction}`,
    )
    return (data as { id: number }[]).map(({ id }) => id)
  }
  expect(await sorted('asc')).toEqual([early, late, none])
  expect(await sorted('desc')).toEqual([late, early, none])
})

test('the assignee gets one notice when three quarters of the time are used, but none after an answer', async () => {
  const { app, as, db, clock } = await withTargets()
  const assignee_id = as('support').id
  const id = await enterTicket(db, '2026-03-02T09:00:00Z', { assignee_id })
  await say(db, id, '2026-03-02T09:00:00Z')
  const answered = await enterTicket(db, '2026-03-02T09:00:00Z', { assignee_id })
  await say(db, answered, '2026-03-02T09:00:00Z')
  await say(db, answered, '2026-03-02T09:10:00Z', true)
  const noticed = async () => {
    await remindOfTargets(app)
    const rows = await db.selectFrom('notices').select(['kind', 'staff_id', 'record_id', 'words']).execute()
    return rows.map((row) => Object.values(row))
  }
  clock.advance(Date.parse('2026-03-02T09:44:00Z') - clock.now().getTime())
  expect(await noticed()).toEqual([])
  clock.advance(60_000)
  const notice = ['target_due', assignee_id, id, 'The first response is due soon.']
  expect(await noticed()).toEqual([notice])
  await say(db, id, '2026-03-02T09:46:00Z')
  clock.advance(60_000)
  expect(await noticed()).toEqual([notice])
})

test('the working time is extended when little is left of it', async () => {
  const { db, app, clock } = await withTargets()
  const last = async () =>
    (await sql<{ day: string }>`select max(ends_at)::date::text as day from working_periods`.execute(db))
      .rows[0]!.day
  const before = await last()
  await extendPeriods(app)
  expect(await last()).toBe(before)
  clock.advance(365 * 86_400_000)
  await extendPeriods(app)
  expect((await last()) > before).toBe(true)
})

/** Returns when so many working minutes are over, by looking at each minute. */
function plainDue(from: string, minutes: number, zone: string): string {
  let left = minutes
  let at = Date.parse(from)
  while (left > 0) {
    const { day, time } = wallTime(new Date(at), zone)
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
    const works = weekday !== 0 && weekday !== 6 && day !== '2026-03-18' && time >= '09:00' && time < '17:00'
    if (works) left -= 1
    at += 60_000
  }
  return new Date(at).toISOString()
}

test.each([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Australia/Lord_Howe',
  'America/St_Johns',
])('in working hours, a target ends when a plain scan says, also when clocks change, in %s', async (zone) => {
  const { as, db } = await startTestApp({ now: '2026-03-01T00:00:00.000Z' })
  const lengths = [7, 240, 480, 1440, 3000]
  for (const [index, resolution] of lengths.entries()) {
    const target = { ...any, resolution, in_working_hours: true }
    await as('admin').post(path, { ...settings, zone, targets: [target], version: index })
    for (const start of [
      '2026-03-06T15:30:00.000Z',
      '2026-03-17T22:10:00.000Z',
      '2026-03-27T08:00:00.000Z',
    ]) {
      const id = await enterTicket(db, start)
      await say(db, id, start, true)
      expect([start, resolution, (await clocksOf(db, id))[0]![1]]).toEqual([
        start,
        resolution,
        plainDue(start, resolution, zone),
      ])
    }
  }
})

test('a ticket has its last target of each kind, which the requester doesn’t see', async () => {
  const { as, db } = await withTargets({ targets: [{ ...any, next_response: null }] })
  const id = await enterTicket(db, '2026-03-02T09:00:00Z', { staff_id: as('editor').id })
  await say(db, id, '2026-03-02T09:00:00Z')
  await say(db, id, '2026-03-02T09:30:00Z', true)
  await say(db, id, '2026-03-02T10:00:00Z')
  const { data } = await as('support').get(`/admin/support/ticket/${id}`)
  expect(data.targets).toEqual([
    {
      kind: 'first_response',
      minutes: 60,
      due_at: null,
      seconds_left: 1800,
      ended_at: '2026-03-02T09:30:00.000Z',
    },
    {
      kind: 'resolution',
      minutes: 480,
      due_at: '2026-03-02T17:00:00.000Z',
      seconds_left: null,
      ended_at: null,
    },
  ])
  await as('super_admin').post('/admin/roles/change-permissions', { role_id: 3, grant: ['support_view'] })
  const own = await as('editor').get(`/admin/support/requests/${id}/0`)
  expect(own['data'].targets).toEqual([])
})
