import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { records, type TrashedRecord } from '#shared/record.contract.ts'
import {
  counted,
  isRecordType,
  liveNameOf,
  mayReadType,
  recordTypeNames,
  recordTypes,
  type RecordType,
} from '#shared/records.ts'
import type { WritingEvent } from '#shared/writing.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findHistory } from '#server/record/history.queries.ts'
import { findPage, matchesSearch } from '#server/record/list.ts'
import { findCards } from '#server/record/cards.ts'
import { idsOf } from '#server/record/notes.queries.ts'
import { noteRoutes } from '#server/record/notes.routes.ts'
import { inBackground, restoreInBulk, trashInBulk } from '#server/record/batches.ts'
import { runOperation } from '#server/record/run-operation.ts'
import { findOperation } from '#server/record/operations.ts'
import { demandVisible, isVisible } from '#server/record/record.ts'
import { findSkipped } from '#server/record/reversible.ts'
import { findProducts, scopeOf, type RecordKind } from '#server/record/rows.ts'
import { engineOf, operationQueue, undoOrRedo, type Engine } from '#server/record/undo.ts'
import { viewRoutes } from '#server/record/views.routes.ts'

const perPage = 20
/** Queue of jobs that were sent before all types had one queue; one may still be waiting. */
const queueOfOldJobs = 'lead-operation'

/** Implements history, notes, trash, and undo for all record types. */
export function recordRoutes(app: App): void {
  const engine = engineOf(app)
  letReadersIn(app)
  timelineRoutes(app, engine)
  noteRoutes(app, engine)
  trashRoutes(app)
  operationRoutes(app, engine)
  viewRoutes(app)
}

/** Returns whether a viewer who can see a record can see its history. */
async function canReadHistory(db: Db, kind: RecordKind, id: number, viewer: Viewer): Promise<boolean> {
  const { history, visibility } = kind
  if (history?.mayRead?.(viewer) === false) return false
  if (!history?.scope) return true
  return isVisible(db, { ...kind, visibility: { ...visibility, scope: history.scope } }, id, viewer)
}

/** Opens the presence, files, and emails of records, and their live refresh by product, to those who can see the record. */
function letReadersIn(app: App): void {
  const mayRead = (type: RecordType) => (db: Db, id: number, viewer: Viewer) =>
    mayReadType(type, viewer) && isVisible(db, app.records.get(type), id, viewer)
  for (const type of recordTypeNames) {
    app.live.setProductsOf(liveNameOf(type), (ids) => findProducts(app.db, app.records.get(type), ids))
    if (!('presence' in recordTypes[type]))
      app.live.allowPresence(type, (id, viewer) => mayRead(type)(app.db, id, viewer))
  }
  app.files.defaultReader = (type) => (isRecordType(type) ? mayRead(type) : undefined)
  app.mail.access.defaultReader = app.files.defaultReader
}

function timelineRoutes(app: App, { accessOf }: Engine): void {
  implement(app, records.history, async ({ params: { type, id }, query }, { db, viewer }) => {
    const kind = app.records.get(type)
    await demandVisible(db, kind, id, viewer)
    if (!(await canReadHistory(db, kind, id, viewer))) return { data: [], hidden: true }
    const of = { kind, id, ids: idsOf(kind, id), viewer, accessOf }
    return { data: await findHistory(db, of, query.before), hidden: false }
  })

  implement(app, records.writing, async ({ params: { type, id }, body }, { db, viewer }) => {
    await demandVisible(db, app.records.get(type), id, viewer)
    const channel = `private-${type}.${id}`
    const what = body.stopped ? null : body.what
    const event: WritingEvent = { channel, id: viewer.id, name: viewer.name, what }
    app.live.publish(channel, 'writing', event)
    return { message: 'Announced.' }
  })

  implement(app, records.cards, async ({ query }, { db, viewer }) => ({
    data: await findCards(db, app.records.all(), query.records, viewer),
  }))
}

function trashRoutes(app: App): void {
  implement(app, records.trash, ({ params, query }, { db, viewer }) =>
    findTrash(db, app.records.withTrash(params.type), viewer, query),
  )

  implement(app, records.remove, async ({ params, body }, context) => {
    const { operation, leftOut, running } = await trashInBulk(
      context,
      app.records.withTrash(params.type),
      body.ids,
    )
    return { message: running ? inBackground : `${operation!.summary}.${leftOut}`, operation }
  })

  implement(app, records.restore, async ({ params: { type }, body }, context) => {
    const kind = app.records.withTrash(type)
    if ((body.ids === undefined) === (body.search === undefined))
      throw invalid('ids', 'Send either `ids` or `search`.')
    const ids = body.ids ?? (await idsInTrash(context.db, kind, context.viewer, { search: '', ...body }))
    const { changed: restored, kept, running, operation } = await restoreInBulk(context, kind, ids)
    const change = { kind: 'restore' }
    if (operation && !running)
      await app.records.afterBulk(kind.type)?.(context, { operation_id: operation.id, change, ids: restored })
    const left = kept.length
      ? ` ${kept.length} couldn’t be restored because another record is using the same name or key.`
      : ''
    const done = `Restored: ${counted(type, restored.length)}.${left}`
    return { message: running ? inBackground : done, restored, operation }
  })
}

function operationRoutes(app: App, engine: Engine): void {
  for (const queue of [operationQueue, queueOfOldJobs])
    app.jobs.on(queue, ({ id }: { id: number }) =>
      runOperation(app.db, engine, id, ({ staff_id, changed, actions }) => {
        for (const { type, ids, left } of changed) app.live.changed(type, ids, staff_id, undefined, left)
        for (const action of actions) action()
      }),
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
}

interface Wanted {
  search: string
  id?: number | undefined
  product?: number | undefined
}

function inTrash(kind: RecordKind, viewer: Viewer, { search, id, product }: Wanted) {
  const products = kind.visibility?.products
  const ofProduct =
    products && product !== undefined ? sql`${product} = any(${sql.raw(products.of)})` : sql`true`
  const matches = kind.trash?.find
    ? matchesSearch(sql.raw(kind.trash.find.search), search, { phones: true })
    : matchesSearch(sql`search_text(${sql.raw(kind.name)})`, search)
  const inScope = scopeOf(kind, viewer)
  const isIt = id === undefined ? sql`true` : sql`${sql.ref(`r.${kind.id ?? 'id'}`)} = ${id}`
  return sql`r.deleted_at is not null and ${inScope} and ${ofProduct} and ${matches} and ${isIt}`
}

function findTrash(
  db: Db,
  kind: RecordKind,
  viewer: Viewer,
  { page, ...wanted }: Wanted & { page: number },
): Promise<{ data: TrashedRecord[]; total: number; per_page: number }> {
  const where = inTrash(kind, viewer, wanted)
  const own = sql.ref(`r.${kind.id ?? 'id'}`)
  const mergedInto = kind.mergedInto ? sql.ref(`r.${kind.mergedInto}`) : sql`null::int`
  const from = sql`from ${sql.table(kind.table)} r where ${where}`
  return findPage(
    db,
    page,
    perPage,
    (limit) =>
      sql<TrashedRecord>`select ${own} as id, ${sql.raw(kind.name)} as name, ${sql.raw(kind.trash?.find?.note ?? `''`)} as note, r.deleted_at, coalesce((select s.name from staff s where s.id = r.deleted_by), 'System') as deleted_by, ${mergedInto} as merged_into
        ${from} order by r.deleted_at desc, ${own} desc ${limit}`,
    from,
  )
}

async function idsInTrash(db: Db, kind: RecordKind, viewer: Viewer, wanted: Wanted): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`r.${kind.id ?? 'id'}`)} as id from ${sql.table(kind.table)} r
    where ${inTrash(kind, viewer, wanted)} order by 1`.execute(db)
  return rows.map(({ id }) => id)
}
