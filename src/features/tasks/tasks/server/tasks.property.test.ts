import { afterEach, expect, test } from 'vitest'
import { addDays } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { deliveredGroups, disciplineOf } from '#features/tasks/tasks/rules.ts'

/*
 * Each filter and each pair of filters must match exactly the tasks that a plain scan matches, and days must
 * be the same in every time zone. The tasks are fixed, not random.
 */

const today = '2026-03-16'
const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!
const people = { developer: 10, qa: 13 }

const stored = Array.from({ length: 140 }, (_, index) => ({
  discipline: pick(['development', 'development', 'designer'] as const, index),
  product_id: pick([1, 2, 3], index * 5),
  title: pick(['Racks 50%', 'Scanner_drops', 'Zoë’s export', 'Slow\\search', '🧺 labels'], index),
  status: pick([0, 1, 2, 3, 4, 5, 6, 7], index >> 1),
  priority: pick([1, 2, 3, 4, 5, 6], index * 7),
  assigned_to: pick([null, people.developer, people.qa, null], index),
  due_date: pick([null, addDays(today, -3), today, addDays(today, 1), addDays(today, 20)], index),
  dev_due_date: pick([null, today, addDays(today, 2)], index >> 1),
  is_customer_notified: index % 3 === 0,
  deleted_at: index % 13 === 0 ? '2026-03-16T09:00:00Z' : null,
  deleted_by: index % 13 === 0 ? 1 : null,
}))
const customersOf = (index: number): number[] => pick([[], [0], [1], [0, 1]], index)
type Stored = (typeof stored)[number] & { customers: number[] }

type Filter = readonly [name: string, body: Record<string, unknown>, keeps: (task: Stored) => boolean]
const within = (day: string | null, from?: string, to?: string) =>
  day !== null && (from === undefined || day >= from) && (to === undefined || day <= to)
const filters: readonly Filter[] = [
  ['search', { search: 'RACKS' }, ({ title }) => title.toLowerCase().includes('racks')],
  ['search', { search: '0%' }, ({ title }) => title.includes('0%')],
  ['search', { search: 'r_d' }, ({ title }) => title.includes('r_d')],
  ['search', { search: '\\' }, ({ title }) => title.includes('\\')],
  ['search', { search: '🧺' }, ({ title }) => title.includes('🧺')],
  ['status', { status: 0 }, ({ status }) => status === 0],
  ['status', { status: [2, 7] }, ({ status }) => [2, 7].includes(status)],
  ['status', { status: '3,4' }, ({ status }) => [3, 4].includes(status)],
  [
    'group',
    { delivered: 'delivered' },
    ({ status }) => (deliveredGroups.delivered.statuses as readonly number[]).includes(status),
  ],
  ['group', { delivered: 'not-delivered' }, ({ status }) => status !== 4 && status !== 7],
  ['priority', { priority: 6 }, ({ priority }) => priority === 6],
  ['person', { assigned_to: 0 }, ({ assigned_to }) => assigned_to === null],
  ['person', { assigned_to: people.qa }, ({ assigned_to }) => assigned_to === people.qa],
  ['product', { product_id: 2 }, ({ product_id }) => product_id === 2],
  ['notified', { notified: 1 }, ({ is_customer_notified }) => is_customer_notified],
  ['notified', { notified: 0 }, ({ is_customer_notified }) => !is_customer_notified],
  ['date', { from: today }, ({ due_date }) => within(due_date, today)],
  ['date', { to: today }, ({ due_date }) => within(due_date, undefined, today)],
  [
    'date',
    { from: today, to: addDays(today, 1), date: 'dev_due_date' },
    ({ dev_due_date }) => within(dev_due_date, today, addDays(today, 1)),
  ],
  ['date', { undated: 1 }, ({ due_date }) => due_date === null],
  ['date', { undated: 0 }, ({ due_date }) => due_date !== null],
  ['customer', { organization_id: 'first' }, ({ customers }) => customers.includes(0)],
]

async function startWithTasks() {
  const started = await startTestApp()
  const { db, as } = started
  const staff = { [people.developer]: as('developer').id, [people.qa]: as('qa').id }
  const organizations = await db
    .insertInto('organizations')
    .values([{ name: 'Aalto Linen' }, { name: 'Tamsel Clinic' }])
    .returning('organization_id')
    .execute()
  const ids = (
    await db
      .insertInto('tasks')
      .values(stored.map((task) => ({ ...task, assigned_to: task.assigned_to && staff[task.assigned_to]! })))
      .returning('id')
      .execute()
  ).map(({ id }) => id)
  await db
    .insertInto('task_organizations')
    .values(
      ids.flatMap((task_id, index) =>
        customersOf(index).map((which) => ({
          task_id,
          organization_id: organizations[which]!.organization_id,
        })),
      ),
    )
    .execute()
  const wire = (body: Record<string, unknown>) => ({
    ...body,
    ...(body['organization_id'] ? { organization_id: organizations[0]!.organization_id } : {}),
    ...(body['assigned_to'] ? { assigned_to: staff[body['assigned_to'] as number] } : {}),
  })
  return { ...started, ids, wire }
}

test('a calendar gets the first tasks of each day and the number of each day, also of a day with less urgent tasks', async () => {
  const { as, db } = await startTestApp()
  const enter = (due_date: string, priority: number, title: string) =>
    db
      .insertInto('tasks')
      .values({
        discipline: 'development',
        product_id: 1,
        title,
        due_date,
        priority,
        dev_due_date: '2026-03-30',
      })
      .execute()
  for (let n = 0; n < 12; n += 1) await enter('2026-03-17', 6, `Critical ${n}`)
  await enter('2026-03-18', 4, 'Low')
  await enter('2026-03-19', 4, 'Later')
  await enter('2026-03-19', 1, 'Sooner')
  await enter('2026-04-20', 6, 'Another month')
  const body = {
    product_id: 1,
    from: '2026-03-01',
    to: '2026-03-31',
    column: 'priority',
    direction: 'asc',
    a_day: 2,
    per_page: 1000,
  }
  const reply = await as('csm').post('/common/task', body)
  expect(reply).toMatchObject({
    total: 15,
    days: [
      { day: '2026-03-17', total: 12 },
      { day: '2026-03-18', total: 1 },
      { day: '2026-03-19', total: 2 },
    ],
  })
  expect(reply['data'].map(({ title }: { title: string }) => title)).toEqual([
    'Critical 11',
    'Critical 10',
    'Sooner',
    'Later',
    'Low',
  ])
  // Another date field has its own counts by day, and a filter limits both tasks and counts.
  expect(await as('admin').post('/common/task', { ...body, date: 'dev_due_date' })).toMatchObject({
    days: [{ day: '2026-03-30', total: 16 }],
  })
  expect(await as('csm').post('/common/task', { ...body, search: 'critical' })).toMatchObject({
    total: 12,
    days: [{ day: '2026-03-17', total: 12 }],
  })
  expect(await as('csm').post('/common/task', { product_id: 1 })).toMatchObject({ days: null })
  expect(await as('csm').post('/common/task', { a_day: 2 })).toMatchObject({
    status: 422,
    errors: { a_day: [expect.any(String)] },
  })
})

test('each filter of a list, and each pair of them, keeps the same tasks as a plain scan', async () => {
  const { as, ids, wire } = await startWithTasks()
  const scan = (keeps: (task: Stored) => boolean) =>
    stored.flatMap((task, index) =>
      disciplineOf(task.discipline).path === '/common/task' &&
      task.deleted_at === null &&
      keeps({ ...task, customers: customersOf(index) })
        ? [ids[index]!]
        : [],
    )
  const pairs = filters.flatMap((one, at) => [
    one,
    ...filters.slice(at + 1).flatMap((other) => (one[0] === other[0] ? [] : [both(one, other)])),
  ])
  const sizes = new Set<number>()
  for (const [name, body, keeps] of pairs) {
    const wanted = scan(keeps)
    const { data, total } = await as('super_admin').post('/common/task', { ...wire(body), per_page: 1000 })
    expect([
      name,
      body,
      total,
      data.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b),
    ]).toEqual([name, body, wanted.length, wanted])
    sizes.add(wanted.length)
  }
  // Control: filters that match everything or nothing would prove little.
  expect(sizes.size).toBeGreaterThan(10)
  expect(scan(() => true).length).toBeGreaterThan(80)
})

const both = ([name, body, keeps]: Filter, [other, more, keepsToo]: Filter): Filter => [
  `${name} and ${other}`,
  { ...body, ...more },
  (task) => keeps(task) && keepsToo(task),
]

test('all pages together are the whole list, each task once, in every sort order', async () => {
  const { as } = await startWithTasks()
  for (const column of ['created', 'priority', 'due_date', 'dev_due_date', 'status', 'title'] as const)
    for (const direction of ['asc', 'desc'] as const) {
      const ask = async (page: number, per_page: number): Promise<number[]> =>
        (await as('super_admin').post('/common/task', { column, direction, page, per_page })).data.map(
          ({ id }: { id: number }) => id,
        )
      const whole = await ask(1, 1000)
      const paged = (await Promise.all([1, 2, 3, 4, 5, 6, 7].map((page) => ask(page, 15)))).flat()
      expect([column, direction, paged]).toEqual([column, direction, whole])
    }
})

const own = process.env['TZ']
afterEach(() => {
  if (own === undefined) delete process.env['TZ']
  else process.env['TZ'] = own
})

const zones = [
  'US/Eastern',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
  'UTC',
]
/** In some of these time zones, the clocks change on some of these days. */
const days = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
  '2028-02-29',
]

test.each(zones)(
  'a due date is the same date with the server and the customer in %s, also over a clock change',
  async (zone) => {
    process.env['TZ'] = zone
    const { as, db } = await startTestApp()
    const { organization_id } = await db
      .insertInto('organizations')
      .values({ name: 'Aalto Linen', timezone: zone })
      .returning('organization_id')
      .executeTakeFirstOrThrow()
    await db.insertInto('organization_products').values({ organization_id, product_id: 1 }).execute()
    for (const day of days) {
      const { data } = await as('admin').post('/common/task/save', {
        title: day,
        product_id: 1,
        organization_ids: [organization_id],
        due_date: day,
        req_due_date: addDays(day, 1),
      })
      expect([data.due_date, data.req_due_date]).toEqual([day, addDays(day, 1)])
      expect(wallTime(data.task_due_date_time, zone)).toMatchObject({ day, time: '17:00' })
      expect(wallTime(data.task_req_due_date_time, zone)).toMatchObject({
        day: addDays(day, 1),
        time: '17:00',
      })
      expect(data.task_due_date_time.slice(0, 10)).toBe(day)
      const ofDay = await as('admin').post('/common/task', { from: day, to: day })
      expect(ofDay.data.map(({ title }: { title: string }) => title)).toEqual([day])
      const moved = await as('admin').post(`/common/task/extend-due-date/${data.id}`, {
        due_date: addDays(day, 7),
        comment: 'Late',
        type: 5,
      })
      expect(moved.data.due_date).toBe(addDays(day, 7))
      expect((await as('admin').get(`/common/task/activity/${data.id}?type=5`)).data[0]).toMatchObject({
        old_date: day,
        due_date: addDays(day, 7),
      })
      await as('admin').send('DELETE', `/common/task/${data.id}`)
    }
  },
)
