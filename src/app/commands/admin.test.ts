import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { findSuperAdmins, rescueSuperAdmin } from '#app/commands/admin.ts'

const tokenIn = (link: string) => new URL(link).searchParams.get('invitation')!

test('a Super Admin gets a link that sets a password once, within an hour, and the log says so', async () => {
  const { app, db, as, clock } = await startTestApp()
  expect(await findSuperAdmins(db)).toEqual(['super_admin'])
  const link = () => rescueSuperAdmin(db, app.settings, 'super_admin', clock.now())
  const earlier = tokenIn(await link())
  const token = tokenIn(await link())
  const set = (of: string) =>
    as(undefined).post('/auth/set-password', { token: of, password: 'a long new passphrase' })
  expect((await set(earlier)).status).toBe(404)
  expect(await set(token)).toMatchObject({ status: 200, user_name: 'super_admin' })
  expect((await set(token)).status).toBe(404)
  const logged = db.selectFrom('audit_log').select(['act', 'target_type', 'target_id'])
  expect(await logged.where('endpoint', '=', 'npm run admin').execute()).toEqual(
    Array.from({ length: 2 }, () => ({
      act: 'Created a password link',
      target_type: 'staff',
      target_id: as('super_admin').id,
    })),
  )
  const late = tokenIn(await link())
  clock.advance(61 * 60_000)
  expect((await set(late)).status).toBe(404)
})

test('no one else gets a link', async () => {
  const { app, db, clock } = await startTestApp()
  for (const name of ['admin', 'nobody'])
    await expect(rescueSuperAdmin(db, app.settings, name, clock.now())).rejects.toThrow(
      `No Super Admin is named ${name}. Super Admins: super_admin.`,
    )
})
