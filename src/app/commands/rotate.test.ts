import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { rotateSecrets } from '#app/commands/rotate.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { encryptMailboxSecret } from '#server/inbound/mailbox-secrets.ts'
import { decryptSecret } from '#server/secrets/secrets.ts'

test('stored secrets get another key, all or none, and the command can be repeated', async () => {
  const { db } = await startTestApp()
  const [from, to, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const add = async (name: string, key: Buffer) => {
    const { id } = await db
      .insertInto('mailboxes')
      .values({ address: `${name}@linen.example`, host: 'mail.linen.example', port: 993, username: name })
      .returning('id')
      .executeTakeFirstOrThrow()
    const secret = encryptMailboxSecret(key, id, { password: `secret of ${name}` })
    await db.updateTable('mailboxes').set({ secret }).where('id', '=', id).execute()
    return id
  }
  const read = async (key: Buffer, id: number) => {
    const { secret } = await db
      .selectFrom('mailboxes')
      .select('secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return decryptSecret(key, `mailbox ${id}`, secret!)
  }
  const ids = [await add('support', from), await add('sales', from)]
  const foreign = await add('old', other)

  await expect(rotateSecrets(db, from, to)).rejects.toThrow('The password of old@linen.example')
  for (const id of ids) expect(await read(from, id)).toContain('secret of')

  await db.deleteFrom('mailboxes').where('id', '=', foreign).execute()
  expect(await rotateSecrets(db, from, to)).toBe(2)
  expect(await read(to, ids[0]!)).toBe('{"password":"secret of support"}')
  await expect(read(from, ids[0]!)).rejects.toThrow()
  expect(await rotateSecrets(db, from, to)).toBe(0)
  const logged = await db
    .selectFrom('audit_log')
    .select('act')
    .where('endpoint', '=', 'npm run rotate')
    .execute()
  expect(logged).toHaveLength(2)
})
