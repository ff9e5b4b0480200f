import type { Db } from '#server/db/db.ts'

/** Returns files as the attachments of an email. */
export const findStored = async (
  db: Db,
  ids: readonly number[],
): Promise<{ name: string; mime: string; stored: string }[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('files')
        .select(['name', 'mime', 'stored_name as stored'])
        .where('id', 'in', [...ids])
        .orderBy('id')
        .execute()
