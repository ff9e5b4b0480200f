import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { plainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Import } from '#features/crm/leads/import/contract.ts'
import {
  importTargets,
  isCustomTarget,
  type ColumnTarget,
} from '#features/crm/leads/import/mapping.contract.ts'
import {
  findFailedRows,
  getImport,
  lockImport,
  storeImport,
} from '#features/crm/leads/import/server/import.queries.ts'
import { readTableFile } from '#features/crm/leads/import/server/read-file.ts'
import { beginImport, checkImport, runImport } from '#features/crm/leads/import/server/run-import.ts'
import { openDatabase, type Db } from '#server/db/db.ts'
import { findDatabase } from '#server/db/find-database.ts'
import { readSettings } from '#server/settings/settings.ts'

/** An error that the user can fix; its message is the only line printed. */
export class ImportError extends Error {
  override name = 'ImportError'
}

export interface Wanted {
  file: string
  dryRun: boolean
  product: number
  userName: string | undefined
  /** Whether dates such as 03/04/2026 have the day or the month first. */
  dates: 'day' | 'month' | undefined
}

const say = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Imports a file into the configured database and prints the outcome; returns false if a row failed.
 * @throws ImportError if the file, user, or product does not exist.
 */
export async function importLeads(wanted: Wanted): Promise<boolean> {
  const { connection, stop } = await findDatabase(readSettings(process.env))
  const { db, close } = openDatabase(connection)
  try {
    return await importInto(db, wanted)
  } finally {
    await close()
    await stop()
  }
}

async function importInto(db: Db, { file, dryRun, product, userName, dates }: Wanted): Promise<boolean> {
  const viewer = await findImporter(db, userName)
  if (!viewer.products.includes(product))
    throw new ImportError(`Product ${product} is not assigned to this admin user.`)
  const bytes = await readFile(file).catch((error: Error) => {
    throw new ImportError(`Cannot read the file: ${error.message}`)
  })
  const csv = await readTableFile(bytes)
  const id = await db.transaction().execute(async (tx) => {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const stored = await storeImport(tx, { ...csv, name: basename(file) }, product, { id: viewer.id, zone })
    const held = (await lockImport(tx, stored))!
    const date_orders = dates && held.headers.map(() => dates)
    await checkImport(tx, held, { ...held.mapping, ...(date_orders ? { date_orders } : {}) })
    if (!dryRun) await beginImport(tx, { ...held, state: 'checked' }, { staff_id: viewer.id })
    return stored
  })
  if (!dryRun)
    await runImport(
      db,
      id,
      () => plainDate(new Date()),
      () => {},
    )
  const done = await getImport(db, id, viewer)
  report(done, dryRun)
  await reportFailed(db, id)
  return done.counts?.error === 0
}

/** Returns the admin user to import as: the one named, or the first Super Admin. */
async function findImporter(db: Db, userName: string | undefined): Promise<Viewer> {
  let people = db.selectFrom('staff').select(['id', 'role_id']).where('banned_at', 'is', null)
  people = userName === undefined ? people.where('role_id', '=', 0) : people.where('user_name', '=', userName)
  const person = await people
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
    .catch(() => undefined)
  if (!person)
    throw new ImportError(
      userName === undefined
        ? 'No admin users yet. Start the panel once, then run the import again.'
        : `No active admin user has the username ${userName}.`,
    )
  const assigned = await db
    .selectFrom('staff_products')
    .select('product_id')
    .where('staff_id', '=', person.id)
    .execute()
  return {
    id: person.id,
    role_id: person.role_id as Viewer['role_id'],
    permissions: new Set(),
    products: assigned.map((row) => row.product_id),
  }
}

/** A custom field has the name of its column. */
const targetName = (target: ColumnTarget): string =>
  isCustomTarget(target) ? 'Custom field' : importTargets[target]

function report({ id, headers, mapping, row_count, counts }: Import, dryRun: boolean): void {
  const { create = 0, update = 0, duplicate = 0, error = 0 } = counts ?? {}
  for (const [index, header] of headers.entries()) say(`  ${header} → ${targetName(mapping.columns[index]!)}`)
  const left = headers.filter((_, index) => mapping.columns[index] === 'skip')
  if (left.length > 0) say(`  These columns aren’t imported: ${left.join(', ')}`)
  say(
    `Import ${id}, ${row_count} rows: ${create} ${dryRun ? 'to create' : 'created'}, ${update} ${dryRun ? 'to update' : 'updated'}, ${duplicate} duplicates, ${error} failed.`,
  )
  if (dryRun)
    say('Dry run complete. No leads were changed. To run this import, open it under Imports in the panel.')
}

async function reportFailed(db: Db, id: number): Promise<void> {
  for (let line = 0; ;) {
    const rows = await findFailedRows(db, id, line, 1000)
    const last = rows.at(-1)
    if (!last) return
    for (const row of rows) say(`  line ${row.line}: ${row.reason}`)
    line = last.line
  }
}
