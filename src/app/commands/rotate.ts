import type { Db } from '#server/db/db.ts'
import { writeAudit } from '#server/http/audit.ts'
import { rotateMailboxSecret } from '#server/inbound/mailbox-secrets.ts'
import { SettingsError } from '#server/settings/settings.ts'

/**
 * Encrypts all stored secrets with another key, all or none; returns how many. It can be repeated, and the audit log
 * names the command.
 * @throws SettingsError that names a mailbox whose password neither key decrypts.
 */
export async function rotateSecrets(db: Db, from: Buffer, to: Buffer): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const stored = await tx
      .selectFrom('mailboxes')
      .select(['id', 'address', 'secret'])
      .where('secret', 'is not', null)
      .orderBy('id')
      .forUpdate()
      .execute()
    let count = 0
    for (const { id, address, secret } of stored) {
      const rotated = rotatedOf(from, to, { id, address, secret: secret! })
      if (!rotated) continue
      await tx.updateTable('mailboxes').set({ secret: rotated }).where('id', '=', id).execute()
      count += 1
    }
    await writeAudit(
      tx,
      {
        staff_id: null,
        endpoint: 'npm run rotate',
        act: 'Changed the key of stored secrets',
        address: '',
        request_id: '',
      },
      [],
    )
    return count
  })
}

function rotatedOf(
  from: Buffer,
  to: Buffer,
  { id, address, secret }: { id: number; address: string; secret: Buffer },
): Buffer | undefined {
  try {
    return rotateMailboxSecret(from, to, id, secret)
  } catch (error) {
    throw new SettingsError(
      `The password of ${address} can’t be decrypted with SECRETS_KEY. Nothing was changed; enter the password again, or remove it.`,
      { cause: error },
    )
  }
}
