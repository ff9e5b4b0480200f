import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'

const path = '/common/quick-task'
export const notFree = /^(filters\..*|entity)$/

export const samples: Samples = {
  [`POST ${path}/snooze/{id}`]: () => ({ input: { due_date: '2026-03-20' } }),
  [`POST ${path}/many`]: async ({ started }) => {
    const { data } = await started.as('super_admin').post(path, { title: 'Call' })
    return { input: { ids: [data.id], status: 1 } }
  },
  [`POST ${path}`]: () => ({ input: { title: 'Call' } }),
  [`PUT ${path}/{id}`]: async ({ started }) => {
    const { data } = await started.as('super_admin').post(path, { title: 'Call' })
    return { input: {}, params: { id: String(data.id) } }
  },
}

export const records: RecordSamples = { quick_task: textFields('title', 'text') }
