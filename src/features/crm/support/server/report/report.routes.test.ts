import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { exportTables, totalsOf } from '#app/testing/tables.testing.ts'
import { mostOrganizations, type SupportReport } from '#features/crm/support/report.contract.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enter, enterMany } from '#features/crm/support/server/report/report.testing.ts'
import type { Db } from '#server/db/db.ts'

const path = '/admin/support/report'

test('the report is for roles that see the list of tickets', async () => {
  const { as } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_list')
    const expected = may ? 200 : role === undefined ? 401 : 403
    expect([role, (await as(role).get(path)).status]).toEqual([role, expected])
    expect([role, (await as(role).get(`${path}/export`)).status]).toEqual([role, expected])
  }
})

test('a status change is noted however it happens, and forgotten when it is undone', async () => {
  const { as, db } = await startTestApp()
  const id = await enter(db, { created_at: '2026-03-10T09:00:00Z' })
  const { operation } = await as('support').post(`/admin/support/change-ticket-status/${id}/4`)
  const noted = () =>
    db
      .selectFrom('ticket_status_changes')
      .select(['from_status', 'to_status'])
      .where('ticket_id', '=', id)
      .orderBy('id')
      .execute()
  expect(await noted()).toEqual([{ from_status: 0, to_status: 4 }])
  await as('support').post(`/admin/operations/${(operation as { id: number }).id}/undo`)
  expect(await noted()).toEqual([])
})

test('the first response is until the first answer, the resolution from the creation or reopening without waiting', async () => {
  const { as, db } = await startTestApp()
  const by = as('support').id
  await enter(db, {
    created_at: '2026-03-10T09:00:00Z',
    answers: [
      ['2026-03-10T09:10:00Z', by],
      ['2026-03-10T12:00:00Z', by],
    ],
    changes: [
      ['2026-03-10T10:00:00Z', 0, 3],
      ['2026-03-10T13:00:00Z', 3, 0],
      ['2026-03-10T14:00:00Z', 0, 4],
    ],
  })
  const data = (await as('support').get(`${path}?from=2026-03-10&to=2026-03-10`))['data'] as SupportReport
  expect(data.first_response.median).toBe(600)
  expect(data.resolution.median).toBe(2 * 3600)
  await enter(db, {
    created_at: '2026-02-01T09:00:00Z',
    changes: [
      ['2026-02-02T09:00:00Z', 0, 5],
      ['2026-03-11T09:00:00Z', 5, 0],
      ['2026-03-11T09:30:00Z', 0, 5],
    ],
  })
  const later = (await as('support').get(`${path}?from=2026-03-11&to=2026-03-11`))['data'] as SupportReport
  expect([later.reopened.count, later.solved.count, later.resolution.median]).toEqual([1, 1, 1800])
})

test('numbers are compared with those of the period of the same length before', async () => {
  const { as, db } = await startTestApp()
  await enter(db, { created_at: '2026-03-10T09:00:00Z' })
  await enter(db, { created_at: '2026-03-08T09:00:00Z' })
  await enter(db, { created_at: '2026-03-07T09:00:00Z' })
  await enter(db, { created_at: '2026-03-05T23:59:00Z' })
  const { data } = await as('support').get(`${path}?from=2026-03-09&to=2026-03-11`)
  expect(data).toMatchObject({
    before_from: '2026-03-06',
    before_to: '2026-03-08',
    received: { count: 1, before: 2 },
  })
})

test('numbers are compared with the same days of the year before, or with nothing', async () => {
  const { as, db } = await startTestApp()
  await enter(db, { created_at: '2024-02-28T09:00:00Z', answers: [['2024-02-28T09:30:00Z', as('csm').id]] })
  await enter(db, { created_at: '2023-02-28T09:00:00Z', answers: [['2023-02-28T10:00:00Z', as('csm').id]] })
  await enter(db, { created_at: '2023-03-01T09:00:00Z' })
  const of = async (compare: string) =>
    (await as('support').get(`${path}?from=2024-02-28&to=2024-02-29&compare=${compare}`))['data']
  expect(await of('year')).toMatchObject({
    before_from: '2023-02-28',
    before_to: '2023-02-28',
    received: { count: 1, before: 1 },
    first_response: { median: 1800, before: 3600 },
  })
  expect(await of('none')).toMatchObject({
    before_from: null,
    before_to: null,
    received: { count: 1, before: null },
    first_response: { median: 1800, before: null },
  })
  expect((await as('support').get(`${path}?compare=never`)).status).toBe(422)
})

test('people see their own numbers, roles 0 and 1 those of everyone; the total is the same', async () => {
  const { as, db } = await startTestApp()
  const [support, csm] = [as('support').id, as('csm').id]
  await enter(db, { created_at: '2026-03-10T09:00:00Z', answers: [['2026-03-10T10:00:00Z', support]] })
  await enter(db, { created_at: '2026-03-10T09:00:00Z', answers: [['2026-03-10T10:00:00Z', csm]] })
  const of = async (who: string) => {
    const { answered, people } = (await as(who).get(`${path}?from=2026-03-10&to=2026-03-10`))
      .data as SupportReport
    return [answered.count, people.flatMap(({ id }) => id ?? []).toSorted((one, two) => one - two)]
  }
  const exported = async (who: string) => {
    const { people } = await exportTables(as(who), `${path}/export`, 'from=2026-03-10&to=2026-03-10')
    return people!.map((row) => [row['Person'], row['Answered'], row['Replies']])
  }
  const { name } = await db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', support)
    .executeTakeFirstOrThrow()
  expect(await exported('support')).toEqual([
    [name, '1', '1'],
    ['All', '2', '2'],
  ])
  expect(await exported('admin')).toHaveLength(3)
  expect(await of('support')).toEqual([2, [support]])
  expect(await of('admin')).toEqual([2, [support, csm].toSorted((one, two) => one - two)])
})

test.each([
  ['from=2026-03-11&to=2026-03-10', 'The last day can’t be before the first one.'],
  ['from=2025-01-01&to=2026-03-10', 'Choose at most 366 days.'],
])('%s is refused', async (query, text) => {
  const { as } = await startTestApp()
  const reply = await as('support').get(`${path}?${query}`)
  expect([reply.status, reply['errors']]).toEqual([422, { to: [text] }])
})

/** Sets service targets that count for all tickets of these tests. */
async function setTargets(admin: TestClient, db: Db): Promise<void> {
  const { data: unset } = await admin.get('/admin/support/targets')
  const target = {
    priority: null,
    category: null,
    organization_id: null,
    first_response: 72 * 60,
    next_response: null,
    resolution: 48 * 60,
    in_working_hours: false,
  }
  expect((await admin.post('/admin/support/targets', { ...unset, targets: [target] })).status).toBe(200)
  await db.updateTable('service_settings').set({ since: '2026-02-01T00:00:00Z' }).execute()
}

test.each(['UTC', 'Pacific/Kiritimati', 'America/New_York'])(
  'each number equals the total of the list that it links to, and of its parts and the CSV, in %s',
  async (zone) => {
    const { as, db } = await startTestApp()
    const organizations = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' })]
    await setTargets(as('admin'), db)
    await enterMany(db, [as('support').id, as('csm').id], organizations)
    const headers = { 'x-time-zone': zone }
    const period = { from: '2026-03-02', to: '2026-03-12' }
    const admin = as('admin')
    const query = (of: object) =>
      new URLSearchParams(
        Object.entries(of).map(([name, value]) => [name, String(value)] as [string, string]),
      ).toString()
    const total = async (filters: object) =>
      (await admin.get(`/admin/support/ticket?${query(filters)}`, { headers })).total as number
    const event = (name: string) => ({ event: name, event_from: period.from, event_to: period.to })
    const created = { created_from: period.from, created_to: period.to }
    const report = (await admin.get(`${path}?${query(period)}`, { headers }))['data'] as SupportReport

    expect(report.received.count).toBeGreaterThan(10)
    expect(report.solved.count).toBeGreaterThan(5)
    expect(report.received.count).toBe(await total(created))
    expect(report.open).toBe(await total({ search: 'is:open' }))
    for (const name of ['answered', 'solved', 'reopened'] as const) {
      expect([name, report[name].count]).toEqual([name, await total(event(name))])
      expect([name, report.days.reduce((sum, day) => sum + day[name], 0)]).toEqual([name, report[name].count])
    }
    for (const { id, received, solved, reopened } of report.categories) {
      expect([id, received]).toEqual([id, await total({ ...created, category: id })])
      expect([id, solved]).toEqual([id, await total({ ...event('solved'), category: id })])
      expect([id, reopened]).toEqual([id, await total({ ...event('reopened'), category: id })])
    }
    for (const { id, received } of report.organizations)
      expect([id, received]).toEqual([id, await total({ ...created, organization: id ?? 0 })])
    for (const { id, answered, solved } of report.people) {
      expect([id, answered]).toEqual([id, await total({ ...event('answered'), event_by: id ?? 0 })])
      expect([id, solved]).toEqual([id, await total({ ...event('solved'), event_by: id ?? 0 })])
    }
    expect(report.targets.map(({ kind }) => kind)).toEqual(['first_response', 'resolution'])
    for (const { kind, met, missed } of report.targets) {
      expect([kind, met > 0, missed > 0]).toEqual([kind, true, true])
      expect([kind, met]).toEqual([kind, await total({ ...event('target_met'), event_target: kind })])
      expect([kind, missed]).toEqual([kind, await total({ ...event('target_missed'), event_target: kind })])
    }
    for (const { from, to, open, overdue } of report.ages) {
      const days = { ...(from ? { created_from: from } : {}), ...(to ? { created_to: to } : {}) }
      expect(open).toBe(await total({ search: 'is:open', ...days }))
      expect(overdue).toBe(await total({ target: 'overdue', ...days }))
    }
    expect(report.hours.reduce((sum, { received }) => sum + received, 0)).toBe(report.received.count)
    const tables = await exportTables(admin, `${path}/export`, query(period), headers)
    const columns = {
      Received: 'received',
      Answered: 'answered',
      Solved: 'solved',
      Reopened: 'reopened',
    } as const
    for (const [column, name] of Object.entries(columns)) {
      const { count } = report[name]
      for (const table of ['days', 'categories', 'organizations'])
        expect([table, column, totalsOf(tables[table]!, column).sum]).toEqual([table, column, count])
      expect(totalsOf(tables['categories']!, column).all).toBe(count)
      expect(tables['summary']!.find((row) => row['Number'] === column)).toMatchObject({
        Value: String(count),
      })
    }
    expect(totalsOf(tables['hours']!, 'Received').sum).toBe(report.received.count)
    expect(totalsOf(tables['ages']!, 'Open')).toEqual({ sum: report.open, all: report.open })
    const overdue = await total({ target: 'overdue' })
    expect(overdue).toBeGreaterThan(0)
    expect(totalsOf(tables['ages']!, 'Overdue')).toEqual({ sum: overdue, all: overdue })
    for (const column of ['Met', 'Missed'] as const)
      expect(totalsOf(tables['targets']!, column).sum).toBe(
        report.targets.reduce((sum, target) => sum + target[column === 'Met' ? 'met' : 'missed'], 0),
      )
  },
)

test('the CSV has all organizations, the report those with the most tickets; an unknown table is refused', async () => {
  const { as, db } = await startTestApp()
  for (let index = 0; index < mostOrganizations + 2; index += 1) {
    const organization_id = await enterOrganization(db, { name: `Hotel ${index}` })
    await enter(db, { created_at: '2026-03-10T09:00:00Z', organization_id })
  }
  const query = 'from=2026-03-10&to=2026-03-10'
  const report = (await as('support').get(`${path}?${query}`))['data'] as SupportReport
  expect(report.organizations).toHaveLength(mostOrganizations)
  const { organizations } = await exportTables(as('support'), `${path}/export`, query)
  expect(organizations).toHaveLength(mostOrganizations + 3)
  expect(totalsOf(organizations!, 'Received')).toEqual({
    sum: mostOrganizations + 2,
    all: mostOrganizations + 2,
  })
  expect(await as('support').get(`${path}/export?table=none`)).toMatchObject({ status: 422 })
})
