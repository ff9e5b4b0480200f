import { afterEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const path = '/common/task/get-all-taskprogress'
const report = async (
  { db, as }: TestApp,
  values: {
    who?: string
    day?: string
    hours?: number
    title?: string
    product_id?: number
    task_id?: number
  },
) => {
  const { who = 'developer', day = '2026-03-16', hours = 2, title = 'Racks', product_id = 1 } = values
  const task_id = values.task_id ?? (await enterTask(db, { product_id }))
  await db
    .insertInto('task_reports')
    .values({ task_id, staff_id: as(who).id, product_id, report_date: day, title, hours })
    .execute()
  return task_id
}
const total = (sums: { hours: number }[]) =>
  Math.round(sums.reduce((sum, { hours }) => sum + hours, 0) * 100) / 100

test('view_task_progress opens the report; filtering by another person needs task_developer_filter', async () => {
  const { as, db } = await startTestApp()
  expect(await as('crm').get(path)).toMatchObject({ status: 403 })
  expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
  expect(await as('development_lead').get(`${path}?user_id=${as('developer').id}`)).toMatchObject({
    status: 200,
  })
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 9)
    .where('permission', '=', 'task_developer_filter')
    .execute()
  expect(await as('developer').get(`${path}?user_id=${as('qa').id}`)).toMatchObject({ status: 403 })
  expect(await as('developer').get(`${path}?user_id=${as('developer').id}`)).toMatchObject({ status: 200 })
  for (const one of ['progress-gaps', 'progress-chart', 'progress-teams', 'get-all-taskprogress/export'])
    expect([one, (await as('crm').get(`/common/task/${one}`)).status]).toEqual([one, 403])
  for (const one of ['progress-away', 'progress-remind'])
    expect([one, (await as('crm').post(`/common/task/${one}`, {})).status]).toEqual([one, 403])
})

test('each filter keeps its entries; pages have 300; past the end the total stays', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const team = await db
    .insertInto('teams')
    .values({ name: 'Racks' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('team_members')
    .values({ team_id: team.id, staff_id: as('qa').id })
    .execute()
  await report(started, { title: 'This month' })
  await report(started, { title: 'Last month', day: '2026-02-10' })
  await report(started, { title: 'By QA', who: 'qa' })
  await report(started, { title: 'Product two', product_id: 2 })
  const titles = async (query: string) =>
    ((await as('admin').get(`${path}?${query}`))['data'] as { title: string }[]).map(({ title }) => title)
  expect(await titles('column=title&direction=asc')).toEqual(['By QA', 'Product two', 'This month'])
  expect(await titles('startDate=2026-02-01&endDate=2026-02-28')).toEqual(['Last month'])
  expect(await titles(`team_id=${team.id}`)).toEqual(['By QA'])
  expect(await titles(`user_id=${as('developer').id}&product_id=2`)).toEqual(['Product two'])
  expect(await titles('search=this%20mo')).toEqual(['This month'])
  expect(await as('admin').get(`${path}?page=2`)).toMatchObject({
    data: [],
    total: 3,
    per_page: 300,
    from: '2026-03-01',
    to: '2026-03-31',
  })
})

test.each([
  ['startDate=2026-02-30', 'startDate'],
  ['startDate=2026-03-02&endDate=2026-03-01', 'endDate'],
  ['startDate=2016-01-01&endDate=2026-01-01', 'endDate'],
  ['team_id=999', 'team_id'],
  ['user_id=999', 'user_id'],
  ['task_id=999', 'task_id'],
])('?%s is 422 at %s', async (query, field) => {
  const { as } = await startTestApp()
  const reply = await as('admin').get(`${path}?${query}`)
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
})

const ownZone = process.env['TZ']
afterEach(() => {
  if (ownZone === undefined) delete process.env['TZ']
  else process.env['TZ'] = ownZone
})
const zones = ['UTC', 'Pacific/Apia', 'America/Los_Angeles']

test.each(zones)(
  'in %s, screen, file, and database have the same total, and so does every grouping; a dropped entry would show',
  async (zone) => {
    process.env['TZ'] = zone
    const started = await startTestApp()
    const { as, db } = started
    let seed = 42
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below
    const tasks = [
      await enterTask(db),
      await enterTask(db, { title: 'Second' }),
      await enterTask(db, { product_id: 3, title: 'Third' }),
    ]
    for (let n = 0; n < 60; n += 1) {
      const at = random(3)
      await report(started, {
        who: ['developer', 'qa', 'designer'][random(3)]!,
        day: `2026-03-${String(1 + random(28)).padStart(2, '0')}`,
        hours: (1 + random(80)) / 10,
        task_id: tasks[at]!,
        product_id: at === 2 ? 3 : 1,
      })
    }
    const { rows } = await started.app.pool.query(
      'select round(sum(hours::numeric), 2)::float8 as hours from task_reports',
    )
    const stored = (rows[0] as { hours: number }).hours
    const month = 'startDate=2026-03-01&endDate=2026-03-31'
    const screen = await as('admin').get(`${path}?${month}`)
    const { data, by_person, by_day, by_task, by_product } = screen as never as Record<
      string,
      { hours: number }[]
    >
    expect(screen['hours']).toBe(stored)
    for (const group of [data!, by_person!, by_day!, by_task!, by_product!]) expect(total(group)).toBe(stored)
    const csv = (await as('admin').get(`${path}/export?${month}`)).text.trim().split('\n')
    const lines = csv.slice(csv.findIndex((line) => line.startsWith('Day,')) + 1)
    expect(lines.length).toBe(60)
    expect(total(lines.map((line) => ({ hours: Number(line.split(',').at(-2)) })))).toBe(stored)
    expect(csv[1]).toBe(`Total hours,${stored}`)
    const chart = await as('admin').get(`/common/task/progress-chart?${month}`)
    for (const group of [chart['data'], chart['people']])
      expect(total(group as { hours: number }[])).toBe(stored)
    // Control: leaving out a line changes the total.
    expect(total(data!.slice(1))).not.toBe(stored)
  },
)

test.each(zones)(
  'in %s, missing hours match a plain scan of people and days, and a dropped entry adds one',
  async (zone) => {
    process.env['TZ'] = zone
    const started = await startTestApp()
    const { as, db } = started
    await db
      .insertInto('role_permissions')
      .values([12, 13].map((role_id) => ({ role_id, permission: 'view_task_tab_report' })))
      .execute()
    await db.updateTable('staff').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
    const holidays = ['2026-03-04', '2026-03-12']
    await db
      .insertInto('holidays')
      .values(holidays.map((day) => ({ day, name: 'Free' })))
      .execute()
    const task_id = await enterTask(db)
    const people = ['development_lead', 'developer', 'qa', 'designer']
    const days = Array.from({ length: 15 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)
    const worked = (person: number, day: number) => (person * 7 + day * 5) % 4 !== 0
    const away = (person: number, day: number) => (person + day) % 6 === 0
    for (const [person, who] of people.entries())
      for (const [index, day] of days.entries()) {
        if (worked(person, index)) await report(started, { who, day, task_id, hours: 1 })
        else if (away(person, index))
          await as('admin').post('/common/task/progress-away', { staff_id: as(who).id, day })
      }
    const isWorkingDay = (day: string) =>
      ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) && !holidays.includes(day)
    const scan = people.map((who, person) => ({
      person_id: as(who).id,
      days: days.filter((day, index) => isWorkingDay(day) && !worked(person, index) && !away(person, index)),
    }))
    const found = async () => {
      const { data } = await as('admin').get(
        '/common/task/progress-gaps?startDate=2026-03-01&endDate=2026-03-15',
      )
      return (data as { person_id: number; days: string[] }[])
        .map(({ person_id, days: missed }) => ({ person_id, days: missed }))
        .toSorted((a, b) => a.person_id - b.person_id)
    }
    expect(scan.some(({ days: missed }) => missed.length > 1)).toBe(true)
    expect(await found()).toEqual(scan.toSorted((a, b) => a.person_id - b.person_id))
    // Control: removing an entry adds one missing day.
    const dropped = days.find((day, index) => isWorkingDay(day) && worked(1, index))!
    await db
      .deleteFrom('task_reports')
      .where('staff_id', '=', as('developer').id)
      .where('report_date', '=', dropped)
      .execute()
    expect((await found()).find(({ person_id }) => person_id === as('developer').id)!.days).toContain(dropped)
  },
)

test('missing hours are the workdays up to today without hours; away days and holidays do not count', async () => {
  const started = await startTestApp()
  const { as, db } = started
  await db.updateTable('staff').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
  await db.insertInto('holidays').values({ day: '2026-03-12', name: 'Free' }).execute()
  await report(started, { day: '2026-03-11' })
  await as('admin').post('/common/task/progress-away', { staff_id: as('developer').id, day: '2026-03-13' })
  const reply = await as('admin').get(
    `/common/task/progress-gaps?startDate=2026-03-10&endDate=2026-03-20&user_id=${as('developer').id}`,
  )
  expect(reply).toMatchObject({
    data: [
      {
        person_id: as('developer').id,
        days: ['2026-03-10', '2026-03-16'],
        away: ['2026-03-13'],
        reminded_today: false,
      },
    ],
    working_days: 4,
  })
})

test('the rows of each total add up to it, also for tasks whose titles contain each other', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const one = await enterTask(db, { title: 'Report' })
  const other = await enterTask(db, { title: 'Report 2' })
  await report(started, { task_id: one, hours: 1.5, title: 'Report 2' })
  await report(started, { task_id: other, hours: 2.25, who: 'qa', day: '2026-03-17' })
  await report(started, { task_id: await enterTask(db, { title: 'Report' }), hours: 4, product_id: 2 })
  const reply = await as('admin').get(path)
  const asked = { by_person: 'user_id', by_task: 'task_id', by_product: 'product_id' }
  for (const [group, filter] of Object.entries(asked))
    for (const { key, hours } of reply[group] as { key: string; hours: number }[]) {
      const rows = await as('admin').get(`${path}?${filter}=${key}`)
      expect([group, key, rows['hours'], total(rows['data'])]).toEqual([group, key, hours, hours])
    }
  for (const { key, hours } of reply['by_day'])
    expect(await as('admin').get(`${path}?startDate=${key}&endDate=${key}`)).toMatchObject({ hours })
  // A search is combined with the task filter.
  expect(await as('admin').get(`${path}?task_id=${one}&search=nothing`)).toMatchObject({ total: 0, hours: 0 })
  expect(reply['by_task']).toHaveLength(3)
})

test('the export names its time zone and filters, has the totals of the screen, and its sort order', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const team = await db
    .insertInto('teams')
    .values({ name: 'Racks' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('team_members')
    .values({ team_id: team.id, staff_id: as('developer').id })
    .execute()
  const task = await enterTask(db, { title: 'Sort the racks' })
  await report(started, { task_id: task, hours: 1, title: 'First', day: '2026-03-02' })
  await report(started, { task_id: task, hours: 2.5, title: 'Second', day: '2026-03-03' })
  await report(started, { task_id: task, hours: 8, title: 'Of QA', who: 'qa' })
  const product = (
    await db.selectFrom('products').select('name').where('id', '=', 1).executeTakeFirstOrThrow()
  ).name
  const query = `team_id=${team.id}&user_id=${as('developer').id}&task_id=${task}&product_id=1&column=hours&direction=asc&zone=America/Los_Angeles`
  const { text } = await as('admin').get(`${path}/export?${query}`)
  expect(text.replace('\ufeff', '').trim().split('\n')).toEqual([
    'Progress report,2026-03-01 to 2026-03-31,Time zone America/Los_Angeles',
    'Total hours,3.5',
    'Team,Racks',
    'Person,Mei Tanaka',
    'Task,Sort the racks',
    `Product,${product}`,
    'By person,Mei Tanaka,3.5',
    `By product,${product},3.5`,
    'By task,Sort the racks,3.5',
    'By day,2026-03-02,1',
    'By day,2026-03-03,2.5',
    'Day,Person,Task,Title,Hours,Product',
    `2026-03-02,Mei Tanaka,Sort the racks,First,1,${product}`,
    `2026-03-03,Mei Tanaka,Sort the racks,Second,2.5,${product}`,
  ])
  expect(await as('admin').get(`${path}/export?zone=Nowhere/Here`)).toMatchObject({
    status: 422,
    errors: { zone: expect.anything() },
  })
})

test('the chart names the eight people with the most hours, all others are combined', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const task_id = await enterTask(db)
  const people = await db.selectFrom('staff').select(['id', 'user_name']).orderBy('id').limit(10).execute()
  for (const [index, { user_name }] of people.entries())
    await report(started, { who: user_name, task_id, hours: index + 1 })
  const chart = await as('admin').get('/common/task/progress-chart')
  expect(chart['people']).toHaveLength(9)
  expect(chart['people'].at(-1)).toEqual({ key: '0', name: 'Others', hours: 3 })
  expect(chart['data']).toContainEqual({ day: '2026-03-16', key: String(people[9]!.id), hours: 10 })
})

test('an away mark can be removed, then the missing hours are back', async () => {
  const { as, db } = await startTestApp()
  await db.updateTable('staff').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
  const body = { staff_id: as('developer').id, day: '2026-03-13' }
  const gap = async () =>
    (await as('admin').get(`/common/task/progress-gaps?startDate=2026-03-13&user_id=${body.staff_id}`))[
      'data'
    ][0]
  expect(await as('development_lead').post('/common/task/progress-away', body)).toMatchObject({
    message: 'Marked as away.',
  })
  expect(await gap()).toMatchObject({ days: ['2026-03-16'], away: ['2026-03-13'] })
  expect(
    await as('development_lead').post('/common/task/progress-away', { ...body, away: false }),
  ).toMatchObject({ message: 'No longer marked as away.' })
  expect(await gap()).toMatchObject({ days: ['2026-03-13', '2026-03-16'], away: [] })
})

test('people without a common product, and people who have left, cannot be marked or reminded', async () => {
  const { as, db } = await startTestApp()
  const mark = (who: string) =>
    as('development_lead').post('/common/task/progress-away', { staff_id: as(who).id, day: '2026-03-13' })
  const remind = (who: string) =>
    as('development_lead').post('/common/task/progress-remind', {
      staff_id: as(who).id,
      days: ['2026-03-13'],
    })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('qa').id).execute()
  await db
    .updateTable('staff')
    .set({ banned_at: '2026-03-01T00:00:00Z' })
    .where('id', '=', as('designer').id)
    .execute()
  for (const who of ['qa', 'designer'])
    for (const reply of [await mark(who), await remind(who)])
      expect([who, reply.status, Object.keys(reply['errors'])]).toEqual([who, 422, ['staff_id']])
  expect(await db.selectFrom('staff_away').selectAll().execute()).toEqual([])
  expect(await mark('developer')).toMatchObject({ status: 200 })
})

test('a team without members has no hours and no missing hours; the hours of people who left stay, their missing hours do not', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const empty = await db
    .insertInto('teams')
    .values({ name: 'Empty' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const full = await db
    .insertInto('teams')
    .values({ name: 'Racks' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('team_members')
    .values({ team_id: full.id, staff_id: as('qa').id })
    .execute()
  await report(started, { who: 'qa', hours: 3 })
  await db
    .updateTable('staff')
    .set({ banned_at: '2026-03-16T00:00:00Z', created_at: '2026-01-01T00:00:00Z' })
    .where('id', '=', as('qa').id)
    .execute()
  expect(await as('admin').get(`${path}?team_id=${empty.id}`)).toMatchObject({
    status: 200,
    data: [],
    total: 0,
    hours: 0,
    by_person: [],
  })
  expect(await as('admin').get(`/common/task/progress-gaps?team_id=${empty.id}`)).toMatchObject({
    status: 200,
    data: [],
  })
  expect(await as('admin').get(`${path}?team_id=${full.id}`)).toMatchObject({
    hours: 3,
    by_person: [{ key: String(as('qa').id), hours: 3 }],
  })
  expect(await as('admin').get(`/common/task/progress-gaps?team_id=${full.id}`)).toMatchObject({ data: [] })
  expect(await as('admin').get('/common/task/progress-teams')).toMatchObject({
    data: expect.arrayContaining([
      { id: empty.id, name: 'Empty', members: [] },
      { id: full.id, name: 'Racks', members: [{ id: as('qa').id, name: expect.any(String) }] },
    ]),
  })
})

test('people whose role cannot report hours have no missing hours', async () => {
  const { as, db } = await startTestApp()
  await db.updateTable('staff').set({ created_at: '2026-01-01T00:00:00Z' }).execute()
  const people = async () =>
    (await as('admin').get('/common/task/progress-gaps?startDate=2026-03-10&endDate=2026-03-20'))['data'].map(
      ({ person_id }: { person_id: number }) => person_id,
    )
  expect(await people()).toEqual(expect.arrayContaining([as('developer').id, as('development_lead').id]))
  expect(await people()).not.toContain(as('qa').id)
  expect(await people()).not.toContain(as('designer').id)
  // Control: with the permission, they are supposed to report hours.
  await db
    .insertInto('role_permissions')
    .values({ role_id: 12, permission: 'view_task_tab_report' })
    .execute()
  expect(await people()).toContain(as('qa').id)
})

test('people who do not report hours are neither reminded nor marked as away', async () => {
  const { as, db } = await startTestApp()
  const calls = {
    'progress-remind': { days: ['2026-03-10'] },
    'progress-away': { day: '2026-03-10', away: true },
  }
  for (const [call, body] of Object.entries(calls)) {
    const ask = (who: string) => as('admin').post(`/common/task/${call}`, { ...body, staff_id: as(who).id })
    for (const who of ['designer', 'qa', 'csm'])
      expect([call, who, await ask(who)]).toMatchObject([
        call,
        who,
        { status: 422, errors: { staff_id: [expect.stringMatching(/^\w+ doesn’t report hours\.$/)] } },
      ])
    expect([call, (await ask('developer')).status]).toEqual([call, 200])
  }
  expect(await db.selectFrom('mail_recipients').select('address').execute()).toHaveLength(1)
})

test('a person is reminded by email, but not twice a day', async () => {
  const { as, db } = await startTestApp()
  const body = { staff_id: as('developer').id, days: ['2026-03-10'] }
  expect(await as('development_lead').post('/common/task/progress-remind', body)).toMatchObject({
    status: 200,
    message: expect.stringMatching(/is in the outbox\. It will be sent once email is set up\.$/),
  })
  expect(await as('admin').post('/common/task/progress-remind', body)).toMatchObject({ status: 409 })
  expect(await db.selectFrom('mails').select('subject').execute()).toEqual([
    { subject: 'Your progress report is missing hours' },
  ])
})
