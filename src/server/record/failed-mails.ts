import { sql, type Transaction } from 'kysely'
import { explainFailure } from '#shared/delivery.ts'
import { mailedTypes, type MailedType } from '#shared/records.ts'
import type { App } from '#server/app.ts'
import type { Database } from '#server/db/db.ts'
import { addNotices } from '#server/record/notices.ts'
import { idOf } from '#server/record/rows.ts'

/**
 * Notifies the author of an email about a record when its delivery finally failed. A bulk email says so in its
 * progress, and an email without an author, such as an invitation, on its page.
 */
export function watchFailedMails(app: Pick<App, 'mail' | 'live' | 'records'>): void {
  for (const type of mailedTypes)
    app.mail.delivery.onFailed(type, async (db, { mail_id, address, error }) => {
      const mail = await findWritten(app, db, type, mail_id)
      if (!mail) return undefined
      const { author, id, title } = mail
      const anchor = `mail-${mail_id}`
      // Further failures of the same email are one unread notice.
      await sql`delete from notices where kind = 'email_failed' and staff_id = ${author}
        and record_type = ${type} and record_id = ${id} and anchor = ${anchor}`.execute(db)
      const afterwards: (() => void)[] = []
      await addNotices(
        app,
        { db, afterCommit: (action) => afterwards.push(action) },
        {
          kind: 'email_failed',
          by: null,
          words: `Your email to ${address} wasn’t delivered. ${explainFailure(error)}`,
          people: [{ id: author, record: { type, id, title, anchor } }],
        },
      )
      return () => afterwards.forEach((action) => action())
    })
}

/** Returns the author of an email, and its record; undefined if it has no author, or is a bulk email. */
async function findWritten(
  { records }: Pick<App, 'records'>,
  db: Transaction<Database>,
  type: MailedType,
  mail_id: number,
): Promise<{ author: number; id: number; title: string } | undefined> {
  const kind = records.get(type)
  const own = sql.ref(`r.${idOf(kind)}`)
  const { rows } = await sql<{ author: number; id: number; title: string }>`
    select m.staff_id as author, ${own} as id, ${sql.raw(kind.name)} as title
    from mails m join ${sql.table(kind.table)} r on ${own} = m.record_id
    where m.id = ${mail_id} and m.staff_id is not null and not m.bulk`.execute(db)
  return rows[0]
}
