import type { Db } from '#server/db/db.ts'
import { contentIdOf } from '#server/html/html-clean.ts'
import type { MailFile } from '#server/mail/mail.ts'

/** Returns files as the attachments of an email. */
export const findStored = async (db: Db, ids: readonly number[]): Promise<MailFile[]> =>
  (await findFiles(db, ids)).map(({ id: _, ...file }) => file)

/** Returns the files of images that the text of an email shows. */
export const findImages = async (db: Db, ids: readonly number[]): Promise<MailFile[]> =>
  (await findFiles(db, ids)).map(({ id, ...file }) => ({ ...file, content_id: contentIdOf(id) }))

const findFiles = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('files')
        .select(['id', 'name', 'mime', 'stored_name as stored'])
        .where('id', 'in', [...ids])
        .orderBy('id')
        .execute()
