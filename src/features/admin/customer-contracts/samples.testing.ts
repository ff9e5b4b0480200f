import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { create } from '#features/admin/customer-contracts/server/contracts.testing.ts'

export const samples: Samples = {
  'POST /admin/create_contract': () => ({ input: { title: 'Supply' } }),
  'POST /admin/update_contract/{id}': async ({ started }) => ({
    input: {},
    params: { id: String(await create(started.db)) },
  }),
}

export const records: RecordSamples = { contract: textFields('title', 'content') }
