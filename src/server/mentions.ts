import type { Transaction } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import type { Database } from '#server/db/db.ts'
import { html, mailPage, paragraphs } from '#server/html.ts'
import type { App } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'

interface Mentioned {
  people: readonly { id: number; email: string }[]
  record: { type: string; id: number }
  /** Name of the record. */
  title: string
  words: string
  /** Path of the record's page, from the root. */
  path: string
}

/** Notifies mentioned users, in their list of mentions and by email; the author is skipped. */
export async function tellMentioned(
  app: Pick<App, 'mail' | 'live' | 'settings'>,
  {
    db,
    viewer,
    afterCommit,
  }: { db: Transaction<Database>; viewer: SignedIn; afterCommit: (action: () => void) => void },
  { people, record, title, words, path }: Mentioned,
): Promise<void> {
  const others = people.filter(({ id }) => id !== viewer.id)
  if (!others.length) return
  await db
    .insertInto('mentions')
    .values(
      others.map(({ id }) => ({
        staff_id: id,
        by_staff_id: viewer.id,
        record_type: record.type,
        record_id: record.id,
        title,
        words: truncate(words, 500),
      })),
    )
    .execute()
  const { publicUrl } = app.settings
  const link = publicUrl === undefined ? '' : `\n\n${publicUrl}${path}`
  const text = `${viewer.name} mentioned you in “${title}”: ${words}${link}`
  await app.mail.queue(db, {
    kind: 'mention',
    to: others.map(({ email }) => email),
    subject: `${viewer.name} mentioned you: ${title}`.replaceAll(/\s+/g, ' '),
    html: mailPage(title, [html`${paragraphs(text, publicUrl)}`]),
    text,
    record,
    staff_id: viewer.id,
  })
  afterCommit(() => {
    for (const { id } of others) app.live.publish(`private-staff.${id}`, 'mentions', {})
  })
}
