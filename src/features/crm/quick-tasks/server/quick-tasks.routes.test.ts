import { io } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { sendDueReminders } from '#features/crm/quick-tasks/server/due.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/common/quick-task'
const give = async ({ as }: Pick<TestApp, 'as'>, from: string, to: string, values: object = {}) =>
  (await as(from).post(path, { title: 'Call the laundry', person: as(to).id, ...values }))['data'] as {
    id: number
    version: number
  }

test('every signed-in role assigns quick tasks, others cannot', async () => {
  const { as } = await startTestApp()
  for (const role of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const)
    expect(await as(role).post(path, { title: `From ${role}` })).toMatchObject({
      status: 200,
      data: { person: as(role).id, created_by: as(role).id, status: 0 },
    })
  for (const [method, at] of [
    ['GET', path],
    ['POST', path],
    ['GET', `${path}/1`],
    ['PUT', `${path}/1`],
    ['DELETE', `${path}/1`],
    ['PUT', `${path}/mark-completed/1`],
  ] as const)
    expect(await as(undefined).send(method, at, method === 'GET' ? undefined : {})).toMatchObject({
      status: 401,
    })
})

test('creator and assignee see a quick task, roles 0 and 1 see all; for others it does not exist', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = await give(started, 'crm', 'qa')
  for (const who of ['crm', 'qa', 'admin', 'super_admin'])
    expect(await as(who).get(`${path}/${id}`)).toMatchObject({
      status: 200,
      data: { person_name: expect.any(String) },
    })
  for (const [method, at] of [
    ['GET', `${path}/${id}`],
    ['PUT', `${path}/${id}`],
    ['DELETE', `${path}/${id}`],
    ['PUT', `${path}/mark-completed/${id}`],
    ['GET', `/admin/records/quick_task/${id}/history`],
  ] as const)
    expect([
      method,
      (await as('designer').send(method, at, method === 'GET' ? undefined : {})).status,
    ]).toEqual([method, 404])
  expect(await as('designer').get(path)).toMatchObject({ data: [], total: 0, per_page: 20 })
  expect(await as('qa').get(path)).toMatchObject({ total: 1 })
})

test('the assignee completes and reopens, only the creator edits and deletes; a deletion can be undone', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = await give(started, 'crm', 'qa')
  expect(await as('qa').send('PUT', `${path}/${id}`, { title: 'Mine now' })).toMatchObject({ status: 403 })
  expect(await as('qa').send('DELETE', `${path}/${id}`)).toMatchObject({ status: 403 })
  expect(await as('qa').send('PUT', `${path}/mark-completed/${id}`, { status: 1 })).toMatchObject({
    data: { status: 1, completed_at: expect.any(String) },
  })
  expect(await as('qa').send('PUT', `${path}/mark-completed/${id}`, { status: 0 })).toMatchObject({
    data: { status: 0, completed_at: null },
  })
  expect(await as('crm').post(`${path}/${id}`, { _method: 'PUT', title: 'Call them today' })).toMatchObject({
    data: { title: 'Call them today' },
  })
  expect(await as('crm').post(`${path}/${id}`, { title: 'No override' })).toMatchObject({ status: 405 })
  const { operation } = await as('crm').send('DELETE', `${path}/${id}`)
  expect(await as('qa').get(`${path}/${id}`)).toMatchObject({ status: 404 })
  await as('crm').post(`/admin/operations/${operation.id}/undo`)
  expect(await as('qa').get(`${path}/${id}`)).toMatchObject({ status: 200 })
})

test("roles 0 and 1 edit, complete, and delete other users' quick tasks, and find them among all", async () => {
  const started = await startTestApp()
  const { as } = started
  const overdue = encodeURIComponent(JSON.stringify({ due: 'overdue' }))
  for (const who of ['admin', 'super_admin']) {
    const { id } = await give(started, 'crm', 'qa', { due_date: '2026-03-10' })
    expect(await as(who).get(`${path}?filters=${overdue}`)).toMatchObject({ total: 1, data: [{ id }] })
    expect(await as(who).send('PUT', `${path}/${id}`, { title: 'Tidied up' })).toMatchObject({
      data: { title: 'Tidied up' },
    })
    expect(await as(who).send('PUT', `${path}/mark-completed/${id}`, { status: 1 })).toMatchObject({
      data: { status: 1 },
    })
    expect(await as(who).send('DELETE', `${path}/${id}`)).toMatchObject({ status: 200 })
  }
})

test('each filter keeps its quick tasks and drops the rest', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const lead = await enterLead(db)
  await give(started, 'crm', 'qa', { title: 'Overdue', due_date: '2026-03-10', type: 2 })
  await give(started, 'crm', 'crm', {
    title: 'Today',
    due_date: '2026-03-16',
    entity: 'lead',
    entity_id: lead,
  })
  const done = await give(started, 'qa', 'crm', { title: 'Done', due_date: '2026-03-20' })
  await as('qa').send('PUT', `${path}/mark-completed/${done.id}`, { status: 1 })
  await give(started, 'crm', 'qa', { title: 'No due date' })
  const titles = async (query: string) =>
    ((await as('crm').get(`${path}?${query}`))['data'] as { title: string }[]).map(({ title }) => title)
  const filters = (value: object) => `filters=${encodeURIComponent(JSON.stringify(value))}`
  expect(await titles('')).toEqual(['Overdue', 'Today', 'Done', 'No due date'])
  expect(await titles('status=0')).toEqual(['Overdue', 'Today', 'No due date'])
  expect(await titles('status=1')).toEqual(['Done'])
  expect(await titles('type=2')).toEqual(['Overdue'])
  expect(await titles('search=no+due')).toEqual(['No due date'])
  expect(await titles('entity=lead')).toEqual(['Today'])
  expect(await titles(`entity=lead:${lead + 1}`)).toEqual([])
  expect(await titles(filters({ due: 'overdue' }))).toEqual(['Overdue'])
  expect(await titles(filters({ due: 'today' }))).toEqual(['Today'])
  expect(await titles(filters({ due: 'today', today: '2026-03-20' }))).toEqual(['Done'])
  expect(await titles(filters({ due: 'week' }))).toEqual(['Today', 'Done'])
  expect(await titles(filters({ due: 'none' }))).toEqual(['No due date'])
  expect(await titles(filters({ person: as('crm').id }))).toEqual(['Today', 'Done'])
  expect(await titles(filters({ creator: as('qa').id }))).toEqual(['Done'])
})

test('a quick task is about a designer task or a development task, each by its own type', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const [drawn, mended] = [await enterTask(db, { discipline: 'designer' }), await enterTask(db)]
  const about = (entity: string, entity_id: number) => ({ title: 'Look at it', entity, entity_id })
  expect(await as('designer').post(path, about('designer_task', drawn))).toMatchObject({
    status: 200,
    data: { entity: 'designer_task', entity_id: drawn },
  })
  expect((await as('designer').get(`${path}?entity=designer_task:${drawn}`))['total']).toBe(1)
  expect((await as('designer').get(`${path}?entity=task`))['total']).toBe(0)
  // Each type includes only its own tasks.
  for (const [who, entity, id] of [
    ['admin', 'designer_task', mended],
    ['admin', 'task', drawn],
    // The record belongs to the viewer's product but is of a type that they cannot see.
    ['crm', 'designer_task', drawn],
    ['designer', 'task', mended],
  ] as const)
    expect(await as(who).post(path, about(entity, id)), who).toMatchObject({
      status: 422,
      errors: { entity_id: [expect.stringMatching(/^This (.+) doesn’t exist\.$/)] },
    })
  // A reference to a record that the viewer can no longer see is kept when another field is edited.
  const { id } = (await as('designer').post(path, about('designer_task', drawn))).data
  await db
    .updateTable('tasks')
    .set({ deleted_at: new Date().toISOString(), deleted_by: as('admin').id })
    .where('id', '=', drawn)
    .execute()
  expect(
    await as('designer').send('PUT', `${path}/${id}`, {
      ...about('designer_task', drawn),
      title: 'Look again',
    }),
  ).toMatchObject({
    status: 200,
    data: { title: 'Look again' },
  })
  await expect(
    db
      .insertInto('quick_tasks')
      .values({ ...about('onboarding', 1), person: as('crm').id, created_by: as('crm').id })
      .execute(),
  ).rejects.toThrow('quick_tasks_entity_check')
})

test.each([
  ['filters that are not JSON', 'GET', `${path}?filters={`, undefined, 'filters'],
  ['an unknown filter', 'GET', `${path}?filters=${encodeURIComponent('{"color":1}')}`, undefined, 'filters'],
  ['status 7', 'GET', `${path}?status=7`, undefined, 'status'],
  ['30 February', 'POST', path, { title: 'x', due_date: '2026-02-30' }, 'due_date'],
  ['no title', 'POST', path, { text: 'x' }, 'title'],
  ['an unknown type', 'POST', path, { title: 'x', type: 99 }, 'type'],
  ['an unknown person', 'POST', path, { title: 'x', person: 9999 }, 'person'],
  ["another product's record", 'POST', path, { title: 'x', entity: 'lead', entity_id: 9999 }, 'entity_id'],
  ['a record without its type', 'POST', path, { title: 'x', entity_id: 1 }, 'entity'],
])('%s: 422 with an error at its field', async (_what, method, at, body, field) => {
  const { as } = await startTestApp()
  const reply = await as('crm').send(method, at, body)
  expect([reply.status, Object.keys(reply['errors'] ?? {}).map((name) => name.split('.')[0])]).toEqual([
    422,
    [field],
  ])
})

test('mark-completed with an invalid status is 422, and nothing changes; formData as JSON is read', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id } = await give(started, 'crm', 'qa')
  expect(await as('qa').send('PUT', `${path}/mark-completed/${id}`, { status: 7 })).toMatchObject({
    status: 422,
  })
  expect(await as('qa').get(`${path}/${id}`)).toMatchObject({ data: { status: 0 } })
  expect(await as('crm').post(path, { formData: JSON.stringify({ title: 'Packed' }) })).toMatchObject({
    data: { title: 'Packed' },
  })
})

test('users with the panel open are reminded of due quick tasks once per date; absent users when they return', async () => {
  const started = await startTestApp()
  const { as, app, live } = started
  await app.listen()
  const { id } = await give(started, 'crm', 'qa', { title: 'Due today', due_date: '2026-03-16' })
  await give(started, 'crm', 'qa', { title: 'Tomorrow', due_date: '2026-03-17' })
  await give(started, 'crm', 'designer', { title: "Another user's", due_date: '2026-03-10' })
  const told = () =>
    live
      .filter(({ event }) => event === 'quick-tasks-due')
      .map(({ channel, payload }) => [channel, payload.titles])
  await sendDueReminders(app)
  expect(told()).toEqual([])
  const socket = io(`http://127.0.0.1:${app.addresses.livePort}`, {
    auth: { token: as('qa').token },
    transports: ['websocket'],
    forceNew: true,
  })
  onTestFinished(() => void socket.disconnect())
  await new Promise((done) => socket.once('connect', () => done(undefined)))
  await Promise.all([sendDueReminders(app), sendDueReminders(app)])
  expect(told()).toEqual([[`private-staff.${as('qa').id}`, ['Due today']]])
  // Reassigning a task to someone who hasn't been reminded of it triggers a reminder.
  const other = await give(started, 'crm', 'designer', { title: 'Changed author', due_date: '2026-03-16' })
  await app.db
    .updateTable('quick_tasks')
    .set({ reminded_of: '2026-03-16', reminded_person: as('designer').id })
    .where('id', '=', other.id)
    .execute()
  await as('crm').send('PUT', `${path}/${other.id}`, { person: as('qa').id, version: other.version })
  await sendDueReminders(app)
  expect(told().at(-1)).toEqual([`private-staff.${as('qa').id}`, ['Changed author']])
  await as('qa').send('PUT', `${path}/mark-completed/${other.id}`, { status: 1 })
  // A snoozed task triggers another reminder on its new due date; a completed task never does.
  await as('qa').post(`${path}/snooze/${id}`, { due_date: '2026-03-18' })
  await sendDueReminders(app)
  expect(told()).toHaveLength(2)
  started.clock.advance(2 * 86_400_000)
  await sendDueReminders(app)
  expect(told()[2]![1].toSorted()).toEqual(['Due today', 'Tomorrow'])
})

test("many are completed or moved in one operation that can be undone; other users' are left out", async () => {
  const started = await startTestApp()
  const { as } = started
  const own = [
    await give(started, 'crm', 'qa'),
    await give(started, 'qa', 'crm', { due_date: '2026-03-10' }),
  ].map(({ id }) => id)
  const foreign = await give(started, 'designer', 'admin')
  const many = (body: object) => as('qa').post(`${path}/many`, body)
  const { operation, message } = await many({ ids: [...own, foreign.id], status: 1 })
  expect(message).toBe('Marked as done: 2 quick tasks.')
  expect((await as('qa').get(`${path}?status=1`)).data).toHaveLength(2)
  expect(await as('designer').get(`${path}/${foreign.id}`)).toMatchObject({ data: { status: 0 } })
  expect(await many({ ids: own, status: 1 })).toMatchObject({ status: 200, operation: null })
  await as('qa').post(`/admin/operations/${operation.id}/undo`)
  expect((await as('qa').get(`${path}?status=0`)).data).toHaveLength(2)
  await many({ ids: own, due_date: '2026-03-17' })
  expect((await as('qa').get(path)).data.map(({ due_date }: { due_date: string }) => due_date)).toEqual([
    '2026-03-17',
    '2026-03-17',
  ])
  expect(await many({ ids: [foreign.id], status: 1 })).toMatchObject({ status: 404 })
  for (const body of [
    { ids: own },
    { ids: own, status: 7 },
    { ids: own, status: 1, due_date: '2026-03-17' },
    { ids: own, due_date: '2026-02-30' },
    { ids: [], status: 1 },
  ])
    expect(await many(body)).toMatchObject({ status: 422 })
  expect(await as(undefined).post(`${path}/many`, { ids: own, status: 1 })).toMatchObject({ status: 401 })
})

test('a quick task is moved to another record by sending only what changes', async () => {
  const { as, db } = await startTestApp()
  const [one, other] = [await enterLead(db), await enterLead(db)]
  const created = await as('super_admin').post(path, { title: 'Call', entity: 'lead', entity_id: one })
  const { id, version } = created.data
  const moved = await as('super_admin').send('PUT', `${path}/${id}`, {
    version,
    base: { entity_id: one },
    entity_id: other,
  })
  expect(moved).toMatchObject({ status: 200, data: { entity: 'lead', entity_id: other } })
  const refused = await as('super_admin').send('PUT', `${path}/${id}`, {
    version: moved.data.version,
    base: { entity_id: other },
    entity_id: 999_999,
  })
  expect(refused).toMatchObject({ status: 422, errors: { entity_id: ['This lead doesn’t exist.'] } })
})
