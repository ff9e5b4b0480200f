import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { disciplineNames, disciplineOf } from '#features/tasks/tasks/rules.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const both = (samples: (path: string, of: (typeof disciplineNames)[number]) => Samples): Samples =>
  Object.assign({}, ...disciplineNames.map((name) => samples(disciplineOf(name).path, name))) as Samples

export const samples: Samples = {
  ...both((path, discipline) => ({
    [`POST ${path}/save`]: () => ({ input: { title: 'Sort the racks', product_id: 1 } }),
    [`POST ${path}/{id}`]: async ({ started }) => ({
      input: {},
      params: { id: String(await enterTask(started.db, { discipline })) },
    }),
    [`POST ${path}/extend-due-date/{id}`]: async ({ started }) => ({
      input: { due_date: '2026-05-01', comment: 'Parts are late' },
      params: { id: String(await enterTask(started.db, { discipline })) },
    }),
    [`POST ${path}/change-status/{id}`]: async ({ started }) => ({
      input: { status: 3, comment: 'Waiting' },
      params: { id: String(await enterTask(started.db, { discipline })) },
    }),
  })),
  'POST /common/task/developer-report': async ({ started }) => ({
    input: { task_id: await enterTask(started.db), task_details: [{ title: 'Racks', hours: 2 }] },
  }),
  'POST /common/task/task-issue': async ({ started }) => ({
    input: { task_id: await enterTask(started.db), task_issue: 'It does not open' },
  }),
}

export const records: RecordSamples = {
  task: textFields('title', 'description'),
  designer_task: textFields('title', 'description'),
}
