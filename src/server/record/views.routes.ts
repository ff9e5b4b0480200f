import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { allows, type Viewer } from '#shared/endpoint.ts'
import { listAccess } from '#shared/list-access.ts'
import { views, type SavedView } from '#shared/record.contract.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notAllowed, notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

/** Maximum number of saved views per user and list. */
const mostViews = 50

/** Implements the saved views of lists. */
export function viewRoutes(app: App): void {
  implement(app, views.list, async ({ query }, { db, viewer }) => ({
    data: await findViews(db, query.list, viewer),
  }))

  implement(
    app,
    views.save,
    async (
      { body: { list, path, name, shared, is_default, address, hidden_columns, shown_columns } },
      { db, viewer, changed },
    ) => {
      const values = {
        path,
        shared,
        address: JSON.stringify(address),
        hidden_columns: hidden_columns && JSON.stringify(hidden_columns),
        shown_columns: shown_columns && JSON.stringify(shown_columns),
      }
      await assertRoomForView(db, list, name, viewer)
      const { id } = await db
        .insertInto('saved_views')
        .values({ list, name, staff_id: viewer.id, ...values })
        .onConflict((on) => on.columns(['list', 'staff_id', 'name']).doUpdateSet(values))
        .returning('id')
        .executeTakeFirstOrThrow()
      if (is_default)
        await db
          .insertInto('default_views')
          .values({ staff_id: viewer.id, list, view_id: id })
          .onConflict((on) => on.columns(['staff_id', 'list']).doUpdateSet({ view_id: id }))
          .execute()
      else
        await db
          .deleteFrom('default_views')
          .where('staff_id', '=', viewer.id)
          .where('view_id', '=', id)
          .execute()
      changed('views', [])
      return { message: 'View saved.', data: await findViews(db, list, viewer) }
    },
  )

  implement(app, views.remove, async ({ params }, { db, viewer, changed }) => {
    const view = await db.selectFrom('saved_views').selectAll().where('id', '=', params.id).executeTakeFirst()
    const isOwn = view?.staff_id === viewer.id
    if (!view || (!isOwn && !view.shared)) throw notFound('View not found.')
    if (!isOwn && !isAdminRole(viewer.role_id))
      throw notAllowed('Only an Admin can delete someone else’s view.')
    await db.deleteFrom('saved_views').where('id', '=', params.id).execute()
    changed('views', [])
    return { message: 'View deleted.', data: await findViews(db, view.list, viewer) }
  })
}

/** @throws HttpError 422 if a new view would exceed the number that one user can save for a list. */
async function assertRoomForView(db: Db, list: string, name: string, viewer: Viewer): Promise<void> {
  // Lock the user's row so that two of the user's tabs can't save a view at the same time.
  await sql`select from staff where id = ${viewer.id} for no key update`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*) as count from saved_views
    where list = ${list} and staff_id = ${viewer.id} and name <> ${name}`.execute(db)
  if (rows[0]!.count >= mostViews)
    throw invalid('name', `You already have ${mostViews} views of this list. Delete one to save another.`)
}

/** Returns the viewer's own saved views and those shared with them, of one list or of all, by name. */
export async function findViews(db: Db, list: string | undefined, viewer: Viewer): Promise<SavedView[]> {
  const { rows } =
    await sql<SavedView>`select v.id, v.list, v.path, v.name, v.shared, v.staff_id = ${viewer.id} as own, s.name as who,
      exists (select from default_views d where d.staff_id = ${viewer.id} and d.list = v.list and d.view_id = v.id) as is_default, v.address, v.hidden_columns, v.shown_columns
    from saved_views v join staff s on s.id = v.staff_id where ${list === undefined ? sql`true` : sql`v.list = ${list}`} and (v.shared or v.staff_id = ${viewer.id}) order by lower(v.name), v.id`.execute(
      db,
    )
  return rows.filter((view) => view.own || mayOpenList(view.list, viewer))
}

const mayOpenList = (list: string, viewer: Viewer): boolean =>
  Object.hasOwn(listAccess, list) && allows(listAccess[list]!, viewer, { params: {}, query: {}, body: {} })
