import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const dayMs = 86_400_000
const pathOf = ({ as }: TestApp, who: string, end = 'away') => `/admin/admin-users/${as(who).id}/${end}`

const awayOf = async (started: TestApp, who: string) =>
  (await started.as(who).get(pathOf(started, who)))['data']

/** Marks an admin user as away, in a time zone. */
const mark = (started: TestApp, who: string, until: string | null, by = who, zone = 'UTC') =>
  started.as(by).post(pathOf(started, who), { until }, { headers: { 'x-time-zone': zone } })

const daysOf = async ({ db, as }: TestApp, who: string) =>
  (
    await db
      .selectFrom('staff_away')
      .select('day')
      .where('staff_id', '=', as(who).id)
      .orderBy('day')
      .execute()
  ).map(({ day }) => day)

test('everyone can mark themselves as away; roles 0 and 1 can mark others', async () => {
  const started = await startTestApp()
  for (const [by, who, expected] of [
    ['support', 'support', 200],
    ['support', 'csm', 403],
    ['crm', 'csm', 403],
    ['admin', 'csm', 200],
    ['admin', 'super_admin', 403],
    ['super_admin', 'admin', 200],
  ] as const) {
    expect([by, who, (await mark(started, who, null, by)).status]).toEqual([by, who, expected])
    const { status } = await started.as(by).get(pathOf(started, who))
    expect([by, who, status]).toEqual([by, who, by === 'admin' ? 200 : expected])
    const back = await started.as(by).post(pathOf(started, who, 'back'))
    expect([by, who, back.status]).toEqual([by, who, expected])
  }
  expect((await started.as(undefined).post(pathOf(started, 'csm'), { until: null })).status).toBe(401)
  expect((await started.as('admin').post('/admin/admin-users/9999/away', { until: null })).status).toBe(404)
})

test('an absence ends after its last day, by the clock of the person', async () => {
  const started = await startTestApp()
  const reply = await mark(started, 'support', '2026-03-18', 'support', 'Pacific/Auckland')
  expect(reply['message']).toBe('You are away until 18 Mar 2026.')
  // It is 23:00 on 16 March in Auckland.
  expect(await daysOf(started, 'support')).toEqual(['2026-03-16', '2026-03-17', '2026-03-18'])
  expect(await awayOf(started, 'support')).toEqual({ until: '2026-03-18' })
  started.clock.advance(2 * dayMs)
  expect(await awayOf(started, 'support')).toEqual({ until: '2026-03-18' })
  started.clock.advance(dayMs / 12)
  expect(await awayOf(started, 'support')).toBeNull()
  expect((await started.as('support').post(pathOf(started, 'support', 'back')))['message']).toBe(
    'You aren’t away.',
  )
})

test('an absence without an end lasts until the person is back, and its days stay away', async () => {
  const started = await startTestApp()
  await mark(started, 'developer', null)
  started.clock.advance(3 * dayMs)
  expect(await awayOf(started, 'developer')).toEqual({ until: null })
  const back = await started.as('developer').post(pathOf(started, 'developer', 'back'))
  expect(back).toMatchObject({ status: 200, message: 'Welcome back.' })
  expect(await awayOf(started, 'developer')).toBeNull()
  expect(await daysOf(started, 'developer')).toEqual(['2026-03-16', '2026-03-17', '2026-03-18'])
})

test('a new end replaces the one before', async () => {
  const started = await startTestApp()
  await mark(started, 'support', '2026-03-20')
  await mark(started, 'support', '2026-03-17')
  expect(await awayOf(started, 'support')).toEqual({ until: '2026-03-17' })
  await mark(started, 'support', null)
  expect(await awayOf(started, 'support')).toEqual({ until: null })
  await mark(started, 'support', '2026-03-18', 'admin')
  expect(await awayOf(started, 'support')).toEqual({ until: '2026-03-18' })
})

test.each([
  ['2026-03-15', 'Choose today or a later day.'],
  ['2027-03-19', 'Choose a day within a year.'],
])('the last day %s is refused at its field', async (until, message) => {
  const reply = await mark(await startTestApp(), 'support', until)
  expect([reply.status, reply['errors']]).toEqual([422, { until: [message] }])
})

test('the list of admin users and the history say who is away, and until when', async () => {
  const started = await startTestApp()
  await mark(started, 'support', '2026-03-18', 'admin')
  const { data } = await started.as('admin').get('/admin/users/get-all-users')
  const row = (data as { id: number }[]).find(({ id }) => id === started.as('support').id)
  expect(row).toMatchObject({ away: { until: '2026-03-18' } })
  const history = await started.as('admin').get(`/admin/records/staff/${started.as('support').id}/history`)
  expect(history['data'][0]).toMatchObject({
    act: 'Marked as away',
    changes: [
      { field: 'away', before: false, after: true },
      { field: 'away_until', before: null, after: '2026-03-18' },
    ],
  })
})

test('days of an absence without an end have no missing hours; one of them can be unmarked', async () => {
  const started = await startTestApp()
  await mark(started, 'developer', null)
  started.clock.advance(3 * dayMs)
  const gaps = async () => {
    const query = 'startDate=2026-03-13&endDate=2026-03-19'
    const { data } = await started.as('development_lead').get(`/common/task/progress-gaps?${query}`)
    const row = data.find(({ person_id }: { person_id: number }) => person_id === started.as('developer').id)
    return { away: row.away, days: row.days.filter((day: string) => day > '2026-03-13') }
  }
  expect(await gaps()).toEqual({
    away: ['2026-03-16', '2026-03-17', '2026-03-18', '2026-03-19'],
    days: [],
  })
  const unmark = { staff_id: started.as('developer').id, day: '2026-03-17', away: false }
  await started.as('development_lead').post('/common/task/progress-away', unmark)
  expect(await gaps()).toEqual({ away: ['2026-03-16', '2026-03-18', '2026-03-19'], days: ['2026-03-17'] })
  expect(await awayOf(started, 'developer')).toEqual({ until: null })
})
