import { sql } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import { allows, type Viewer } from '#shared/endpoint.ts'
import { listAccess, type ListName } from '#shared/list-access.ts'
import { records, views, type SavedView, type TrashedRecord } from '#shared/record.contract.ts'
import { counted, isRecordType, mayReadType, recordTypes, type RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notAllowed, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { findHistory, findNotes, writeNote } from '#server/record/history.queries.ts'
import { matchesSearch } from '#server/record/list.ts'
import { inBackground, restoreInBulk, runOperation, trashInBulk } from '#server/record/batches.ts'
import { findOperation, findOperations } from '#server/record/operations.ts'
import { isVisible, nameOfType } from '#server/record/record.ts'
import { findSkipped } from '#server/record/reversible.ts'
import { findProducts, type RecordKind } from '#server/record/rows.ts'
import { engineOf, operationQueue, undoOrRedo } from '#server/record/undo.ts'

/** Record types that the features have registered. */
export class RecordKinds {
  readonly #kinds = new Map<string, RecordKind>()

  /** Registers a record type; each feature calls this once per type. */
  register(kind: RecordKind): void {
    if (this.#kinds.has(kind.type)) throw new Error(`The record type ${kind.type} is registered twice`)
    this.#kinds.set(kind.type, kind)
  }

  /**
   * Returns the record kind for a type.
   * @throws HttpError 404 for a type that no feature has registered.
   */
  get = (type: string): RecordKind => {
    const kind = this.#kinds.get(type)
    if (!kind) throw notFound('This page doesn’t exist.')
    return kind
  }

  all = (): RecordKind[] => [...this.#kinds.values()]
}

const perPage = 20
/** Maximum number of saved views per user and list. */
const mostViews = 50
/** Queue of jobs that were sent before all types had one queue; one may still be waiting. */
const queueOfOldJobs = 'lead-operation'

/** Implements history, notes, trash, undo, and saved views for all record types. */
export function recordRoutes(app: App): void {
  const engine = engineOf(app)
  for (const queue of [operationQueue, queueOfOldJobs])
    app.jobs.on(queue, ({ id }: { id: number }) =>
      runOperation(app.db, engine, id, ({ staff_id, changed }) => {
        for (const { type, ids, left } of changed) app.live.changed(type, ids, staff_id, undefined, left)
      }),
    )
  /** Returns the check whether a viewer can see a record, by the permission and the scope of its type. */
  const mayRead = (type: RecordType) => (db: Db, id: number, viewer: Viewer) =>
    mayReadType(type, viewer) && isVisible(db, app.records.get(type), id, viewer)
  const historyOf = (kind: RecordKind, id: number, viewer: Viewer) => ({
    kind,
    ids: kind.relatedIds?.(id) ?? sql`${id}::int`,
    viewer,
    accessOf: engine.accessOf,
  })
  for (const type of Object.keys(recordTypes) as RecordType[]) {
    app.live.allowRecords(
      type,
      (viewer) => mayReadType(type, viewer),
      (ids) => findProducts(app.db, app.records.get(type), ids),
    )
    app.live.allowPresence(type, (id, viewer) => mayRead(type)(app.db, id, viewer))
  }
  app.files.defaultReader = (type) => (isRecordType(type) ? mayRead(type) : undefined)
  app.mail.defaultReader = app.files.defaultReader

  implement(app, records.history, async ({ params: { type, id }, query }, { db, viewer }) => {
    const kind = app.records.get(type)
    await demandVisible(db, kind, id, viewer)
    if (kind.mayReadHistory?.(viewer) === false) return { data: [], hidden: true }
    return { data: await findHistory(db, historyOf(kind, id, viewer), query.before), hidden: false }
  })

  implement(app, records.notes, async ({ params: { a, b } }, { db, viewer }) => {
    const kind = app.records.get(a)
    await demandVisible(db, kind, b, viewer)
    return { data: await findNotes(db, historyOf(kind, b, viewer)) }
  })

  implement(app, records.addNote, async ({ params: { a, b }, body }, context) => {
    const done = await writeNote(context, app.records.get(a), b, body.note)
    return { message: 'Note added.', ...done }
  })

  implement(app, records.trash, ({ params, query }, { db, viewer }) =>
    findTrash(db, app.records.get(params.type), viewer, query),
  )

  implement(app, records.remove, async ({ params, body }, context) => {
    const { operation, leftOut, running } = await trashInBulk(context, app.records.get(params.type), body.ids)
    return { message: running ? inBackground : `${operation!.summary}.${leftOut}`, operation }
  })

  implement(app, records.restore, async ({ params: { type }, body }, context) => {
    const kind = app.records.get(type)
    if ((body.ids === undefined) === (body.search === undefined))
      throw invalid('ids', 'Send either `ids` or `search`.')
    const ids = body.ids ?? (await idsInTrash(context.db, kind, context.viewer, body.search!))
    const { changed: restored, kept, running, operation } = await restoreInBulk(context, kind, ids)
    const left = kept.length
      ? ` ${kept.length} couldn’t be restored because another record is using the same name or key.`
      : ''
    const done = `Restored: ${counted(type, restored.length)}.${left}`
    return { message: running ? inBackground : done, restored, operation }
  })

  implement(app, records.operations, ({ query }, { db, viewer }) =>
    findOperations(db, viewer, app.records.all(), query),
  )

  implement(app, records.operation, async ({ params: { id } }, { db, viewer }) => {
    const data = await findOperation(db, viewer, app.records.all(), { id })
    const { data: skipped, total } = await findSkipped(db, app.records.get(data.record_type), data, viewer)
    return { data, skipped, skipped_total: total }
  })

  implement(app, records.undo, async ({ params }, context) => {
    const { turned: undone, ...done } = await undoOrRedo(context, engine, params.id, 'undo')
    return { undone, ...done }
  })

  implement(app, records.redo, async ({ params }, context) => {
    const { turned: redone, ...done } = await undoOrRedo(context, engine, params.id, 'redo')
    return { redone, ...done }
  })

  implement(app, views.list, async ({ query }, { db, viewer }) => ({
    data: await findViews(db, query.list, viewer),
  }))

  implement(
    app,
    views.save,
    async ({ body: { list, path, name, shared, is_default, address, hidden_columns } }, { db, viewer }) => {
      const values = {
        path,
        shared,
        address: JSON.stringify(address),
        hidden_columns: hidden_columns && JSON.stringify(hidden_columns),
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
      return { message: 'View saved.', data: await findViews(db, list, viewer) }
    },
  )

  implement(app, views.remove, async ({ params }, { db, viewer }) => {
    const view = await db.selectFrom('saved_views').selectAll().where('id', '=', params.id).executeTakeFirst()
    const isOwn = view?.staff_id === viewer.id
    if (!view || (!isOwn && !view.shared)) throw notFound('View not found.')
    if (!isOwn && !isAdminRole(viewer.role_id))
      throw notAllowed('Only an Admin can delete someone else’s view.')
    await db.deleteFrom('saved_views').where('id', '=', params.id).execute()
    return { message: 'View deleted.', data: await findViews(db, view.list, viewer) }
  })
}

async function demandVisible(db: Db, kind: RecordKind, id: number, viewer: Viewer): Promise<void> {
  if (!(await isVisible(db, kind, id, viewer))) throw notFound(`${nameOfType(kind)} not found.`)
}

const inTrash = (
  kind: RecordKind,
  viewer: Viewer,
  search: string,
) => sql`r.deleted_at is not null and ${kind.scope ? kind.scope(viewer) : sql`true`}
  and ${matchesSearch(sql`search_text(${sql.raw(kind.name)})`, search)}`

async function findTrash(
  db: Db,
  kind: RecordKind,
  viewer: Viewer,
  { page, search }: { page: number; search: string },
): Promise<{ data: TrashedRecord[]; total: number; per_page: number }> {
  const where = inTrash(kind, viewer, search)
  const own = sql.ref(`r.${kind.id ?? 'id'}`)
  const [{ rows }, total] = await Promise.all([
    sql<TrashedRecord>`select ${own} as id, ${sql.raw(kind.name)} as name, r.deleted_at, coalesce((select s.name from staff s where s.id = r.deleted_by), 'System') as deleted_by
      from ${sql.table(kind.table)} r where ${where} order by r.deleted_at desc, ${own} desc limit ${perPage} offset ${(page - 1) * perPage}`.execute(
      db,
    ),
    sql<{ total: number }>`select count(*) as total from ${sql.table(kind.table)} r where ${where}`.execute(
      db,
    ),
  ])
  return { data: rows, total: total.rows[0]!.total, per_page: perPage }
}

async function idsInTrash(db: Db, kind: RecordKind, viewer: Viewer, search: string): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`r.${kind.id ?? 'id'}`)} as id from ${sql.table(kind.table)} r
    where ${inTrash(kind, viewer, search)} order by 1`.execute(db)
  return rows.map(({ id }) => id)
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

async function findViews(db: Db, list: string | undefined, viewer: Viewer): Promise<SavedView[]> {
  const { rows } =
    await sql<SavedView>`select v.id, v.list, v.path, v.name, v.shared, v.staff_id = ${viewer.id} as own, s.name as who,
      exists (select from default_views d where d.staff_id = ${viewer.id} and d.list = v.list and d.view_id = v.id) as is_default, v.address, v.hidden_columns
    from saved_views v join staff s on s.id = v.staff_id where ${list === undefined ? sql`true` : sql`v.list = ${list}`} and (v.shared or v.staff_id = ${viewer.id}) order by lower(v.name), v.id`.execute(
      db,
    )
  return rows.filter((view) => view.own || mayOpenList(view.list, viewer))
}

const mayOpenList = (list: string, viewer: Viewer): boolean =>
  Object.hasOwn(listAccess, list) &&
  allows(listAccess[list as ListName], viewer, { params: {}, query: {}, body: {} })
