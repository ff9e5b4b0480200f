import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { migrate } from '#server/db/migrate.ts'
import { createDatabaseBefore, type TestDatabase } from '#server/db/testing.ts'

/*
 * A database that the version before the shared record kit filled through its API: an edited lead, a status and a
 * tag set in bulk, a merge, a deleted lead, and a contract that was edited, commented on, and deleted. After the
 * migration, all of it can be undone and redone.
 */

type Rows = Record<string, unknown>[]
const stored = JSON.parse(
  gunzipSync(readFileSync(join(import.meta.dirname, 'database-0074.json.gz'))).toString(),
) as Record<string, Rows>

/** Creates the database with its rows, each table after those that it refers to, and migrates it. */
async function restoreOld(): Promise<TestDatabase> {
  const database = await createDatabaseBefore('0077_posts_url')
  const client = new pg.Client(database.connection)
  await client.connect()
  const links = await client.query<{ from: string; to: string }>(
    `select distinct conrelid::regclass::text as "from", confrelid::regclass::text as "to"
       from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  )
  const inserted = new Set<string>()
  const insert = async (table: string): Promise<void> => {
    if (inserted.has(table)) return
    inserted.add(table)
    for (const { from, to } of links.rows) if (from === table) await insert(to)
    if (!stored[table]) return
    const { rows } = await client.query<{ name: string; sequence: string | null }>(
      `select quote_ident(attname) as name, pg_get_serial_sequence($1, attname) as sequence from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    const names = rows.map(({ name }) => name).join(', ')
    await client.query(
      `insert into ${table} (${names}) overriding system value
         select ${names} from jsonb_populate_recordset(null::${table}, $1) on conflict do nothing`,
      [JSON.stringify(stored[table])],
    )
    for (const { name, sequence } of rows)
      if (sequence) await client.query(`select setval($1, max(${name})) from ${table}`, [sequence])
  }
  for (const table of Object.keys(stored)) await insert(table)
  await client.end()
  expect(await migrate(database.connection)).toContain('0077_posts_url')
  return database
}

test('the operations of a database from before the record kit are undone and redone', async () => {
  const started = await startTestApp({ database: await restoreOld() })
  const { as, db } = started
  const leads = () =>
    db
      .selectFrom('leads')
      .select(['lead_id', 'company_name', 'phone', 'status', 'merged_into', 'deleted_by'])
      .orderBy('lead_id')
      .execute()
  const contract = () =>
    db.selectFrom('customer_contracts').select(['title', 'due_date', 'deleted_by']).executeTakeFirstOrThrow()
  const tags = () =>
    db.selectFrom('lead_tag_links').select(['lead_id', 'tag_id']).orderBy('lead_id').execute()
  const notes = async () => (await as('editor').get('/admin/general/notes/contract/1'))['data'] as Rows
  const before = { leads: await leads(), contract: await contract(), tags: await tags() }
  expect(before.leads[0]).toMatchObject({ company_name: 'Alder Grand Hotel', phone: '2', status: 2 })
  expect(before.tags).toHaveLength(2)

  const operations = await db.selectFrom('operations').select(['id', 'staff_id']).orderBy('id').execute()
  expect(operations).toHaveLength(8)
  const staff = await db.selectFrom('staff').select(['id', 'user_name']).execute()
  const nameOf = (id: number) => staff.find((one) => one.id === id)!.user_name
  for (const { id, staff_id } of operations.toReversed())
    expect(await as(nameOf(staff_id)).post(`/admin/operations/${id}/undo`)).toMatchObject({
      status: 200,
      skipped: [],
    })
  expect(await leads()).toEqual(
    ['Alder Hotel', 'Birch Clinic', 'Cedar Laundry', 'Dune Resort', 'Elm Hospital'].map(
      (company_name, index) => ({
        lead_id: index + 1,
        company_name,
        phone: '1',
        status: 1,
        merged_into: null,
        deleted_by: null,
      }),
    ),
  )
  expect(await contract()).toEqual({ title: 'Linen supply', due_date: null, deleted_by: null })
  expect(await tags()).toEqual([])
  expect(await notes()).toEqual([])

  for (const { id, staff_id } of operations)
    expect(await as(nameOf(staff_id)).post(`/admin/operations/${id}/redo`)).toMatchObject({
      status: 200,
      skipped: [],
    })
  expect({ leads: await leads(), contract: await contract(), tags: await tags() }).toEqual(before)
})
