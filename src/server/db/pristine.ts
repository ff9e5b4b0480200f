import pg from 'pg'

/** A table as it was in the template. */
interface Table {
  name: string
  /** Columns that can be written: all but the generated ones. */
  columns: string
  rows: string
  /** Rows inserted, updated, and deleted so far. */
  changes: number
}

/** A test that changes more rows leaves the database with so many dead ones that a new one is faster. */
const maxChanges = 3000
/** After so many tests, dead rows slow down the next ones. */
const maxUses = 40

/**
 * Returns a test's database to the state of the template: only the tables and sequences that the test changed
 * are written, which takes a tenth of the time of creating a database. PostgreSQL counts the changes itself.
 */
export class PristineDatabase {
  readonly #client: pg.Client
  readonly #tables: ReadonlyMap<string, Table>
  readonly #sequences: ReadonlyMap<string, string | null>
  #catalog: string
  #uses = 0

  private constructor(
    client: pg.Client,
    tables: ReadonlyMap<string, Table>,
    sequences: ReadonlyMap<string, string | null>,
    catalog: string,
  ) {
    this.#client = client
    this.#tables = tables
    this.#sequences = sequences
    this.#catalog = catalog
  }

  /** Reads a database that is as the template, through a superuser's connection. */
  static async open(connection: pg.ClientConfig): Promise<PristineDatabase> {
    const client = await connectQuietly(connection)
    const { rows } = await client.query<{ id: string; name: string; columns: string }>(tablesQuery)
    const changes = await readChanges(client)
    const tables = new Map<string, Table>()
    for (const { id, name, columns } of rows) {
      const content = await client.query<{ rows: string }>(
        `select coalesce(json_agg(t), '[]')::text as rows from ${name} t`,
      )
      tables.set(id, { name, columns, rows: content.rows[0]!.rows, changes: changes.get(id) ?? 0 })
    }
    return new PristineDatabase(client, tables, await readSequences(client), await readCatalog(client))
  }

  /**
   * Undoes what a test did, after its connections were closed.
   * @returns false if the database cannot be used again
   */
  async restore(): Promise<boolean> {
    this.#uses += 1
    if (this.#uses > maxUses) return false
    await this.#client.query(endOthers)
    await this.#client.query('select pg_stat_clear_snapshot()')
    if ((await readCatalog(this.#client)) !== this.#catalog) return false
    const changes = await readChanges(this.#client)
    const changed = [...this.#tables].filter(([id, table]) => (changes.get(id) ?? 0) !== table.changes)
    if (changed.some(([id, table]) => changes.get(id)! - table.changes > maxChanges)) return false
    const sequences = await readSequences(this.#client)
    const moved = [...this.#sequences].filter(([name, value]) => sequences.get(name) !== value)
    await this.#client.query(
      [
        'begin',
        'set local session_replication_role = replica',
        ...changed.map(([, { name }]) => `delete from ${name}`),
        ...changed.filter(([, { rows }]) => rows !== '[]').map(([, table]) => insertOf(table)),
        ...moved.map(([name, value]) => `select setval('${name}', ${value ?? 1}, ${value !== null})`),
        'commit',
        'select pg_stat_force_next_flush()',
      ].join(';\n'),
    )
    await this.#client.query('select pg_stat_clear_snapshot()')
    const after = await readChanges(this.#client)
    for (const [id, table] of changed) table.changes = after.get(id) ?? 0
    return true
  }

  close(): Promise<void> {
    return this.#client.end()
  }
}

const insertOf = ({ name, columns, rows }: Table): string =>
  `insert into ${name} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${name}, ${pg.escapeLiteral(rows)})`

const tablesQuery = `select c.oid::text as id, format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`

/** Ends the connections that are left and waits for them, since their changes are counted when they end. */
const endOthers = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

async function readChanges(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: string; changes: string }>(
    'select relid::text as id, n_tup_ins + n_tup_upd + n_tup_del as changes from pg_stat_user_tables',
  )
  return new Map(rows.map(({ id, changes }) => [id, Number(changes)]))
}

async function readSequences(client: pg.Client): Promise<Map<string, string | null>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences`,
  )
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Counts what defines the schema: a test that changed it needs a new database. */
async function readCatalog(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ catalog: string }>(`select concat_ws(' ',
    (select sum(oid::bigint * relnatts + relchecks + relfilenode::bigint) from pg_class),
    (select sum(xmin::text::bigint) from pg_attribute),
    (select sum(xmin::text::bigint) from pg_constraint),
    (select sum(xmin::text::bigint) from pg_trigger),
    (select sum(xmin::text::bigint) from pg_proc)) as catalog`)
  return rows[0]!.catalog
}

/** Opens a connection that does not keep the process alive, and whose loss at the end is no error. */
export async function connectQuietly(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  client.on('error', () => {})
  ;(client as unknown as { connection: { stream: { unref: () => void } } }).connection.stream.unref()
  return client
}
