import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { roleIds } from '#shared/access.ts'
import { startTestApp, type Reply } from '#app/testing/start.testing.ts'
import { disciplineNames, disciplineOf, tabsOf } from '#features/tasks/tasks/rules.ts'
import { defaultGrants } from '#shared/access.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const idsOf = (reply: Reply): number[] => reply['data'].map(({ id }: { id: number }) => id)

describe.each(disciplineNames)('%s tasks', (discipline) => {
  const { path, type, word } = disciplineOf(discipline)

  test('a task is created from formData, read, and listed by POST with filters in the body or the URL', async () => {
    const { as, db } = await startTestApp()
    const saved = await as('csm').post(`${path}/save`, {
      formData: JSON.stringify({
        title: 'Sort the racks',
        product_id: 1,
        priority: 6,
        due_date: '2026-04-01',
      }),
    })
    expect(saved).toMatchObject({
      status: 200,
      data: {
        title: 'Sort the racks',
        priority: 6,
        status: 0,
        due_date: '2026-04-01',
        task_due_date_time: '2026-04-01T17:00:00-04:00',
      },
    })
    const { id } = saved.data
    const other = await enterTask(db, { discipline, title: 'Other', priority: 1 })
    expect(await as('csm').get(`${path}/${id}`)).toMatchObject({ data: { id, discipline } })
    expect(await as('csm').get(`${path}/edit/${id}`)).toMatchObject({ data: { id } })
    expect(await as('csm').post(path, { page: 1, product_id: 1, sortingBy: 'priority' })).toMatchObject({
      data: [{ id }, { id: other }],
      total: 2,
      per_page: 20,
    })
    expect(idsOf(await as('csm').post(`${path}?search=other`))).toEqual([other])
    expect(idsOf(await as('csm').post(`${path}?search=other`, { search: 'racks' }))).toEqual([id])
    expect(idsOf(await as('csm').post(path, { priority: 6, status: [0, 1] }))).toEqual([id])
    expect((await as('csm').post(path, { from: '2026-04-01', to: '2026-04-30' })).total).toBe(1)
    expect((await as('csm').post(path, { undated: 1 })).total).toBe(1)
  })

  test('sorted by Created, tasks follow the time they were created, not their number', async () => {
    const { as, db } = await startTestApp()
    const enter = (created_at: string) => enterTask(db, { discipline, title: created_at, created_at })
    const middle = await enter('2026-03-02T10:00:00Z')
    const first = await enter('2026-03-01T10:00:00Z')
    const [last, same] = [await enter('2026-03-03T10:00:00Z'), await enter('2026-03-03T10:00:00Z')]
    const sorted = async (more: object) => idsOf(await as('csm').post(path, { product_id: 1, ...more }))
    expect(await sorted({})).toEqual([same, last, middle, first])
    expect(await sorted({ sortingBy: 'created', direction: 'asc' })).toEqual([first, middle, last, same])
  })

  test('a multipart form saves as well', async () => {
    const { as } = await startTestApp()
    expect(
      await as('csm').post(`${path}/save`, undefined, {
        form: { title: 'By form', product_id: '1', due_date: '' },
      }),
    ).toMatchObject({
      status: 200,
      data: { due_date: null },
    })
  })

  test('the delivered groups match the specification, and PR Review is counted separately', async () => {
    const { as, db } = await startTestApp()
    const ids = []
    for (const status of [0, 1, 2, 3, 4, 5, 6, 7]) ids.push(await enterTask(db, { discipline, status }))
    expect(await as('csm').post(path, { delivered: 'delivered' })).toMatchObject({
      data: [{ id: ids[4] }],
      in_pr_review: 1,
    })
    const open = await as('csm').post(path, { delivered: 'not-delivered' })
    expect(open).toMatchObject({ total: 6, in_pr_review: 1 })
    expect(open.data.map(({ status }: { status: number }) => status).toSorted()).toEqual([0, 1, 2, 3, 5, 6])
  })

  test('the activity lists add, edit, assign, status, hold, changed dates, and delete; it outlives the task', async () => {
    const { as, db } = await startTestApp()
    const admin = as('admin')
    const { id } = (await admin.post(`${path}/save`, { title: 'One', product_id: 1 })).data
    expect(
      await admin.post(`${path}/${id}`, {
        priority: 1,
        due_date: '2026-04-01',
        dev_due_date: '2026-03-28',
        adh_due_date: '2026-03-30',
      }),
    ).toMatchObject({
      status: 200,
    })
    expect(await admin.post(`${path}/assign/${id}`, { assigned_to: as('designer').id })).toMatchObject({
      data: { status: 1, assigned_to: { first_name: 'Hugo' } },
    })
    expect(await admin.post(`${path}/change-status/${id}`, { status: 2 })).toMatchObject({
      message: 'Status changed to In Progress.',
    })
    expect(await admin.post(`${path}/change-status/${id}`, { status: 3 })).toMatchObject({
      status: 422,
      errors: { comment: expect.anything() },
    })
    await admin.post(`${path}/change-status/${id}`, { status: 3, comment: 'No machine' })
    await admin.post(`${path}/extend-due-date/${id}`, { due_date: '2026-04-09', comment: 'Late' })
    await admin.post(`${path}/extend-due-date/${id}`, { due_date: '2026-04-02', comment: 'Late', type: 7 })
    await admin.post(`${path}/extend-due-date/${id}`, { due_date: '2026-04-05', comment: 'Late', type: 8 })
    expect((await admin.get(`${path}/${id}`)).data).toMatchObject({
      due_date: '2026-04-09',
      dev_due_date: '2026-04-02',
      adh_due_date: '2026-04-05',
      moves: 3,
    })
    expect(await admin.get(`${path}/activity/${id}?type=5`)).toMatchObject({
      data: [{ type: 5, due_date: '2026-04-09', old_date: '2026-04-01', comment: 'Late' }],
    })
    expect(await admin.send('DELETE', `${path}/${id}`)).toMatchObject({ status: 200 })
    const told = await db
      .selectFrom('task_activities')
      .select('type')
      .where('task_id', '=', id)
      .orderBy('id')
      .execute()
    expect(told.map((one) => one.type)).toEqual([1, 2, 4, 6, 10, 5, 7, 8, 3])
    expect(await admin.get(`${path}/${id}`)).toMatchObject({ status: 404 })
    expect(await admin.get(`/admin/records/${type}/trash`)).toMatchObject({ data: [{ id, name: 'One' }] })
  })

  test('a date that is set changes only with a reason, and undo reverts the change', async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline, due_date: '2026-04-01' })
    expect(await as('csm').post(`${path}/${id}`, { due_date: '2026-04-09' })).toMatchObject({
      status: 422,
      errors: { due_date: expect.anything() },
    })
    expect(
      await as('csm').post(`${path}/extend-due-date/${id}`, { due_date: '2026-04-09', comment: ' ' }),
    ).toMatchObject({
      status: 422,
      errors: { comment: expect.anything() },
    })
    expect(
      await as('csm').post(`${path}/extend-due-date/${id}`, {
        due_date: '2026-04-09',
        comment: 'Late',
        type: 7,
      }),
    ).toMatchObject({ status: 403 })
    expect(
      await as('csm').post(`${path}/extend-due-date/${id}`, { due_date: '2026-06-31', comment: 'Late' }),
    ).toMatchObject({ status: 422 })
    const { operation } = await as('csm').post(`${path}/extend-due-date/${id}`, {
      due_date: '2026-04-09',
      comment: 'Late',
    })
    expect(operation).toMatchObject({
      summary: `Due date changed: 1 ${type === 'task' ? 'task' : 'designer task'}`,
    })
    await as('csm').post(`/admin/operations/${operation.id}/undo`)
    expect(await as('csm').get(`${path}/${id}`)).toMatchObject({ data: { due_date: '2026-04-01', moves: 0 } })
    const told = async () => (await as('admin').get(`${path}/activity/${id}?type=5`)).data
    expect(await told()).toMatchObject([
      {
        due_date: '2026-04-01',
        old_date: '2026-04-09',
        comment: 'Undone.',
        created_by: { id: as('csm').id },
      },
      { due_date: '2026-04-09', old_date: '2026-04-01', comment: 'Late' },
    ])
    await as('csm').post(`/admin/operations/${operation.id}/redo`)
    expect(await as('csm').get(`${path}/${id}`)).toMatchObject({ data: { due_date: '2026-04-09', moves: 1 } })
    expect((await told())[0]).toMatchObject({ due_date: '2026-04-09', comment: 'Redone.' })
  })

  test('a first date is not a changed due date: its editor can undo it, and setting it does not count as a change', async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline })
    await db
      .insertInto('role_permissions')
      .values(
        [disciplineOf(discipline).edit, disciplineOf(discipline).view].map((permission) => ({
          role_id: 13,
          permission,
        })),
      )
      .onConflict((on) => on.doNothing())
      .execute()
    const { version } = (await as('designer').get(`${path}/${id}`)).data
    const edited = await as('designer').post(`${path}/${id}`, {
      title: 'Mend it',
      due_date: '2026-04-01',
      version,
    })
    expect(edited).toMatchObject({ status: 200, data: { due_date: '2026-04-01' } })
    expect(await as('designer').post(`/admin/operations/${edited['operation'].id}/undo`)).toMatchObject({
      status: 200,
      undone: 1,
    })
    const set = await as('csm').post(`${path}/extend-due-date/${id}`, {
      due_date: '2026-04-01',
      comment: 'Agreed',
    })
    expect(await as('csm').get(`${path}/${id}`)).toMatchObject({ data: { due_date: '2026-04-01', moves: 0 } })
    expect(await as('csm').post(`/admin/operations/${set['operation'].id}/undo`)).toMatchObject({
      status: 200,
      undone: 1,
    })
    expect(await as('csm').get(`${path}/${id}`)).toMatchObject({ data: { due_date: null, moves: 0 } })
  })

  test('an undo needs what the operation itself needs: a role that can no longer change the date cannot undo the change', async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline, due_date: '2026-04-01' })
    const { operation } = await as('csm').post(`${path}/extend-due-date/${id}`, {
      due_date: '2026-04-09',
      comment: 'Late',
    })
    const assigned = await as('csm').post(`${path}/assign/${id}`, { assigned_to: as('admin').id })
    await db.updateTable('staff').set({ role_id: 8 }).where('id', '=', as('csm').id).execute()
    for (const right of [
      disciplineOf(discipline).edit,
      disciplineOf(discipline).view,
      disciplineOf(discipline).assign,
    ])
      await db
        .insertInto('role_permissions')
        .values({ role_id: 8, permission: right })
        .onConflict((on) => on.doNothing())
        .execute()
    // Control: an operation that the role still has permission for can be undone.
    expect(await as('csm').post(`/admin/operations/${assigned['operation'].id}/undo`)).toMatchObject({
      status: 200,
      undone: 1,
    })
    expect(await as('csm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 403 })
    expect(await as('admin').get(`${path}/${id}`)).toMatchObject({
      data: { due_date: '2026-04-09', status: 0, assigned_to: null },
    })
  })

  test('the customer is notified once; leaving Delivered clears it', async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline })
    await as('admin').post(`${path}/change-status/${id}`, { status: 4 })
    expect(await as('admin').post(`${path}/notification-status/${id}`)).toMatchObject({
      data: { is_customer_notified: 1 },
      operation: { id: expect.any(Number) },
    })
    expect(await as('admin').post(`${path}/notification-status/${id}`)).toMatchObject({
      status: 200,
      operation: null,
    })
    expect(await as('admin').post(`${path}/change-status/${id}`, { status: 2 })).toMatchObject({
      data: { is_customer_notified: 0 },
    })
  })

  test.each([
    ['status 8', 'change-status', { status: 8 }],
    ['priority 0', '', { priority: 0 }],
    ['an empty title', '', { title: '' }],
    ['an unknown assignee', 'assign', { assigned_to: 99_999 }],
    ['an unknown type', '', { task_type_id: 99_999 }],
    ['an unknown organization', '', { organization_ids: [99_999] }],
    ['formData that is not JSON', '', { formData: '{' }],
    ['31 June as the first date', '', { due_date: '2026-06-31' }],
    ['31 June as the required date', '', { req_due_date: '2026-06-31' }],
    ['NUL in the title', '', { title: 'a\u0000b' }],
    ['301 characters of title', '', { title: 'x'.repeat(301) }],
    ['no hours at all', '', { estimate_hours: 0 }],
    ['a ticket that is not a number', '', { ticket_id: 'abc' }],
  ])('%s is 422, and nothing changes', async (_name, call, body) => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline })
    expect(await as('admin').post(`${path}${call ? `/${call}` : ''}/${id}`, body)).toMatchObject({
      status: 422,
    })
    expect(await db.selectFrom('tasks').select('version').where('id', '=', id).executeTakeFirst()).toEqual({
      version: 1,
    })
  })

  test("a user without the task's product cannot be assigned to it, at first or later", async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline })
    const { id: person } = as('developer')
    await db.deleteFrom('staff_products').where('staff_id', '=', person).where('product_id', '=', 1).execute()
    const refused = { status: 422, errors: { assigned_to: [expect.any(String)] } }
    expect(await as('admin').post(`${path}/assign/${id}`, { assigned_to: person })).toMatchObject(refused)
    expect(
      await as('admin').post(`${path}/save`, { title: 'New', product_id: 1, assigned_to: person }),
    ).toMatchObject(refused)
    expect(await db.selectFrom('tasks').select(['id', 'assigned_to']).execute()).toEqual([
      { id, assigned_to: null },
    ])
  })

  test('HTML stays text in every field except the description, and the export contains no formulas', async () => {
    const { as } = await startTestApp()
    const nasty = '<img src=x onerror=alert(1)>'
    const { data } = await as('admin').post(`${path}/save`, {
      title: `=${nasty}`,
      product_id: 1,
      description: `<p>Hi</p>${nasty}`,
      due_date: '2026-04-01',
    })
    expect(data).toMatchObject({ title: `=${nasty}`, description: '<p>Hi</p>' })
    await as('admin').post(`${path}/extend-due-date/${data.id}`, { due_date: '2026-04-02', comment: nasty })
    await as('admin').post(`${path}/change-status/${data.id}`, { status: 3, comment: nasty })
    expect((await as('admin').get(`${path}/activity/${data.id}`)).data.slice(0, 2)).toMatchObject([
      { comment: nasty },
      { comment: nasty },
    ])
    expect((await as('admin').get(`${path}/export`)).text).toContain(`'=${nasty}`)
  })

  test('the export has the fields of a task, and only the dates that the user sees', async () => {
    const { as, db } = await startTestApp()
    await enterTask(db, { discipline, title: 'Racks', priority: 2, due_date: '2026-04-01' })
    const linesFor = async (user: 'admin' | 'development_lead') =>
      (await as(user).get(`${path}/export`)).text.replace('\uFEFF', '').split(/\r?\n/)
    const [header, line] = await linesFor('admin')
    expect(header).toBe(
      'Number,Title,Type,Priority,Status,Assignee,Customers,Due date,Developer due date,Adh due date,Required due date,Created',
    )
    expect(line).toMatch(/^\d+,Racks,,High,Pending,,,2026-04-01,,,,2\d{3}-/)
    if (discipline === 'development')
      expect((await linesFor('development_lead'))[0]).toBe(
        'Number,Title,Type,Priority,Status,Assignee,Customers,Developer due date,Created',
      )
  })

  test('an id of the other discipline, of another product, and an unknown one are 404; an unknown path is no task', async () => {
    const { as, db } = await startTestApp()
    const other = disciplineNames.find((name) => name !== discipline)!
    const theirs = await enterTask(db, { discipline: other })
    const foreign = await enterTask(db, { discipline, product_id: 3 })
    await db
      .deleteFrom('staff_products')
      .where('staff_id', '=', as('admin').id)
      .where('product_id', '=', 3)
      .execute()
    for (const id of [theirs, foreign, 99_999, 'abc'])
      expect(await as('admin').get(`${path}/${id}`)).toMatchObject({ status: 404 })
    expect(await as('admin').post(`${path}/assign/${theirs}`, { assigned_to: null })).toMatchObject({
      status: 404,
    })
    for (const id of [foreign, 'abc', 0, '9'.repeat(20)])
      for (const call of ['view-task', 'get-current-due-date'])
        expect(await as('admin').get(`/admin/users/${call}/${id}`)).toMatchObject({ status: 404 })
    expect(await as('admin').get(`${path}/save`)).toMatchObject({ status: 405 })
    expect(await as('admin').post(path, { product_id: 3 })).toMatchObject({ status: 403 })
    expect((await as('admin').post(path)).total).toBe(0)
  })

  test('each role sees and does what the tables in rules.ts say', async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, {
      discipline,
      status: 2,
      ticket_id: (await enterTicket(db)).id,
      due_date: '2026-04-01',
      dev_due_date: '2026-03-28',
    })
    const { list, view, edit, assign } = disciplineOf(discipline)
    for (const role of roleIds) {
      const permissions = new Set(defaultGrants[role])
      const may = (right: typeof list) => (permissions.has(right) ? 200 : 403)
      const who = as(role)
      expect([role, (await who.post(path)).status]).toEqual([role, may(list)])
      const shown = await who.get(`${path}/${id}`)
      expect([role, shown.status]).toEqual([role, may(view)])
      expect([role, (await who.get(`/admin/users/view-task/${id}`)).status]).toEqual([role, may(view)])
      expect([role, (await who.get(`/admin/users/get-current-due-date/${id}`)).status]).toEqual([
        role,
        may(view),
      ])
      expect([role, (await who.post(`${path}/${id}`, { estimate_hours: role + 1 })).status]).toEqual([
        role,
        may(edit),
      ])
      expect([role, (await who.post(`${path}/assign/${id}`, { assigned_to: null })).status]).toEqual([
        role,
        may(assign),
      ])
      if (shown.status !== 200) continue
      const tabs = tabsOf({ role_id: role, permissions }, discipline)
      const hidden = {
        ticket: 'ticket',
        activity: 'activity',
        progress: 'reports',
        issues: 'qa_issue',
      } as const
      for (const [tab, field] of Object.entries(hidden))
        expect([role, tab, field in shown.data]).toEqual([role, tab, tabs.includes(tab as 'ticket')])
    }
    expect((await as('developer').post(path)).data?.[0] ?? { due_date: null }).toMatchObject({
      due_date: null,
    })
  })

  test(`the ${word} task calls refuse callers without permission or session`, async () => {
    const { as, db } = await startTestApp()
    const id = await enterTask(db, { discipline })
    for (const [method, call] of [
      ['POST', ''],
      ['POST', '/save'],
      ['GET', `/edit/${id}`],
      ['GET', `/${id}`],
      ['POST', `/${id}`],
      ['POST', `/assign/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/extend-due-date/${id}`],
      ['POST', `/change-status/${id}`],
      ['POST', `/notification-status/${id}`],
      ['GET', `/activity/${id}`],
    ] as const) {
      expect([
        call,
        (await as('digital_marketing').send(method, `${path}${call}`, method === 'GET' ? undefined : {}))
          .status,
      ]).toEqual([call, 403])
      expect([
        call,
        (await as(undefined).send(method, `${path}${call}`, method === 'GET' ? undefined : {})).status,
      ]).toEqual([call, 401])
    }
  })
})

test('a task is found by its number, with and without #', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db, { title: 'Wash the racks' })
  await enterTask(db, { title: 'Fold the towels' })
  const found = async (search: string) =>
    ((await as('development_lead').post('/common/task', { search }))['data'] as { id: number }[]).map(
      (row) => row.id,
    )
  expect(await found(String(id))).toEqual([id])
  expect(await found(`#${id}`)).toEqual([id])
  expect(await found(`#${id + 1000}`)).toEqual([])
})

test('the POST that reads is not a change: its key is not stored, and the history is empty', async () => {
  const { as, db } = await startTestApp()
  const before = await db.selectFrom('audit_log').select('id').execute()
  await as('admin').post('/common/task', { page: 1 })
  expect(await db.selectFrom('audit_log').select('id').execute()).toHaveLength(before.length)
})

test('QA changes a status only from In QA, and only back, forward, or to the customer', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db, { status: 2 })
  const to = async (status: number) =>
    (await as('qa').post(`/common/task/change-status/${id}`, { status, comment: 'x' })).status
  expect(await to(4)).toBe(403)
  await db.updateTable('tasks').set({ status: 6 }).where('id', '=', id).execute()
  expect([await to(1), await to(3), await to(7)]).toEqual([403, 403, 403])
  expect(await to(5)).toBe(200)
})

test("a developer changes only the developer date, and another person's tasks need task_developer_filter", async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db, {
    due_date: '2026-04-01',
    dev_due_date: '2026-03-28',
    assigned_to: as('developer').id,
  })
  expect(
    await as('developer').post(`/common/task/extend-due-date/${id}`, {
      due_date: '2026-03-30',
      comment: 'Late',
      type: 5,
    }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('developer').post(`/common/task/extend-due-date/${id}`, {
      due_date: '2026-03-30',
      comment: 'Late',
    }),
  ).toMatchObject({
    data: { dev_due_date: '2026-03-30', due_date: null },
  })
  expect(await as('data_entry').post('/common/task', { assigned_to: as('developer').id })).toMatchObject({
    status: 403,
  })
  expect(await as('developer').post('/common/task', { assigned_to: as('developer').id })).toMatchObject({
    total: 1,
  })
})

test('the bell counts delivered tasks with an organization whose customer was not notified, for roles 0, 1, and 4', async () => {
  const { as, db } = await startTestApp()
  const { organization_id } = await db
    .insertInto('organizations')
    .values({ name: 'Aalto Linen' })
    .returning('organization_id')
    .executeTakeFirstOrThrow()
  const id = await enterTask(db, { status: 4, title: 'Told' })
  await enterTask(db, { status: 4, title: 'Without a customer' })
  await db.insertInto('task_organizations').values({ task_id: id, organization_id }).execute()
  for (const who of ['super_admin', 'admin', 'support'])
    expect(await as(who).get('/admin/support/unnotified-task-count')).toMatchObject({
      task_count: 1,
      tasks: [{ id, title: 'Told', created_at: expect.any(String) }],
    })
  expect(await as('csm').get('/admin/support/unnotified-task-count')).toMatchObject({ status: 403 })
  expect(await as('support').post(`/common/task/notification-status/${id}`)).toMatchObject({ status: 200 })
  expect(await as('support').get('/admin/support/unnotified-task-count')).toMatchObject({
    task_count: 0,
    tasks: [],
  })
  expect(await as('support').get('/admin/support/unnotified-task-count')).toMatchObject({ status: 200 })
})

test('the bell lists tasks by due date, and those without one last', async () => {
  const { as, db } = await startTestApp()
  const { organization_id } = await db
    .insertInto('organizations')
    .values({ name: 'Aalto Linen' })
    .returning('organization_id')
    .executeTakeFirstOrThrow()
  for (const due_date of ['2026-03-20', null, '2026-03-12']) {
    const task_id = await enterTask(db, { status: 4, title: `Due ${due_date}`, due_date })
    await db.insertInto('task_organizations').values({ task_id, organization_id }).execute()
  }
  const { tasks } = await as('support').get('/admin/support/unnotified-task-count')
  expect(tasks).toMatchObject([
    { title: 'Due 2026-03-12', due_date: '2026-03-12', organizations: 'Aalto Linen' },
    { title: 'Due 2026-03-20', due_date: '2026-03-20' },
    { title: 'Due null', due_date: null },
  ])
})

test('changes to different fields are merged, changes to the same field are a conflict', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db)
  await as('admin').post(`/common/task/${id}`, { title: 'By admin' })
  expect(
    await as('csm').post(`/common/task/${id}`, { priority: 1, version: 1, base: { priority: 3 } }),
  ).toMatchObject({
    data: { title: 'By admin', priority: 1 },
  })
  expect(
    await as('csm').post(`/common/task/${id}`, {
      title: 'By csm',
      version: 1,
      base: { title: 'Sort the racks' },
    }),
  ).toMatchObject({
    status: 409,
    clashes: [{ field: 'title', yours: 'By csm', theirs: 'By admin' }],
  })
})

test('a description is cleaned before it is stored', async () => {
  const { as } = await startTestApp()
  const { data } = await as('admin').post('/common/task/save', {
    title: 'One',
    product_id: 1,
    description: '<p onclick="x()">Hi<script>alert(1)</script></p>',
  })
  expect(data.description).toBe('<p>Hi</p>')
})

test('undoing a change of the description restores its images for everyone who can read it', async () => {
  const { as } = await startTestApp()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  )
  const { data: picture } = await as('admin').post('/files/stage', undefined, {
    form: { file: { name: 'dot.png', bytes: png } },
  })
  const { data: task } = await as('admin').post('/common/task/save', {
    title: 'One',
    product_id: 1,
    description: `<p>Look</p><img data-file-id="${picture.id}">`,
  })
  const seen = async () => (await as('csm').get(`/files/refs?ids[]=${picture.id}`))['data'].length as number
  expect(await seen()).toBe(1)
  const { operation } = await as('admin').post(`/common/task/${task.id}`, { description: '<p>Gone</p>' })
  expect(await seen()).toBe(0)
  expect(await as('admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ undone: 1 })
  expect(await seen()).toBe(1)
})

test('the history shows the activity only to users with an Activity tab; notes are for everyone with access to the task', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db)
  await as('csm').post(`/common/task/${id}`, { due_date: '2026-04-01' })
  expect((await as('adh').get(`/admin/records/task/${id}/history`)).data).toHaveLength(1)
  expect(await as('developer').get(`/admin/records/task/${id}/history`)).toMatchObject({
    status: 200,
    data: [],
  })
  expect(await as('qa').post(`/admin/general/notes/task/${id}`, { note: 'Seen' })).toMatchObject({
    status: 200,
  })
})

test('permission to notify does not open the other discipline', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db, { discipline: 'designer', status: 4 })
  expect(await as('developer').post(`/common/designertask/notification-status/${id}`)).toMatchObject({
    status: 403,
  })
  const { status, message, operation } = await as('csm').post(
    `/common/designertask/notification-status/${id}`,
  )
  expect([status, message]).toEqual([200, 'Marked as notified. No email was sent.'])
  expect(await as('csm').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    undone: 1,
  })
  expect(await as('csm').get(`/common/designertask/${id}`)).toMatchObject({
    data: { is_customer_notified: 0 },
  })
})

test('a person who may notify but not edit undoes their own notification', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db, { status: 4 })
  const { operation } = await as('support').post(`/common/task/notification-status/${id}`)
  expect(await as('support').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({
    status: 200,
    undone: 1,
  })
})

test('attachments are the files that are named, visible to users with access to the task', async () => {
  const { as } = await startTestApp()
  const sent = await as('csm').post('/files/stage', undefined, {
    form: { file: { name: 'a.txt', bytes: 'Racks' } },
  })
  const { data: task } = await as('csm').post('/common/task/save', {
    title: 'One',
    product_id: 1,
    file_ids: [sent['data'].id],
  })
  expect(task.file_ids).toEqual([sent['data'].id])
  expect((await as('qa').get(`/files/refs?ids[]=${sent['data'].id}`)).data).toHaveLength(1)
  expect((await as('designer').get(`/files/refs?ids[]=${sent['data'].id}`)).data).toEqual([])
  expect(await as('csm').post(`/common/task/${task.id}`, { file_ids: [] })).toMatchObject({
    data: { file_ids: [] },
  })
  expect(await as('csm').post(`/common/task/${task.id}`, { file_ids: [99_999] })).toMatchObject({
    status: 422,
  })
})

test('designer tasks belong to product 1', async () => {
  const { as } = await startTestApp()
  expect(await as('admin').post('/common/designertask/save', { title: 'One', product_id: 2 })).toMatchObject({
    status: 422,
    errors: { product_id: expect.anything() },
  })
})

test('a task shows a ticket only to people who can open the ticket, and only they link one', async () => {
  const { as, db } = await startTestApp()
  const { id: ticket_id } = await enterTicket(db)
  const id = await enterTask(db, { ticket_id })
  const shown = async () => (await as('adh').get(`/common/task/${id}`))['data'].ticket
  const link = () => as('adh').post('/common/task/save', { title: 'x', product_id: 1, ticket_id })
  // Control: with the permission, the messages are returned.
  expect(await shown()).toMatchObject({ id: ticket_id, messages: [{ message: '<p>It shows nothing.</p>' }] })
  expect((await link()).status).toBe(200)
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 7)
    .where('permission', '=', 'all_tickets_view')
    .execute()
  expect(await shown()).toBeNull()
  expect(await link()).toMatchObject({ status: 422, errors: { ticket_id: [expect.any(String)] } })
  const unlinked = await enterTask(db)
  expect(await as('adh').post(`/common/task/${unlinked}`, { ticket_id })).toMatchObject({ status: 422 })
  // An existing link is kept, and other fields can be changed.
  expect(await as('adh').post(`/common/task/${id}`, { ticket_id, title: 'y' })).toMatchObject({ status: 200 })
})

test('a hidden date answers the same whether it would change or not', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db, { adh_due_date: '2026-04-01' })
  for (const adh_due_date of ['2026-04-01', '2026-04-02', null])
    expect(await as('csm').post(`/common/task/${id}`, { adh_due_date })).toMatchObject({
      status: 403,
      message: 'You don’t have permission to set the adh due date.',
    })
  // Control: a date that the role can see can be changed.
  expect(await as('csm').post(`/common/task/${id}`, { due_date: null })).toMatchObject({ status: 200 })
})

test('organization number 2,001 is found by name and saved on a task, and only within the viewer’s products', async () => {
  const { as, db } = await startTestApp()
  await sql`with new as (insert into organizations (name)
      select 'Filler ' || to_char(n, 'FM0000') from generate_series(1, 2000) n union all select 'Zyzzyva Lodge' returning organization_id)
    insert into organization_products (organization_id, product_id) select organization_id, 1 from new`.execute(
    db,
  )
  await sql`with new as (insert into organizations (name) values ('Zyzzyva Annex') returning organization_id)
    insert into organization_products (organization_id, product_id) select organization_id, 3 from new`.execute(
    db,
  )
  const find = (user: string, product: number) =>
    as(user).get(`/admin/users/get-all-organizations?search=zyzzyva&product=${product}`)
  for (const user of ['csm', 'developer', 'designer', 'qa'])
    expect(await find(user, 1)).toMatchObject({ status: 200, data: [{ name: 'Zyzzyva Lodge' }], total: 1 })
  const { id } = (await find('csm', 1)).data[0]
  expect(
    await as('csm').post('/common/task/save', { title: 'Sort', product_id: 1, organization_ids: [id] }),
  ).toMatchObject({ status: 200, data: { organization: [{ id, name: 'Zyzzyva Lodge' }] } })
  expect(idsOf(await as('csm').post('/common/task', { product_id: 1, organization_id: id }))).toHaveLength(1)
  const elsewhere = (await find('admin', 3)).data[0].id
  expect(
    await as('csm').post('/common/task/save', {
      title: 'Sort',
      product_id: 1,
      organization_ids: [elsewhere],
    }),
  ).toMatchObject({
    status: 422,
    errors: { organization_ids: ['Choose organizations that use this product.'] },
  })
})
