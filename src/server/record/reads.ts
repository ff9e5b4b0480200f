import { sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import type { FastifyReply } from 'fastify'
import type { Viewer } from '#shared/endpoint.ts'
import { csvOf, type Fields } from '#shared/field.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { conditionsOf, findPage, replyCsv, type FilterConditions } from '#server/record/list.ts'
import { nameOfType } from '#server/record/record.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/** A part of a statement, or a function of the viewer that returns it. */
type Part = string | ((viewer: Viewer) => RawBuilder<unknown>)

/** The columns of the records of a type, as SQL over its table `r`. */
interface Rows {
  kind: Pick<RecordKind, 'type' | 'table' | 'id' | 'visibility'>
  /** The columns of a row. */
  columns: Part
  /** Further columns, which only a whole record has. */
  details?: Part
  joins?: Part
}

/** How the records of a type are read. */
interface Reads<Filters, Reader> extends Rows {
  /** Which records the list can have; by default, those that the viewer can see. */
  scope?: (filters: Partial<Filters>, reader: Reader) => RawBuilder<unknown>
  conditions: FilterConditions<Filters> | ((reader: Reader) => FilterConditions<Filters>)
  order: (filters: Filters) => RawBuilder<unknown>
  perPage: number
  /** The file that the list is exported to, and its columns if they differ from those of the list. */
  csv?: { name: string; fields: Fields; columns?: Part }
}

type Slice = Record<'where' | 'order' | 'limit', RawBuilder<unknown>>

const part = (one: Part | undefined, viewer: Viewer) =>
  typeof one === 'function' ? one(viewer) : sql.raw(one ?? '')

const tableOf = ({ table }: Rows['kind']) => sql`${sql.table(table)} r`

const seenBy = (kind: Rows['kind'], viewer: Viewer) => sql`r.deleted_at is null and ${scopeOf(kind, viewer)}`

/** Returns the functions that read rows under any condition, and one record. */
function rowsOf<Row extends object, Details extends object>({ kind, columns, details, joins }: Rows) {
  const table = tableOf(kind)
  /** Selects rows from a subquery, in an order. */
  const rowsFrom = (source: RawBuilder<unknown>, order: RawBuilder<unknown>, viewer: Viewer) =>
    sql<Row>`select ${part(columns, viewer)} from ${source} r ${part(joins, viewer)} order by ${order}`

  const get = async <More extends object>(db: Db, id: number, viewer: Viewer, more: RawBuilder<unknown>) => {
    const { rows } =
      await sql<More>`select ${part(columns, viewer)}${more} from ${table} ${part(joins, viewer)}
      where r.${sql.ref(idOf(kind))} = ${id} and ${seenBy(kind, viewer)}`.execute(db)
    if (!rows[0]) throw notFound(`${nameOfType(kind)} not found.`)
    return rows[0]
  }

  return {
    rowsFrom,
    /** Selects the rows that meet a condition, up to a limit. */
    select: ({ where, order, limit }: Slice, viewer: Viewer) =>
      rowsFrom(sql`(select r.* from ${table} where ${where} order by ${order} ${limit})`, order, viewer),
    /**
     * Returns a row.
     * @throws HttpError 404
     */
    row: (db: Db, id: number, viewer: Viewer) => get<Row>(db, id, viewer, sql``),
    /**
     * Returns a row with the details of a whole record.
     * @throws HttpError 404
     */
    whole: (db: Db, id: number, viewer: Viewer) =>
      get<Row & Details>(db, id, viewer, sql`, ${part(details, viewer)}`),
  }
}

/**
 * Returns the functions that read the records of a type: a page, the CSV, one row, and one whole record. The rows of a
 * page are chosen before they are joined, so that joins and subqueries are computed only for them.
 */
export function readsOf<
  Row extends object,
  Filters extends object,
  Details extends object = object,
  Reader extends Viewer = Viewer,
>(reads: Reads<Filters, Reader>) {
  const { kind, perPage } = reads
  const rows = rowsOf<Row, Details>(reads)
  const table = tableOf(kind)

  /** Returns the condition for the records that match filters. */
  const matching = (filters: Partial<Filters>, reader: Reader): RawBuilder<unknown> => {
    const { scope, conditions } = reads
    const all = scope ? sql`r.deleted_at is null and ${scope(filters, reader)}` : seenBy(kind, reader)
    const each = typeof conditions === 'function' ? conditions(reader) : conditions
    return sql.join([all, ...conditionsOf<Filters>(filters, each)], sql` and `)
  }

  /** Returns a page of the rows that meet a condition, and their number. */
  const pageOf = (db: Db, { page, where, order }: Omit<Slice, 'limit'> & { page: number }, viewer: Viewer) =>
    findPage(
      db,
      page,
      perPage,
      (limit) => rows.select({ where, order, limit }, viewer),
      sql`from ${table} where ${where}`,
    )

  return {
    ...rows,
    matching,
    pageOf,
    /** Returns a page of the rows that match filters. */
    page: (db: Db, filters: Filters & { page: number }, reader: Reader) => {
      const { page } = filters
      return pageOf(db, { page, where: matching(filters, reader), order: reads.order(filters) }, reader)
    },
    /** Handles the export of all rows that match filters. */
    export: (
      { query }: { query: Filters },
      { app, db, viewer, reply }: { app: { pool: pg.Pool }; db: Db; viewer: Reader; reply: FastifyReply },
    ) => {
      const { name, fields, columns = reads.columns } = reads.csv!
      const all = sql<Row>`select ${part(columns, viewer)} from ${table} ${part(reads.joins, viewer)}
        where ${matching(query, viewer)} order by ${reads.order(query)}`
      return replyCsv(app.pool, reply, name, all.compile(db), csvOf(fields))
    },
  }
}

/**
 * Returns the order of a list by the column and direction that its filters name; ties are sorted by `ties`, an ID.
 * Rows without a value in a column of `nullable` come last either way. Other columns take the plain direction: with
 * `nulls last`, a descending order couldn't use their index.
 */
export const sortedBy =
  <Column extends string>(
    sorts: Readonly<Record<Column, string>>,
    ties: string,
    nullable: readonly NoInfer<Column>[] = [],
  ) =>
  ({ column, direction }: { column: Column; direction: 'asc' | 'desc' }): RawBuilder<unknown> =>
    sql.raw(
      `${sorts[column]} ${direction}${nullable.includes(column) ? ' nulls last' : ''}, ${ties} ${direction}`,
    )
