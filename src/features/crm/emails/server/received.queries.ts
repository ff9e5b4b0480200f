import { sql, type RawBuilder } from 'kysely'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { FoundMail, ReceivedMail, ReceivedRow } from '#shared/received-mails.ts'
import { isRepliedType, repliedTypes } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { matchesSearch, wordsOf } from '#server/record/list.ts'
import { findNames } from '#server/record/names.ts'
import { canOpen } from '#server/record/readers.ts'
import type { RecordKind } from '#server/record/rows.ts'

const rowColumns = sql`m.id, m.kind, m.state, m.from_name, m.from_address::text as from_address, m.subject, left(m.text, 200) as excerpt,
  m.verified_by is not null as verified, m.spam_reason, m.received_at, m.record_type, m.record_id,
  (select count(*)::int from file_links l where l.record_type = 'received_mail' and l.record_id = m.id and l.deleted_at is null) as files`

type Found = Omit<ReceivedRow, 'record_name'>

/** Returns received emails `m` that match, newest first, with the names of their records. */
export async function findReceived(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  rest: RawBuilder<unknown>,
): Promise<ReceivedRow[]> {
  const { rows } = await sql<Found>`select ${rowColumns} from received_mails m ${rest}`.execute(db)
  return withNames(db, kinds, viewer, rows)
}

async function withNames<Row extends Found>(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  rows: readonly Row[],
) {
  const references = rows.map(({ record_type: type, record_id: id }) => ({ type, id }))
  const nameOf = await findNames(db, kinds, references, viewer)
  return rows.map((row) => ({ ...row, record_name: nameOf(row.record_type, row.record_id) ?? null }))
}

/** Returns the emails received on a record, and on those merged into it, newest first. */
export function findReceivedOn(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  type: string,
  id: number,
) {
  const kind = kinds.find((one) => one.type === type)
  const ids = kind?.history?.relatedIds?.(id) ?? sql`(${id}::int)`
  return findReceived(
    db,
    kinds,
    viewer,
    sql`where m.record_type = ${type} and m.record_id in ${ids} order by m.id desc limit 100`,
  )
}

/**
 * Returns whether a viewer can read a received email: everyone who can read its record or, if it is on none,
 * those who sort emails.
 */
export async function isReadable(
  app: App,
  db: Db,
  { record_type: type, record_id: id }: { record_type: string | null; record_id: number | null },
  viewer: Viewer,
): Promise<boolean> {
  if (type === null || id === null) return can(viewer, 'all_tickets_view')
  return isRepliedType(type) && app.mail.access.isReadable(db, { type, id }, viewer)
}

/**
 * Returns a received email that the viewer can read.
 * @throws HttpError 404
 */
export async function getReceived(
  app: App,
  db: Db,
  viewer: Viewer,
  id: number,
  links: Links,
): Promise<ReceivedMail> {
  const { rows } = await sql<
    Omit<ReceivedMail, 'record_name' | 'attachments' | 'remote_images'> & { ticket_message_id: number | null }
  >`
    select ${rowColumns}, m.to_addresses, m.cc_addresses, m.text, m.html, m.message_id, m.verified_by, m.filed_by, m.written_at,
      m.problems, m.ticket_message_id, (select s.name from staff s where s.id = m.filed_by_staff_id) as filed_by_name
    from received_mails m where m.id = ${id}`.execute(db)
  const [row] = rows
  if (!row || !(await isReadable(app, db, row, viewer))) throw notFound('Email not found.')
  const { ticket_message_id: _, ...mail } = row
  const [named] = await withNames(db, app.records.all(), viewer, [mail])
  const files = await filesOf(db, 'received_mail', [id], links)
  return { ...named!, attachments: files.get(id) ?? [], remote_images: remoteImagesIn(mail.html).length }
}

const mostImages = 30

/** Returns the addresses of the images of an email on other servers, each once. */
export const remoteImagesIn = (html: string): string[] => [
  ...new Set(
    [
      ...html.matchAll(
        /<img\b[^>]*?\ssrc\s*=\s*(?:"(https?:\/\/[^"]+)"|'(https?:\/\/[^']+)'|(https?:\/\/[^\s>]+))/gi,
      ),
    ]
      .map(([, double, single, plain]) => (double ?? single ?? plain!).replaceAll('&amp;', '&'))
      .slice(0, mostImages),
  ),
]

const foundPerPage = 20

/** Splits a search into its words, and those after `from:` and `to:`. */
export function partsOf(search: string): { words: string; from: string; to: string } {
  const parts = { words: [] as string[], from: [] as string[], to: [] as string[] }
  for (const word of wordsOf(search.replaceAll(/\b(from|to):\s+/gi, '$1:'))) {
    const [, key, rest] = /^(from|to):(.+)$/i.exec(word) ?? []
    if (key === undefined) parts.words.push(word)
    else parts[key.toLowerCase() as 'from' | 'to'].push(rest!)
  }
  return { words: parts.words.join(' '), from: parts.from.join(' '), to: parts.to.join(' ') }
}

const matchesIn = (columns: readonly string[], text: string) =>
  text === ''
    ? sql`true`
    : sql.join(
        wordsOf(text).map(
          (word) =>
            sql`(${sql.join(
              columns.map((column) => matchesSearch(column, word)),
              sql` or `,
            )})`,
        ),
        sql` and `,
      )

/** Returns the sent and received emails that match, of records that the viewer can open, newest first. */
export async function searchMails(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  { q, page }: { q: string; page: number },
): Promise<{ data: FoundMail[]; more: boolean }> {
  const { words, from, to } = partsOf(q)
  if (words === '' && from === '' && to === '') return { data: [], more: false }
  const replied = kinds.filter(({ type }) => isRepliedType(type))
  const ofRecords = sql`m.record_type in (${sql.join(repliedTypes)}) and ${canOpen(replied, viewer, { type: 'm.record_type', id: 'm.record_id' })}`
  const recipient = (text: string) =>
    sql`exists (select from mail_recipients r where r.mail_id = m.id and ${matchesIn(['r.search'], text)})`
  const sent = sql`select 'sent' as way, m.id, m.subject, m.created_at as at, m.record_type, m.record_id,
      (select coalesce(string_agg(r.address::text, ', '), '') from (select r.address from mail_recipients r where r.mail_id = m.id order by r.address limit 3) r) as who
    from mails m where ${ofRecords} and m.called_off_at is null
      and ${words === '' ? sql`true` : sql`(${matchesIn(['m.search', 'm.words'], words)} or ${recipient(words)})`}
      and ${matchesIn(['m.sender_search'], from)} and ${to === '' ? sql`true` : recipient(to)}`
  const received = sql`select 'received' as way, m.id, m.subject, m.received_at as at, m.record_type, m.record_id,
      coalesce(nullif(m.from_name, ''), m.from_address::text) as who
    from received_mails m where ${ofRecords} and m.state in ('filed', 'banned', 'automatic')
      and ${matchesIn(['m.search', 'm.words'], words)} and ${matchesIn(['m.sender_search'], from)} and ${matchesIn(['m.to_search'], to)}`
  const { rows } = await sql<
    Omit<FoundMail, 'record_name'>
  >`select * from (${sent} union all ${received}) found
    order by at desc, id desc limit ${foundPerPage + 1} offset ${(page - 1) * foundPerPage}`.execute(db)
  const shown = rows.slice(0, foundPerPage)
  const nameOf = await findNames(
    db,
    kinds,
    shown.map(({ record_type: type, record_id: id }) => ({ type, id })),
    viewer,
  )
  const data = shown.map((row) => ({ ...row, record_name: nameOf(row.record_type, row.record_id) ?? '' }))
  return { data, more: rows.length > foundPerPage }
}
