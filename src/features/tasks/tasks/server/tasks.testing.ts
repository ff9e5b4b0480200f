import type { Insertable } from 'kysely'
import type { Database, Db } from '#server/db/db.ts'

/** Inserts a task for tests. */
export async function enterTask(
  db: Db,
  values: Partial<Insertable<Database['tasks']>> = {},
): Promise<number> {
  const { id } = await db
    .insertInto('tasks')
    .values({ discipline: 'development', product_id: 1, title: 'Sort the racks', ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
