import type { Db } from '#server/db/db.ts'

/** Inserts a contract, for tests. */
export async function create(db: Db, title = 'Supply'): Promise<number> {
  const { id } = await db
    .insertInto('customer_contracts')
    .values({ title })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
