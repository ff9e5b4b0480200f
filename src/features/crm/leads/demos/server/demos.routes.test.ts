import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { demoStatuses } from '#shared/appointments.contract.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { demoStatusOfLead, nextDemoStatuses, whyNotDemoStatus } from '#features/crm/leads/demos.rules.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'

async function withDemo(): Promise<
  TestApp & { lead_id: number; demoId: number; all: () => Promise<unknown> }
> {
  const started = await startTestApp()
  const lead_id = await enterLead(started.db)
  const { id } = await started.db
    .insertInto('lead_demos')
    .values({ lead_id, type: 'Demo', requested_date: '2026-03-20T14:00:00Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const all = async () => [
    await started.db.selectFrom('lead_demos').selectAll().orderBy('id').execute(),
    await started.db.selectFrom('leads').selectAll().orderBy('lead_id').execute(),
  ]
  return { ...started, lead_id, demoId: id, all }
}

test('each role can use demos according to its permissions, and is refused the rest with nothing changed', async () => {
  const { as, lead_id, demoId, all } = await withDemo()
  const before = await all()
  for (const role of [...roleIds, undefined]) {
    const who = as(role)
    const may = (right: 'lead_list' | 'lead_detail' | 'lead_edit') =>
      role === undefined ? 401 : defaultGrants[role].includes(right) ? 200 : 403
    expect((await who.get(`${at}/demo-sessions?lead_id=${lead_id}`)).status).toBe(may('lead_detail'))
    expect((await who.get(`${at}/demo-schedule?from=2026-03-01&to=2026-03-31`)).status).toBe(may('lead_list'))
    expect((await who.post(`${at}/get-org-time`)).status).toBe(role === undefined ? 401 : 200)
    if (may('lead_edit') === 200) continue
    expect((await who.post(`${at}/update-demo-status`, { demoId, status: 3 })).status).toBe(may('lead_edit'))
    expect((await who.post(`${at}/recevied-date`, { demoId, received_date: '2026-03-01' })).status).toBe(
      may('lead_edit'),
    )
    expect(
      (await who.post(`${at}/save-demo-session`, { lead_id, sessions: [{ type: 'Demo' }] })).status,
    ).toBe(may('lead_edit'))
  }
  expect(await all()).toEqual(before)
})

test('a session is created as a request, gets its scheduled time, and updates the lead; all of it is in the history', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const request = {
    type: 'Demo',
    requested_date: '2026-03-20T10:00:00-04:00',
    schedule_comment: 'Mornings',
    received_date: '2026-03-16',
  }
  const entered = await as('crm').post(`${at}/save-demo-session`, { lead_id, sessions: [request] })
  expect(entered).toMatchObject({
    status: 200,
    message: 'Session saved.',
    data: [
      {
        ...request,
        requested_date: '2026-03-20T14:00:00.000Z',
        status: 1,
        is_completed: false,
        final_date: null,
        who: expect.any(String),
      },
    ],
  })
  const show = async () => (await as('crm').get(`${at}/getdemo?id=${lead_id}`))['data']
  expect(await show()).toMatchObject({ demo_status: 1, version: 2 })
  const id = entered['data'][0].id
  expect(
    await as('crm').post(`${at}/save-demo-session`, {
      lead_id,
      sessions: [{ id, final_date: '2026-03-21T15:00:00Z', final_comment: 'By video' }],
    }),
  ).toMatchObject({
    data: [{ id, status: 2, final_date: '2026-03-21T15:00:00.000Z', schedule_comment: 'Mornings' }],
  })
  expect(await show()).toMatchObject({ demo_status: 2 })
  expect(await as('crm').post(`${at}/update-demo-status`, { demoId: id, status: 3 })).toMatchObject({
    data: { status: 3, is_completed: true },
  })
  expect(await show()).toMatchObject({ demo_status: 3 })
  const history = (await as('crm').get(`/admin/records/lead/${lead_id}/history`))['data'] as {
    changes: { field: string }[]
  }[]
  expect(history.flatMap(({ changes }) => changes.map(({ field }) => field))).toEqual(
    expect.arrayContaining(['session_final', 'session_status', 'demo_status', 'schedule_comment']),
  )
})

test('several sessions are saved together, all or none', async () => {
  const { as, lead_id, demoId, all } = await withDemo()
  const before = await all()
  const save = (sessions: object[]) => as('crm').post(`${at}/save-demo-session`, { lead_id, sessions })
  expect(await save([{ type: 'Training' }, { type: 'No such' }])).toMatchObject({
    status: 422,
    errors: { 'sessions.1.type': ['The type “No such” doesn’t exist.'] },
  })
  expect(await save([{ id: demoId }, { id: demoId }])).toMatchObject({ status: 422 })
  expect(await save([{ type: 'Training' }, { id: 9999, type: 'Demo' }])).toMatchObject({ status: 404 })
  expect(await all()).toEqual(before)
  expect(
    await save([{ type: 'Training' }, { id: demoId, final_date: '2026-03-22T08:00:00Z' }]),
  ).toMatchObject({
    status: 200,
    data: [
      { type: 'Training', status: 1 },
      { id: demoId, status: 2 },
    ],
  })
})

test('a session without its scheduled time is a request again', async () => {
  const { as, lead_id, demoId } = await withDemo()
  const save = (final_date: string) =>
    as('crm').post(`${at}/save-demo-session`, { lead_id, sessions: [{ id: demoId, final_date }] })
  expect(await save('2026-03-22T08:00:00Z')).toMatchObject({ data: [{ status: 2 }] })
  expect(await save('')).toMatchObject({ data: [{ status: 1, final_date: null }] })
})

test('an invalid next status is 409 with the current demo', async () => {
  const { as, demoId, all } = await withDemo()
  const before = await all()
  const set = (status: number) => as('crm').post(`${at}/update-demo-status`, { demoId, status })
  expect(await set(2)).toMatchObject({
    status: 409,
    message: 'Set the scheduled time first.',
    current: { id: demoId, status: 1 },
  })
  expect(await set(1)).toMatchObject({ status: 409, message: 'This session is already requested.' })
  expect(await all()).toEqual(before)
  expect(await set(0)).toMatchObject({ status: 200, data: { status: 0 } })
  expect(await set(3)).toMatchObject({ status: 409 })
})

test('both names of a demo id are read, and the received date is a plain date that can be cleared', async () => {
  const { as, demoId, live } = await withDemo()
  expect(
    await as('crm').post(`${at}/recevied-date`, { id: demoId, received_date: '2026-03-08' }),
  ).toMatchObject({ data: { received_date: '2026-03-08' } })
  expect(live.filter(({ channel }) => channel === 'private-records.leads')).toHaveLength(1)
  expect(await as('crm').post(`${at}/recevied-date`, { demoId, received_date: '' })).toMatchObject({
    data: { received_date: null },
  })
  expect(await as('crm').post(`${at}/update-demo-status`, { id: demoId, status: 0 })).toMatchObject({
    status: 200,
  })
})

test('a demo of a lead of another product does not exist', async () => {
  const { as, db, demoId, lead_id, all } = await withDemo()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  const before = await all()
  expect((await as('crm').get(`${at}/demo-sessions?lead_id=${lead_id}`)).status).toBe(404)
  expect((await as('crm').post(`${at}/update-demo-status`, { demoId, status: 3 })).status).toBe(404)
  expect((await as('crm').post(`${at}/recevied-date`, { demoId, received_date: '2026-03-01' })).status).toBe(
    404,
  )
  expect(
    (await as('crm').post(`${at}/save-demo-session`, { lead_id, sessions: [{ type: 'Demo' }] })).status,
  ).toBe(404)
  expect((await as('crm').get(`${at}/demo-schedule?from=2026-03-01&to=2026-03-31`))['data']).toEqual([])
  expect((await as('crm').get(`${at}/demo-schedule?from=2026-03-01&to=2026-03-31&lead_for=1`)).status).toBe(
    403,
  )
  expect(await all()).toEqual(before)
})

test('an invalid demo, date, time, or status is refused at its field with nothing changed', async () => {
  const { as, lead_id, demoId, all } = await withDemo()
  const before = await all()
  const wrong: [path: string, body: object, field: string][] = [
    ['update-demo-status', { demoId }, 'status'],
    ['update-demo-status', { status: 1 }, 'demoId'],
    ['update-demo-status', { demoId, status: 4 }, 'status'],
    ['update-demo-status', { demoId, status: '' }, 'status'],
    ['update-demo-status', { demoId: 'x', status: 1 }, 'demoId'],
    ['recevied-date', { demoId }, 'received_date'],
    ['recevied-date', { demoId, received_date: '2026-02-30' }, 'received_date'],
    ['recevied-date', { demoId, received_date: 7 }, 'received_date'],
    ['save-demo-session', { lead_id }, 'sessions'],
    ['save-demo-session', { lead_id, sessions: [] }, 'sessions'],
    ['save-demo-session', { lead_id, sessions: Array.from({ length: 21 }, () => ({})) }, 'sessions'],
    ['save-demo-session', { lead_id, sessions: [{ final_date: '2026-03-22' }] }, 'sessions.0.final_date'],
    [
      'save-demo-session',
      { lead_id, sessions: [{ final_date: '2026-03-22T10:00:00' }] },
      'sessions.0.final_date',
    ],
    [
      'save-demo-session',
      { lead_id, sessions: [{ final_date: '9999-03-22T10:00:00Z' }] },
      'sessions.0.final_date',
    ],
    [
      'save-demo-session',
      { lead_id, sessions: [{ schedule_comment: 'a\u0000b' }] },
      'sessions.0.schedule_comment',
    ],
    [
      'save-demo-session',
      { lead_id, sessions: [{ final_comment: 'x'.repeat(2001) }] },
      'sessions.0.final_comment',
    ],
    ['save-demo-session', { lead_id: 0, sessions: [{}] }, 'lead_id'],
  ]
  for (const [path, body, field] of wrong) {
    const reply = await as('crm').post(`${at}/${path}`, body)
    expect([path, reply.status, Object.keys(reply.errors ?? {})]).toEqual([
      path,
      422,
      expect.arrayContaining([field]),
    ])
  }
  expect((await as('crm').post(`${at}/update-demo-status`, { demoId: 9999, status: 3 })).status).toBe(404)
  expect(
    (
      await as('crm').post(`${at}/update-demo-status`, '[]', {
        headers: { 'content-type': 'application/json' },
      })
    ).status,
  ).toBe(422)
  expect(await all()).toEqual(before)
})

/* ---- The schedule ---- */

test('the schedule uses the days of a time zone, over the clock changes in March and in November', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, { company_name: 'Tamsel Hotel', timezone: 'US/Eastern' })
  // In New York, these are 23:30 on the previous day, the first minute of the day, its last minute, and the
  // first minute of the next day.
  const instants = {
    march: ['2026-03-08T04:30:00Z', '2026-03-08T05:00:00Z', '2026-03-09T03:59:00Z', '2026-03-09T04:00:00Z'],
    november: [
      '2026-11-01T03:30:00Z',
      '2026-11-01T04:00:00Z',
      '2026-11-02T04:59:00Z',
      '2026-11-02T05:00:00Z',
    ],
  }
  for (const final_date of Object.values(instants).flat())
    await db.insertInto('lead_demos').values({ lead_id, type: 'Demo', final_date, status: 2 }).execute()
  const shown = async (day: string, zone: string) =>
    (
      (await as('crm').get(`${at}/demo-schedule?from=${day}&to=${day}&timezone=${zone}`))['data'] as {
        at: string
      }[]
    ).map((demo) => demo.at.replace('.000', ''))
  expect(await shown('2026-03-08', 'US/Eastern')).toEqual(instants.march.slice(1, 3))
  expect(await shown('2026-11-01', 'US/Eastern')).toEqual(instants.november.slice(1, 3))
  expect(await shown('2026-03-08', 'UTC')).toEqual(instants.march.slice(0, 2))
})

test('the schedule shows the requested time if there is no scheduled one, in order, without canceled demos and deleted leads', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, {
    company_name: 'Tamsel Hotel',
    timezone: 'US/Pacific',
    assign_to: 3,
    lead_for: 2,
  })
  const other = await enterLead(db, { lead_for: 1 })
  const gone = await enterLead(db, { deleted_at: '2026-03-10T10:00:00Z', deleted_by: 1 })
  await db
    .insertInto('lead_demos')
    .values([
      {
        lead_id,
        type: 'Demo',
        requested_date: '2026-03-20T10:00:00Z',
        final_date: '2026-03-21T10:00:00Z',
        status: 2,
      },
      { lead_id, type: 'Training', requested_date: '2026-03-20T12:00:00Z' },
      { lead_id, type: 'Questions', final_date: '2026-03-20T13:00:00Z', status: 0 },
      { lead_id: other, type: 'Demo', final_date: '2026-03-20T09:00:00Z', status: 3 },
      { lead_id: gone, type: 'Demo', final_date: '2026-03-20T09:00:00Z', status: 2 },
    ])
    .execute()
  const all = await as('crm').get(`${at}/demo-schedule?from=2026-03-20&to=2026-03-21`)
  expect(all).toMatchObject({
    truncated: false,
    data: [
      { lead_id: other, status: 3, is_completed: true, timezone: 'US/Eastern', assigned_name: null },
      { type: 'Training', at: '2026-03-20T12:00:00.000Z', final_date: null },
      {
        lead_id,
        companyName: 'Tamsel Hotel',
        timezone: 'US/Pacific',
        at: '2026-03-21T10:00:00.000Z',
        assigned_name: expect.any(String),
      },
    ],
  })
  expect(all['data']).toHaveLength(3)
  expect(
    (await as('crm').get(`${at}/demo-schedule?from=2026-03-20&to=2026-03-21&lead_for=1`))['data'],
  ).toHaveLength(1)
})

test('“mine” are the sessions that the caller hosts, and those of leads and onboardings assigned to them', async () => {
  const { as, db } = await startTestApp()
  const [crm, other] = [as('crm').id, as('support').id]
  const mine = await enterLead(db, { company_name: 'Mine', assign_to: crm })
  const theirs = await enterLead(db, { company_name: 'Theirs', assign_to: other, lead_for: 2 })
  const free = await enterLead(db, { company_name: 'Free', assign_to: null })
  const add = async (lead_id: number, schedule_comment: string, hosts: number[] = []) => {
    const final_date = '2026-03-20T10:00:00Z'
    const { id } = await db
      .insertInto('lead_demos')
      .values({ lead_id, type: 'Demo', schedule_comment, final_date, status: 2 })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const staff_id of hosts)
      await db.insertInto('lead_demo_hosts').values({ demo_id: id, staff_id }).execute()
  }
  await add(mine, 'Own lead')
  await add(mine, 'Own lead, other host', [other])
  await add(theirs, 'Hosted with another', [other, crm])
  await add(theirs, 'Of another')
  await add(free, 'Of no one')
  const schedule = `${at}/demo-schedule?from=2026-03-20&to=2026-03-20&timezone=UTC`
  const shown = async (query: string) => {
    const { data } = await as('crm').get(`${schedule}${query}`)
    return (data as { schedule_comment: string }[]).map((one) => one.schedule_comment)
  }
  expect(await shown('')).toHaveLength(5)
  expect(await shown('&assigned_filter=all')).toHaveLength(5)
  expect(await shown('&assigned_filter=mine')).toEqual([
    'Own lead',
    'Own lead, other host',
    'Hosted with another',
  ])
  expect(await shown('&assigned_filter=mine&lead_for=2')).toEqual(['Hosted with another'])
  // A session that the caller hosts isn't shown once its product isn't theirs.
  await db.deleteFrom('staff_products').where('staff_id', '=', crm).where('product_id', '=', 2).execute()
  expect(await shown('&assigned_filter=mine')).toEqual(['Own lead', 'Own lead, other host'])
})

test.each([
  ['from=2026-03-01', 'to'],
  ['from=2026-03-02&to=2026-03-01', 'to'],
  ['from=2026-03-01&to=2026-05-02', 'to'],
  ['from=x&to=2026-03-01', 'from'],
  ['from=2026-03-01&to=2026-03-02&timezone=Mars', 'timezone'],
  ['from=2026-03-01&to=2026-03-02&lead_for=0', 'lead_for'],
  ['from=2026-03-01&to=2026-03-02&assigned_filter=theirs', 'assigned_filter'],
  ['from=2026-03-01&to=2026-03-02&no_such=1', 'no_such'],
])('a schedule of %s is refused at %s', async (query, field) => {
  const { as } = await startTestApp()
  expect(await as('crm').get(`${at}/demo-schedule?${query}`)).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
})

/* ---- Local time in a time zone ---- */

test('get-org-time returns the local time of a time zone, by default US/Eastern, at both addresses', async () => {
  const { as } = await startTestApp({ now: '2026-03-16T10:00:00.000Z' })
  for (const path of [`${at}/get-org-time`, '/admin/get-org-time']) {
    expect(await as('designer').post(path)).toMatchObject({
      data: {
        org_timezone: 'US/Eastern',
        now: '2026-03-16T10:00:00.000Z',
        day: '2026-03-16',
        time: '06:00',
        offset: '-04:00',
        abbreviation: 'EDT',
      },
    })
    expect(await as('crm').post(path, { org_timezone: 'Asia/Kolkata' })).toMatchObject({
      data: { time: '15:30', offset: '+05:30' },
    })
    expect(await as('crm').post(path, { org_timezone: '' })).toMatchObject({
      data: { org_timezone: 'US/Eastern' },
    })
    for (const org_timezone of ['Mars/Olympus', '+01:00', 7, ['UTC']])
      expect(await as('crm').post(path, { org_timezone })).toMatchObject({
        status: 422,
        errors: { org_timezone: [expect.any(String)] },
      })
  }
})

/* ---- Rules ---- */

test.each([
  [[], undefined],
  [[1], 1],
  [[3], 3],
  [[3, 1], 1],
  [[3, 2, 1], 2],
  [[0], 0],
  [[0, 3], 3],
] as const)('demos at %j give the lead the demo status %s', (statuses, status) => {
  expect(demoStatusOfLead(statuses.map((one) => ({ status: one })))).toBe(status)
})

test('every transition between statuses is allowed or has its reason', () => {
  const dated = { final_date: '2026-03-20T10:00:00Z' }
  for (const status of [0, 1, 2, 3] as const)
    for (const next of [0, 1, 2, 3] as const) {
      const may = (nextDemoStatuses[status] as readonly number[]).includes(next)
      expect([
        demoStatuses[status],
        demoStatuses[next],
        whyNotDemoStatus({ status, ...dated }, next) === undefined,
      ]).toEqual([demoStatuses[status], demoStatuses[next], may && next !== 1])
    }
  expect(whyNotDemoStatus({ status: 0, final_date: null }, 1)).toBeUndefined()
})
