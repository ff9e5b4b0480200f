// Writes src/server/db/tables.ts from a database with all migrations; with --check it only reports whether the file is up to date.
import { readFile, writeFile } from 'node:fs/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ColumnTypeNode, generate, IdentifierNode, PostgresDialect } from 'kysely-codegen'
import { openDatabase } from '../src/server/db/db.ts'
import { startEmbedded } from '../src/server/db/embedded.ts'
import { migrate } from '../src/server/db/migrate.ts'

const file = join(import.meta.dirname, '../src/server/db/tables.ts')

const generated = await generateTables()
if (!process.argv.includes('--check')) {
  await writeFile(file, generated)
} else if (generated !== (await readFile(file, 'utf8').catch(() => ''))) {
  console.error('src/server/db/tables.ts does not match the migrations; run: npm run tables')
  process.exitCode = 1
}

async function generateTables() {
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-panel-tables-'))
  const embedded = await startEmbedded(dataDir, { durable: false })
  try {
    await migrate(embedded.connection)
    const { db, close } = openDatabase(embedded.connection)
    try {
      const tables = await generate({ db, dialect: dialectAsParsed(), outFile: null, camelCase: false })
      return tables.replace('export interface DB {', 'export interface Database {')
    } finally {
      await close()
    }
  } finally {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Returns a dialect with the types to which src/server/db/types.ts parses values. */
function dialectAsParsed() {
  const dialect = new PostgresDialect({ dateParser: 'string' })
  const { scalars, definitions } = dialect.adapter
  scalars.int8 = new IdentifierNode('number')
  scalars.numeric = new IdentifierNode('number')
  scalars.timestamptz = new IdentifierNode('string')
  // Sent as a text by JSON.stringify, because node-postgres converts a JavaScript array to a PostgreSQL array.
  definitions.Json = new ColumnTypeNode(
    new IdentifierNode('JsonValue'),
    new IdentifierNode('string'),
    new IdentifierNode('string'),
  )
  return dialect
}
