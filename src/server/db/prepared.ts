import { compileFunction } from 'node:vm'
import pg from 'pg'
import { typesForJson } from '#server/db/types.ts'

/*
 * For every result, node-postgres asks PostgreSQL for the columns and copies each row from an object that V8
 * keeps as a dictionary. The columns of a prepared statement never change (PostgreSQL refuses to run it
 * otherwise), so we ask once per connection and build rows with a function compiled for them:
 * docs/decisions/006-what-a-request-costs.md.
 */

type Row = Record<string, unknown>
type ReadRow = (values: readonly (string | null)[]) => Row

interface Columns {
  fields: pg.FieldDef[]
  readRow: ReadRow
}

/** Columns of the statements that a connection has prepared, keyed by statement name. */
export type KnownColumns = Map<string, Columns>

/** Parts of node-postgres that are missing from its type definitions. */
interface ConnectionOfPg {
  describe(what: object): void
}
interface QueryOfPg {
  name: string
  _result: { fields: pg.FieldDef[]; parseRow: ReadRow }
  _accumulateRows: boolean
  prepare(connection: ConnectionOfPg): void
  handleRowDescription(message: { fields: pg.FieldDef[] }): void
}
const QueryOfPg = pg.Query as unknown as new (text: string, values: readonly unknown[]) => QueryOfPg

/** A named prepared statement. */
export class PreparedQuery extends QueryOfPg {
  readonly #known: KnownColumns

  constructor(name: string, text: string, values: readonly unknown[], known: KnownColumns) {
    super(text, values)
    this.name = name
    this.#known = known
  }

  override prepare(connection: ConnectionOfPg): void {
    const columns = this.#known.get(this.name)
    if (columns) this.#readBy(columns)
    super.prepare(columns ? withoutDescribing(connection) : connection)
  }

  override handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    super.handleRowDescription(message)
    const columns = { fields: message.fields, readRow: readerOf(message.fields) }
    this.#known.set(this.name, columns)
    this.#readBy(columns)
  }

  #readBy({ fields, readRow }: Columns): void {
    this['_result'].fields = fields
    this['_result'].parseRow = readRow
    this['_accumulateRows'] = true
  }
}

/** Compiled readers, keyed by column names and types and shared by all connections. */
const readers = new Map<string, ReadRow>()

/**
 * Compiles a reader that builds a row as an object literal. V8 gives such rows a single shape, which takes a
 * tenth of the time of setting each property by name.
 */
function readerOf(fields: readonly pg.FieldDef[]): ReadRow {
  const key = fields.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join('\n')
  let reader = readers.get(key)
  if (!reader) {
    const parsers = fields.map(
      ({ dataTypeID }) => typesForJson.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    )
    const names = fields.map((_, index) => `parse${index}`)
    const properties = fields.map(
      ({ name }, index) =>
        `[${JSON.stringify(name)}]: values[${index}] === null ? null : parse${index}(values[${index}])`,
    )
    reader = compileFunction(
      `return (values) => ({ ${properties.join(', ')} })`,
      names,
    )(...parsers) as ReadRow
    readers.set(key, reader)
  }
  return reader
}

const quiet = new WeakMap<ConnectionOfPg, ConnectionOfPg>()

function withoutDescribing(connection: ConnectionOfPg): ConnectionOfPg {
  let same = quiet.get(connection)
  if (!same)
    quiet.set(
      connection,
      (same = Object.create(connection, { describe: { value: () => {} } }) as ConnectionOfPg),
    )
  return same
}
