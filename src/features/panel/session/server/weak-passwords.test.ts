import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { mailInvitation } from '#features/admin/staff/server/invitations.queries.ts'
import { isCommonPassword } from '#server/secrets/common-passwords.ts'

const common = 'This password is too common. Choose a different one.'
const username = 'The password can’t be your username. Choose a different one.'
const product = 'The password can’t be the name of the panel or a product. Choose a different one.'

test.each([
  ['password1', common],
  ['PassWord1', common],
  ['iloveyou2', common],
  ['data_entry', username],
  ['Data-Entry-2026!', username],
  ['data_entrydata_entry', username],
  ['Linen, linen, linen!', product],
  ['Admin Panel', product],
  ['adminpanel2026', product],
  ['lineniq2026', product],
])(
  'the password %s is refused with its reason, when it is changed and by a link',
  async (password, reason) => {
    const { app, db, as, clock } = await startTestApp()
    const me = as('data_entry')
    const changed = await me.post('/admin/users/reset-user-password', {
      oldPassword: 'demo-password',
      newPassword: password,
      id: me.id,
    })
    expect(changed).toMatchObject({ status: 422, message: reason, errors: { newPassword: [reason] } })
    const link = await db
      .transaction()
      .execute((tx) => mailInvitation(app, tx, me.id, 'invited', clock.now()))
    const token = new URL(link).searchParams.get('invitation')
    expect(await as(undefined).post('/auth/set-password', { token, password })).toMatchObject({
      status: 422,
      errors: { password: [reason] },
    })
    // The link was not used up by the rejected password.
    expect(
      await as(undefined).post('/auth/set-password', { token, password: 'Data-Entry is a long job' }),
    ).toMatchObject({ status: 200 })
  },
)

test('the list has the most common passwords of eight or more characters, and no others', async () => {
  for (const one of ['password', '12345678', 'football1', 'trustno1'])
    expect(await isCommonPassword(one)).toBe(true)
  for (const one of ['', 'qwerty', 'correct horse battery staple', 'demo-password'])
    expect(await isCommonPassword(one)).toBe(false)
})
