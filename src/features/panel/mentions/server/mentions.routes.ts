import { sql } from 'kysely'
import { mentions } from '#features/panel/mentions/contract.ts'
import { implement, type App } from '#server/http/implement.ts'
import { inScope } from '#server/record/scope.ts'

/** Registers the endpoints for the viewer's own mentions. */
export function mentionRoutes(app: App): void {
  implement(app, mentions.list, async (_input, { db, viewer }) => {
    const exists = inScope(app.records.all(), viewer, { type: 'm.record_type', id: 'm.record_id' })
    const [listed, counted] = await Promise.all([
      db
        .selectFrom('mentions as m')
        .innerJoin('staff as s', 's.id', 'm.by_staff_id')
        .select(['m.id', 'm.record_type', 'm.record_id', 'm.title', 'm.words', 'm.created_at', 'm.read_at'])
        .select('s.name as who')
        .where('m.staff_id', '=', viewer.id)
        .where(exists)
        .orderBy('m.id', 'desc')
        .limit(50)
        .execute(),
      db
        .selectFrom('mentions as m')
        .select((of) => of.fn.countAll<number>().as('unread'))
        .where('m.staff_id', '=', viewer.id)
        .where('m.read_at', 'is', null)
        .where(exists)
        .executeTakeFirstOrThrow(),
    ])
    return { unread: counted.unread, data: listed }
  })

  implement(app, mentions.read, async ({ body }, { db, viewer, afterCommit }) => {
    await db
      .updateTable('mentions')
      .set({ read_at: sql<string>`now()` })
      .where('staff_id', '=', viewer.id)
      .where('id', '<=', body.id)
      .where('read_at', 'is', null)
      .execute()
    afterCommit(() => app.live.publish(`private-staff.${viewer.id}`, 'mentions', {}))
    return { message: 'Marked as read.' }
  })
}
