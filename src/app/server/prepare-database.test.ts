import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { prepareDatabase } from '#app/server/prepare-database.ts'
import { openDatabase } from '#server/db/db.ts'
import { migrate } from '#server/db/migrate.ts'
import { createEmptyDatabase } from '#server/db/testing.ts'
import { findCastWith, replaceCastPassword } from '#server/db/seed/cast.ts'
import { cheapPasswordCost, hashPassword } from '#server/secrets/passwords.ts'

test.each<Record<string, string>>([
  { PUBLIC_URL: 'https://panel.example.com' },
  { TRUST_PROXY: '1' },
  { TRUST_PROXY: '1', DEMO_PASSWORD: 'another password' },
])('with %j, a database whose demo accounts have the published password is refused', async (env) => {
  const { app, db } = await startTestApp({ env: { DEMO_DATA: '0', ...env } })
  const prepare = () => prepareDatabase(app, app.pool.options, false)
  await expect(prepare()).rejects.toThrow(/published password.*DEMO_PASSWORD=… npm run seed/)

  const hash = await hashPassword('another password', cheapPasswordCost)
  expect(await replaceCastPassword(db, 'demo-password', hash, new Date())).toBe(14)
  expect(await findCastWith(db, 'demo-password')).toEqual([])
  expect(await db.selectFrom('sessions').select('id').where('ended_at', 'is', null).execute()).toEqual([])
  await expect(prepare()).resolves.toContain('Sign in as super_admin')
})

test('on a loopback address the published password is fine', async () => {
  const { app } = await startTestApp({ env: { DEMO_DATA: '0' } })
  await expect(prepareDatabase(app, app.pool.options, false)).resolves.toContain('demo-password')
})

test.each([
  [true, /with the password \S{16} \(shown only once\)$/],
  [false, /^Set a password for super_admin with: npm run admin -- super_admin$/],
])('with a terminal %s, a new panel says how to sign in', async (isTTY, said) => {
  const held = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY')
  Object.defineProperty(process.stdout, 'isTTY', { value: isTTY, configurable: true })
  onTestFinished(() => {
    if (held) Object.defineProperty(process.stdout, 'isTTY', held)
    else Reflect.deleteProperty(process.stdout, 'isTTY')
  })
  const { app } = await startTestApp({ env: { DEMO_DATA: '0' } })
  const empty = await createEmptyDatabase()
  onTestFinished(() => empty.drop())
  await migrate(empty.connection)
  const { db, close } = openDatabase(empty.connection)
  onTestFinished(close)
  await expect(prepareDatabase({ ...app, db }, empty.connection, true)).resolves.toMatch(said)
})
