import pg from 'pg'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '#server/db/testing.ts'
import { unusableDatabase } from '#server/db/unusable.ts'

async function failureOf(connection: pg.ClientConfig, statement = 'select 1'): Promise<unknown> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    await client.query(statement)
  } catch (error) {
    return error
  } finally {
    await client.end()
  }
  return undefined
}

test('a database that can’t be used is a line for the operator; other failures are none', async () => {
  const { connection, drop } = await createEmptyDatabase()
  const lineOf = async (...of: Parameters<typeof failureOf>) => unusableDatabase(await failureOf(...of))
  expect(await lineOf({ ...connection, database: 'missing' })).toBe(
    'The database can’t be used (check DATABASE_URL): database "missing" does not exist.',
  )
  expect(await lineOf({ ...connection, user: 'stranger' })).toMatch(
    /^The database .* role "stranger" does not exist\.$/,
  )
  expect(await lineOf({ host: '127.0.0.1', port: 1 })).toMatch(/ECONNREFUSED 127\.0\.0\.1:1\.$/)
  expect(await lineOf({ host: 'localhost', port: 1 })).toMatch(/ECONNREFUSED/)
  expect(await lineOf(connection)).toBe(undefined)
  expect(await lineOf(connection, 'select x')).toBe(undefined)
  expect(unusableDatabase('text')).toBe(undefined)
  await drop()
})
