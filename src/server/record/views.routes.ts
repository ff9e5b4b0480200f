import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { allows, type Viewer } from '#shared/endpoint.ts'
import { listAccess } from '#shared/list-access.ts'
import { views, type SavedView } from '#shared/views.contract.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notAllowed, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

/** Maximum number of saved views per user and list. */
const mostViews = 50

/** Implements the saved views of lists. */
export function viewRoutes(app: App): void {
  implement(app, views.list, async ({ query }, { db, viewer }) => ({
    data: await findViews(db, query.list, viewer),
  }))
  implement(app, views.save, saveView)
  implement(app, views.update, updateView)

  implement(app, views.setDefault, async ({ params, body }, { db, viewer, changed }) => {
    const { list } = await lockView(db, params.id, viewer)
    await setDefault(db, list, params.id, body.is_default, viewer)
    changed('views', [])
    return {
      message: body.is_default ? 'The list opens with this view.' : 'The list opens without a view.',
      data: await findViews(db, list, viewer),
    }
  })

  implement(app, views.remove, async ({ params }, { db, viewer, changed }) => {
    const view = await lockView(db, params.id, viewer)
    if (!mayChange(view, viewer)) throw notAllowed('Only its owner or an Admin can delete this view.')
    await db.deleteFrom('saved_views').where('id', '=', params.id).execute()
    changed('views', [])
    return { message: 'View deleted.', data: await findViews(db, view.list, viewer) }
  })
}

const saveView: Handler<typeof views.save> = async ({ body }, { db, viewer, changed }) => {
  const { list, path, name, shared, is_default, address, hidden_columns, shown_columns } = body
  if (!Object.hasOwn(listAccess, list)) throw invalid('list', 'This list doesn’t exist.')
  if (!mayOpenList(list, viewer)) throw notAllowed()
  await assertRoomForView(db, list, viewer)
  await assertNewName(db, { list, staff_id: viewer.id, id: 0 }, name)
  const { id } = await db
    .insertInto('saved_views')
    .values({
      list,
      name,
      staff_id: viewer.id,
      path,
      shared,
      address: JSON.stringify(address),
      hidden_columns: hidden_columns && JSON.stringify(hidden_columns),
      shown_columns: shown_columns && JSON.stringify(shown_columns),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (is_default) await setDefault(db, list, id, true, viewer)
  changed('views', [])
  return { message: 'View saved.', id, data: await findViews(db, list, viewer) }
}

const updateView: Handler<typeof views.update> = async ({ params, body }, { db, viewer, changed }) => {
  const { version, name, shared, address, hidden_columns, shown_columns } = body
  const view = await lockView(db, params.id, viewer)
  if (!mayChange(view, viewer)) throw notAllowed('Only its owner or an Admin can change this view.')
  if (view.version !== version)
    throw conflict(
      'Someone else changed this view since you opened it. Open it again to see the change, or save yours as a new view.',
    )
  if (name !== undefined) await assertNewName(db, view, name)
  await db
    .updateTable('saved_views')
    .set({
      version: version + 1,
      changed_by: viewer.id,
      ...(name !== undefined && { name }),
      ...(shared !== undefined && { shared }),
      ...(address && { address: JSON.stringify(address) }),
      ...(hidden_columns && { hidden_columns: JSON.stringify(hidden_columns) }),
      ...(shown_columns && { shown_columns: JSON.stringify(shown_columns) }),
    })
    .where('id', '=', view.id)
    .execute()
  if (shared === false)
    await db
      .deleteFrom('default_views')
      .where('view_id', '=', view.id)
      .where('staff_id', '<>', view.staff_id)
      .execute()
  changed('views', [])
  return { message: 'View updated.', data: await findViews(db, view.list, viewer) }
}

/**
 * Locks a view that the viewer can see.
 * @throws HttpError 404 if there is none, 403 if the viewer can't open its list
 */
async function lockView(db: Db, id: number, viewer: Viewer) {
  const view = await db
    .selectFrom('saved_views')
    .select(['id', 'list', 'staff_id', 'shared', 'version'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!view || (view.staff_id !== viewer.id && !view.shared)) throw notFound('View not found.')
  if (!mayOpenList(view.list, viewer)) throw notAllowed()
  return view
}

const mayChange = (view: { staff_id: number; shared: boolean }, viewer: Viewer): boolean =>
  view.staff_id === viewer.id || (view.shared && isAdminRole(viewer.role_id))

/** Makes a view the one that the viewer's list opens with, or no view if it was this one. */
async function setDefault(db: Db, list: string, view_id: number, isDefault: boolean, viewer: Viewer) {
  if (isDefault)
    await db
      .insertInto('default_views')
      .values({ staff_id: viewer.id, list, view_id })
      .onConflict((on) => on.columns(['staff_id', 'list']).doUpdateSet({ view_id }))
      .execute()
  else
    await db
      .deleteFrom('default_views')
      .where('staff_id', '=', viewer.id)
      .where('view_id', '=', view_id)
      .execute()
}

/** @throws HttpError 422 if the owner of a view has another one of the same list with this name */
async function assertNewName(
  db: Db,
  { list, staff_id, id }: { list: string; staff_id: number; id: number },
  name: string,
): Promise<void> {
  const other = await db
    .selectFrom('saved_views')
    .select('id')
    .where('list', '=', list)
    .where('staff_id', '=', staff_id)
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (other) throw invalid('name', 'A view of this list has this name already. Enter another one.')
}

/** @throws HttpError 422 if a new view would exceed the number that one user can save for a list. */
async function assertRoomForView(db: Db, list: string, viewer: Viewer): Promise<void> {
  // Lock the user's row so that two of the user's tabs can't save a view at the same time.
  await sql`select from staff where id = ${viewer.id} for no key update`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*) as count from saved_views
    where list = ${list} and staff_id = ${viewer.id}`.execute(db)
  if (rows[0]!.count >= mostViews)
    throw invalid('name', `You already have ${mostViews} views of this list. Delete one to save another.`)
}

/** Returns the viewer's own saved views and those shared with them, of one list or of all, by name. */
export async function findViews(db: Db, list: string | undefined, viewer: Viewer): Promise<SavedView[]> {
  const { rows } =
    await sql<SavedView>`select v.id, v.list, v.path, v.name, v.shared, v.staff_id = ${viewer.id} as own, s.name as who,
      v.staff_id = ${viewer.id} or ${isAdminRole(viewer.role_id)}::boolean as may_change, v.version, case when c.id is not null then json_build_object('id', c.id, 'name', c.name) end as changed_by,
      exists (select from default_views d where d.staff_id = ${viewer.id} and d.list = v.list and d.view_id = v.id) as is_default, v.address, v.hidden_columns, v.shown_columns
    from saved_views v join staff s on s.id = v.staff_id left join staff c on c.id = v.changed_by
    where ${list === undefined ? sql`true` : sql`v.list = ${list}`} and (v.shared or v.staff_id = ${viewer.id}) order by lower(v.name), v.id`.execute(
      db,
    )
  return rows.filter((view) => view.own || mayOpenList(view.list, viewer))
}

const mayOpenList = (list: string, viewer: Viewer): boolean =>
  Object.hasOwn(listAccess, list) && allows(listAccess[list]!, viewer, { params: {}, query: {}, body: {} })
