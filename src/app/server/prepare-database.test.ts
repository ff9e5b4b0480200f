import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { prepareDatabase } from '#app/server/prepare-database.ts'
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
