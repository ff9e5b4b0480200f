import type { Db } from '#server/db/db.ts'

/** Returns those of the admin users who can sign in, and so read the chat. */
export const findActive = (db: Db, ids: readonly number[]): Promise<{ id: number; email: string }[]> =>
  db
    .selectFrom('staff')
    .select(['id', 'email'])
    .where('id', 'in', ids)
    .where('banned_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
