import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const report = (task_id: number, hours: unknown, more: object = {}) => ({
  task_id,
  task_details: JSON.stringify([{ title: 'Racks', hours }]),
  ...more,
})

test('hours belong to their user: stored, read by date, in the history, and shown with the task as a line of JSON', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db)
  await as('developer').post('/common/task/developer-report', report(id, 2, { report_date: '2026-03-15' }))
  await as('developer').post('/common/task/developer-report', report(id, 1))
  expect(await as('developer').post('/common/task/developer-report', report(id, 3))).toMatchObject({
    status: 200,
  })
  expect((await as('developer').get(`/common/task/today-report/${id}`)).reports).toEqual([
    {
      report_date: '2026-03-16',
      task_details: '[{"title":"Racks","hours":3}]',
      user: { id: as('developer').id, first_name: 'Mei', last_name: 'Tanaka' },
    },
  ])
  expect((await as('developer').get(`/common/task/today-report/${id}/2026-03-15`)).reports).toHaveLength(1)
  expect((await as('developer').get(`/common/task/report-history/${id}/2026-03-16`)).reports).toHaveLength(2)
  expect((await as('development_lead').get(`/common/task/today-report/${id}`)).reports).toEqual([])
  expect((await as('development_lead').get(`/common/task/${id}`)).data.reports).toHaveLength(2)
  expect(await as('qa').get(`/common/task/today-report/${id}`)).toMatchObject({ status: 403 })
})

test.each([
  ['no hours', 0, {}],
  ['25 hours', 25, {}],
  ['a future date', 1, { report_date: '2026-03-18' }],
  ['details that are not a list', 1, { task_details: '{"title"' }],
])('%s are 422, and nothing is stored', async (_name, hours, more) => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db)
  expect(await as('developer').post('/common/task/developer-report', report(id, hours, more))).toMatchObject({
    status: 422,
  })
  expect(await db.selectFrom('task_reports').select('id').execute()).toEqual([])
})

test('a day has 24 hours across all tasks', async () => {
  const { as, db } = await startTestApp()
  const [one, two] = [await enterTask(db), await enterTask(db)]
  await as('developer').post('/common/task/developer-report', report(one, 20))
  expect(await as('developer').post('/common/task/developer-report', report(two, 5))).toMatchObject({
    status: 422,
    errors: { task_details: expect.anything() },
  })
  expect(await as('developer').post('/common/task/developer-report', report(two, 4))).toMatchObject({
    status: 200,
  })
})

test('issues are written by admin, QA, and ADH helper, resolved by developers, and reopened', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db)
  for (const who of ['super_admin', 'admin', 'adh_helper', 'qa'])
    expect([
      who,
      (await as(who).post('/common/task/task-issue', { task_id: id, task_issue: `By ${who}` })).status,
    ]).toEqual([who, 200])
  for (const who of ['adh', 'developer', 'development_lead', 'csm'])
    expect([
      who,
      (await as(who).post('/common/task/task-issue', { task_id: id, task_issue: 'x' })).status,
    ]).toEqual([who, 403])
  const [issue] = (await as('developer').get(`/common/task/${id}`)).data.qa_issue
  const set = (who: string, status: number) =>
    as(who).post('/common/task/update-task-issue-status', { id: issue.id, status })
  for (const who of ['admin', 'qa', 'adh_helper', 'adh'])
    expect([who, (await set(who, 1)).status]).toEqual([who, 403])
  expect(await set('developer', 1)).toMatchObject({
    message: 'Task status updated successfully!',
    qa_issue: expect.arrayContaining([expect.objectContaining({ status: 1 })]),
  })
  expect(await set('adh', 0)).toMatchObject({ status: 403 })
  expect(await set('qa', 0)).toMatchObject({ status: 200 })
  const { activity } = (await as('admin').get(`/common/task/${id}`)).data
  expect(activity[0]).toMatchObject({
    type: 11,
    comment: 'Reopened: By super_admin',
    created_by: { first_name: 'Olena' },
  })
})

test("another task's issue, a task of the other discipline, and a deleted one are 404", async () => {
  const { as, db } = await startTestApp()
  const [id, other, design] = [
    await enterTask(db),
    await enterTask(db),
    await enterTask(db, { discipline: 'designer' }),
  ]
  const { qa_issue } = await as('qa').post('/common/task/task-issue', { task_id: id, task_issue: 'x' })
  expect(
    await as('developer').post('/common/task/update-task-issue-status', {
      id: qa_issue[0].id,
      status: 1,
      task_id: other,
    }),
  ).toMatchObject({ status: 404 })
  expect(await as('qa').post('/common/task/task-issue', { task_id: design, task_issue: 'x' })).toMatchObject({
    status: 404,
  })
  expect(await as('developer').post('/common/task/developer-report', report(design, 1))).toMatchObject({
    status: 404,
  })
})

test('an issue notifies the people that it mentions, and leads to the issue', async () => {
  const { as, db } = await startTestApp({ env: { PUBLIC_URL: 'https://panel.example' } })
  const id = await enterTask(db, { title: 'Fix the scanner' })
  const path = '/common/task/task-issue'
  const offered = (await as('qa').get(`/admin/general/notes/task/${id}/staff`))['data'] as { id: number }[]
  expect(offered.map((one) => one.id)).toContain(as('developer').id)
  const { qa_issue } = await as('qa').post(path, {
    task_id: id,
    task_issue: '@Mei Tanaka the beep is late',
    tag_user: [as('developer').id],
  })
  expect(await as('developer').get('/admin/notices')).toMatchObject({
    data: [
      {
        who: 'Olena Shevchenko',
        record_type: 'task',
        record_id: id,
        anchor: `issue-${qa_issue[0].id}`,
        title: 'Fix the scanner',
        words: '@Mei Tanaka the beep is late',
      },
    ],
  })
  expect(await db.selectFrom('mails').select('text').executeTakeFirstOrThrow()).toMatchObject({
    text: expect.stringContaining(`/dashboard?task=${id}#issue-${qa_issue[0].id}`),
  })
})

test('an issue that mentions someone who cannot open the task is refused and not stored', async () => {
  const { as, db } = await startTestApp()
  const id = await enterTask(db)
  expect(
    await as('qa').post('/common/task/task-issue', {
      task_id: id,
      task_issue: 'The beep is late',
      tag_user: [as('editor').id],
    }),
  ).toMatchObject({ status: 422, errors: { tag_user: [expect.any(String)] } })
  expect(await db.selectFrom('task_issues').select('id').execute()).toEqual([])
})
