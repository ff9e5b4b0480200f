import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const all = (db: Db) => db.selectFrom('holidays').select(['day', 'name']).orderBy('day').execute()

export function holidayRoutes(app: App): void {
  implement(app, holidays.all, async (_input, { db }) => ({ data: await all(db) }))

  implement(app, holidays.save, async ({ body }, { db, changed }) => {
    await db
      .insertInto('holidays')
      .values(body)
      .onConflict((on) => on.column('day').doUpdateSet({ name: body.name }))
      .execute()
    changed('holidays', [])
    return { message: 'Holiday saved.', data: await all(db) }
  })

  implement(app, holidays.remove, async ({ params }, { db, changed }) => {
    const { numDeletedRows } = await db
      .deleteFrom('holidays')
      .where('day', '=', params.day)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('Holiday not found.')
    changed('holidays', [])
    return { message: 'Holiday removed.', data: await all(db) }
  })
}
