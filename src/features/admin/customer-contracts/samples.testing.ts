import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import type { Db } from '#server/db/db.ts'

const insertContract = async (db: Db): Promise<number> =>
  (
    await db
      .insertInto('customer_contracts')
      .values({ title: 'Supply' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

export const samples: Samples = {
  'POST /admin/create_contract': () => ({ input: { title: 'Supply' } }),
  'POST /admin/update_contract/{id}': async ({ started }) => ({
    input: {},
    params: { id: String(await insertContract(started.db)) },
  }),
}

export const records: RecordSamples = { contract: textFields('title', 'content') }
