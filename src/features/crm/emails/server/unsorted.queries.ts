import { isPublicDomain } from '#shared/email-providers.ts'
import { sql } from 'kysely'
import { unsortedPerPage, type PlaceOption, type UnsortedFilters } from '#features/crm/emails/contract.ts'
import { findReceived } from '#features/crm/emails/server/received.queries.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { mayReadType, recordTypes, repliedTypes, type RecordType, type RepliedType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import type { FiledEmail } from '#server/inbound/inbox.ts'
import { wordsOfEmail } from '#server/inbound/words-of-email.ts'
import { conditionsOf, matchesSearch } from '#server/record/list.ts'
import { inScope } from '#server/record/scope.ts'
import { idOf, scopeOf, type RecordKind } from '#server/record/rows.ts'

/** Returns a page of received emails in a state, newest first. Filed ones are those that a person filed. */
export async function findUnsorted(app: App, db: Db, viewer: Viewer, filters: UnsortedFilters) {
  const kinds = app.records.all()
  const conditions = conditionsOf<UnsortedFilters>(filters, {
    state: (state) => sql`m.state = ${state}`,
    search: (search) => sql`(${matchesSearch('m.search', search)} or ${matchesSearch('m.words', search)})`,
  })
  const where = sql.join(
    [
      ...conditions,
      ...(filters.state === 'filed' ? [sql`m.filed_by = 'staff'`] : []),
      sql`(m.record_id is null or ${inScope(kinds, viewer, { type: 'm.record_type', id: 'm.record_id' })})`,
    ],
    sql` and `,
  )
  const count = (condition: typeof where) =>
    sql<{ count: number }>`select count(*)::int as count from received_mails m where ${condition}`.execute(db)
  const [data, total, waiting] = await Promise.all([
    findReceived(
      db,
      kinds,
      viewer,
      sql`where ${where} order by m.id desc limit ${unsortedPerPage} offset ${(filters.page - 1) * unsortedPerPage}`,
    ),
    count(where),
    countUnsorted(db),
  ])
  return { data, total: total.rows[0]!.count, per_page: unsortedPerPage, waiting }
}

/** Returns the number of emails that wait to be sorted. */
export async function countUnsorted(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from received_mails m
    where m.state = 'unsorted'`.execute(db)
  return rows[0]!.count
}

/** A received email, locked until the transaction ends. */
export type LockedEmail = Awaited<ReturnType<typeof lockEmail>>

/** @throws HttpError 404 for an email that doesn't exist, or that is on a record that the viewer can't see. */
export async function lockEmail(app: App, db: Db, viewer: Viewer, id: number) {
  const mail = await db
    .selectFrom('received_mails')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!mail) throw notFound('Email not found.')
  const { record_type: type, record_id } = mail
  if (type !== null && !(await app.mail.access.isReadable(db, { type, id: record_id! }, viewer)))
    throw notFound('Email not found.')
  return mail
}

/** Returns a received email as it is added to a record. */
export async function emailToFile(db: Db, mail: LockedEmail): Promise<FiledEmail> {
  const files = await db
    .selectFrom('file_links')
    .select('file_id')
    .where('record_type', '=', 'received_mail')
    .where('record_id', '=', mail.id)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .execute()
  return {
    id: mail.id,
    message_id: mail.message_id,
    from_name: mail.from_name,
    from_address: mail.from_address,
    subject: mail.subject,
    received_at: mail.received_at,
    text: mail.text,
    ...(await wordsOfEmail(db, mail, mail.mail_id)),
    file_ids: files.map(({ file_id }) => file_id),
    problems: mail.problems,
    banned: mail.state === 'banned',
  }
}

const mostPlaces = 5

const organizationOf = sql.raw(
  '(select o.name from organizations o where o.organization_id = r.organization_id)',
)
/** What tells a record over `r` from others with its name. */
const aboutOf: { [type in RecordType]?: ReturnType<typeof sql> } = {
  customer_user: sql`concat_ws(' · ', ${organizationOf}, r.email)`,
  ticket: sql`concat_ws(' · ', nullif(r.sender_name, ''), ${organizationOf})`,
  lead: sql`concat_ws(' · ', nullif(r.contact_name, ''), nullif(r.email, ''))`,
}

/** Returns the records of these types that a viewer can read and whose condition over `r` is true, newest first. */
async function findPlacesOf(
  db: Db,
  kinds: readonly RecordKind[],
  viewer: Viewer,
  conditionOf: (kind: RecordKind) => ReturnType<typeof sql> | undefined,
  why: string,
): Promise<PlaceOption[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const condition = mayReadType(kind.type, viewer) ? conditionOf(kind) : undefined
      if (!condition) return []
      const id = sql.ref(`r.${idOf(kind)}`)
      const { rows } = await sql<{
        id: number
        name: string | null
        about: string
      }>`select ${id} as id, ${sql.raw(kind.name)} as name, ${aboutOf[kind.type] ?? sql`''`} as about
        from ${sql.table(kind.table)} r where r.deleted_at is null and ${condition} and ${scopeOf(kind, viewer)}
        order by ${id} desc limit ${mostPlaces}`.execute(db)
      return rows.map((row) => ({
        type: kind.type as RepliedType,
        id: row.id,
        name: row.name ?? recordTypes[kind.type].one,
        about: row.about,
        why,
      }))
    }),
  )
  return found.flat()
}

const kindsOf = (app: App) => repliedTypes.map((type) => app.records.get(type))

/** Returns the records whose name has these words, or whose number this is. */
export const searchPlaces = (app: App, db: Db, viewer: Viewer, q: string): Promise<PlaceOption[]> => {
  const number = /^#?(\d{1,9})$/.exec(q.trim())?.[1]
  return findPlacesOf(
    db,
    kindsOf(app),
    viewer,
    (kind) =>
      number === undefined
        ? matchesSearch(sql`search_text(${sql.raw(kind.name)})`, q)
        : sql`r.${sql.ref(idOf(kind))} = ${Number(number)}`,
    '',
  )
}

/** Returns the records that the sender and the subject suggest. */
export async function suggestPlaces(
  app: App,
  db: Db,
  viewer: Viewer,
  mail: LockedEmail,
): Promise<PlaceOption[]> {
  const address = mail.from_address
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const number = /#(\d{1,9})\b/.exec(mail.subject)?.[1]
  const named =
    number === undefined
      ? []
      : await findPlacesOf(
          db,
          [app.records.get('ticket')],
          viewer,
          () => sql`r.id = ${Number(number)}`,
          'Number in the subject',
        )
  const ofAddress = await findPlacesOf(
    db,
    kindsOf(app),
    viewer,
    ({ type }) => {
      if (type === 'lead') return hasAddress('r', address)
      if (type === 'customer_user') return sql`r.email = ${address}::citext`
      if (type === 'ticket') return sql`r.sender_email = ${address}::citext`
      return undefined
    },
    'Same address',
  )
  const ofDomain =
    domain === '' || isPublicDomain(domain)
      ? []
      : await findPlacesOf(
          db,
          kindsOf(app),
          viewer,
          ({ type }) => {
            const pattern = `%@${domain.replaceAll(/[%_\\]/g, '\\$&')}`
            if (type === 'lead') return sql`lower(r.email) like ${pattern}`
            if (type === 'organization')
              return sql`exists (select from customer_users u where u.organization_id = r.organization_id and u.deleted_at is null and u.email::text ilike ${pattern})`
            if (type === 'ticket')
              return sql`r.status not in (4, 5) and r.sender_email::text ilike ${pattern}`
            return undefined
          },
          `Same domain, ${domain}`,
        )
  const seen = new Set<string>()
  return [...named, ...ofAddress, ...ofDomain]
    .filter(({ type, id }) => !seen.has(`${type} ${id}`) && seen.add(`${type} ${id}`))
    .slice(0, mostPlaces)
}
