import { sql, type Kysely } from 'kysely'
import type { Database } from '#server/db/tables.ts'
import { deviceOf } from '#server/http/device.ts'

export interface SignIn {
  /**
   * ID of the account; undefined if there is none for the name entered. That name is not stored, because it
   * may be a password.
   */
  staff_id: number | undefined
  outcome: 'signed_in' | 'refused' | 'locked' | 'ended'
  address: string
  user_agent: string
  at: Date
}

/**
 * Adds entries to the sign-in log. Rejected sign-ins are logged outside the request's transaction, because
 * that transaction is rolled back.
 */
export async function writeSignIns(db: Kysely<Database>, signIns: readonly SignIn[]): Promise<void> {
  if (!signIns.length) return
  await db
    .insertInto('sign_ins')
    .values(
      signIns.map(({ staff_id, outcome, address, user_agent, at }) => ({
        staff_id: staff_id ?? null,
        user_name:
          staff_id === undefined ? null : sql<string>`(select user_name from staff where id = ${staff_id})`,
        outcome,
        address,
        device: deviceOf(user_agent),
        at: at.toISOString(),
      })),
    )
    .execute()
}
