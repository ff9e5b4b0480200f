import { sql } from 'kysely'
import { mentions } from '#features/panel/bell/contract.ts'
import { implement, type App } from '#server/http/implement.ts'

export function bellRoutes(app: App): void {
  implement(app, mentions.list, async (_input, { db, viewer }) => {
    const [listed, counted] = await Promise.all([
      db
        .selectFrom('mentions as m')
        .innerJoin('staff as s', 's.id', 'm.by_staff_id')
        .select(['m.id', 'm.record_type', 'm.record_id', 'm.title', 'm.words', 'm.created_at', 'm.read_at'])
        .select(sql<string>`s.first_name || ' ' || s.last_name`.as('who'))
        .where('m.staff_id', '=', viewer.id)
        .orderBy('m.id', 'desc')
        .limit(50)
        .execute(),
      db
        .selectFrom('mentions')
        .select((of) => of.fn.countAll<number>().as('unread'))
        .where('staff_id', '=', viewer.id)
        .where('read_at', 'is', null)
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
