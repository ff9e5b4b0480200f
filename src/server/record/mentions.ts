import type { Transaction } from 'kysely'
import { recordTypes } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { html } from '#server/html/html.ts'
import type { App } from '#server/app.ts'
import type { SignedIn } from '#server/http/session.ts'
import { findNames } from '#server/record/names.ts'
import { addNotices, type NoticeRecord } from '#server/record/notices.ts'
import { findReaders, pageOf } from '#server/record/readers.ts'
import type { RecordKind } from '#server/record/rows.ts'

/** Record that a mentioned user can open: the record itself, or another one that leads to it. */
export interface MentionedRecord extends NoticeRecord {
  /** Path of the record's page, from the root; undefined if it has none. */
  path: string | undefined
}

export interface Mentioned {
  id: number
  email: string
  record: MentionedRecord
}

interface Mentioning {
  db: Transaction<Database>
  viewer: SignedIn
  afterCommit: (action: () => void) => void
}

/**
 * Notifies mentioned users, in their notices and, unless `byEmail` is false, by email. The author and users who
 * muted the record are skipped.
 */
export async function tellMentioned(
  app: Pick<App, 'mail' | 'live' | 'settings'>,
  { db, viewer, afterCommit }: Mentioning,
  { people, words, byEmail = true }: { people: readonly Mentioned[]; words: string; byEmail?: boolean },
): Promise<void> {
  const listening = await addNotices(
    app,
    { db, afterCommit },
    { kind: 'mention', by: viewer.id, words, people },
  )
  const records = new Map(listening.map(({ record }) => [`${record.type} ${record.id}`, record]))
  for (const record of byEmail ? records.values() : []) {
    const to = listening.filter((one) => one.record.type === record.type && one.record.id === record.id)
    await mailMentioned(
      app,
      { db, viewer },
      to.map(({ email }) => email),
      record,
      words,
    )
  }
}

interface Tagged {
  kind: RecordKind
  id: number
  /** ID of the entry on the record's page. */
  anchor: string
  tag_user: readonly number[] | undefined
  words: string
}

/**
 * Notifies admin users who are mentioned in an entry of a record, each once: not again when the entry is edited.
 * @throws HttpError 422 if one of them can't open the record
 */
export async function tellTagged(
  app: Pick<App, 'mail' | 'live' | 'settings'>,
  context: Mentioning,
  { kind, id, anchor, tag_user = [], words }: Tagged,
): Promise<void> {
  const tagged = new Set(tag_user)
  if (tagged.size === 0) return
  const people = (await findReaders(context.db, kind, id)).filter((one) => tagged.has(one.id))
  if (people.length < tagged.size)
    throw invalid('tag_user', 'You can only mention staff who can open this record.')
  const known = await findNotified(context.db, kind, anchor)
  const added = people.filter((one) => !known.has(one.id))
  if (added.length === 0) return
  const nameOf = await findNames(context.db, [kind], [{ type: kind.type, id }], context.viewer)
  const title = nameOf(kind.type, id) ?? recordTypes[kind.type].one
  const record = { type: kind.type, id, title, path: pageOf(kind, id), anchor }
  await tellMentioned(app, context, { people: added.map((one) => ({ ...one, record })), words })
}

/** Returns the admin users who have a notice of a mention in an entry. */
async function findNotified(db: Db, { type }: RecordKind, anchor: string): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('notices')
    .select('staff_id')
    .where('record_type', '=', type)
    .where('kind', '=', 'mention')
    .where('anchor', '<>', '')
    .where('anchor', '=', anchor)
    .execute()
  return new Set(rows.map(({ staff_id }) => staff_id))
}

async function mailMentioned(
  app: Pick<App, 'mail' | 'settings'>,
  { db, viewer }: Pick<Mentioning, 'db' | 'viewer'>,
  to: string[],
  { type, id, title, path, anchor }: MentionedRecord,
  words: string,
): Promise<void> {
  const { publicUrl } = app.settings
  const at = anchor === '' ? '' : `#${anchor}`
  const url = publicUrl === undefined || path === undefined ? '' : `${publicUrl}${path}${at}`
  const link = url === '' ? '' : html`<a href="${url}">${url}</a>`
  const about = { staff_id: viewer.id }
  await app.mail.queue(db, {
    kind: 'mention',
    to,
    ...(await app.mail.write(db, 'mention', { title, text: words, link }, about)),
    ...about,
    record: { type, id },
    toStaff: true,
  })
}
