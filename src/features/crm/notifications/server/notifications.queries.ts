import { sql, type RawBuilder } from 'kysely'
import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, selectOf } from '#shared/field.ts'
import { addressPattern, chooseRecipients, whyNotAllShown, type Chosen } from '#shared/recipients.ts'
import {
  notificationsPerPage,
  type Notification,
  type NotificationFilters,
  type NotificationRow,
} from '#features/crm/notifications/contract.ts'
import { notificationFields } from '#features/crm/notifications/fields.ts'
import { seesAddress } from '#features/crm/users/server/customer-user.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notAllowed } from '#server/http/errors.ts'
import { findUnsubscribed } from '#server/mail/unsubscribe.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { matchesSearch } from '#server/record/list.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'
import { recordKind } from '#server/record/rows.ts'

const isAuthor = (viewer: Viewer, alias: string) =>
  sql`${viewer.id} in (coalesce(${sql.ref(`${alias}.created_by`)}, 0), coalesce(${sql.ref(`${alias}.sent_by`)}, 0))`

/** Returns the SQL condition for a chosen address `e.address` of a notification that a viewer can see. */
const seesChosen = (viewer: Viewer, alias: string): RawBuilder<boolean> =>
  sql`(${isAuthor(viewer, alias)} or ${seesAddress(viewer, sql`e.address::citext`)})`

/**
 * Returns the SQL condition for a recipient `x` of a mailing `m` that a viewer can see: users of the viewer's
 * customers, addresses of no customer, and the addresses that the viewer chose (docs/spec-gaps.md).
 */
export const seesRecipient = (viewer: Viewer): RawBuilder<boolean> =>
  sql`(${seesAddress(viewer, sql`x.address`)} or exists (select from notifications n
    where n.mail_id = m.id and n.emails <> '{}' and ${isAuthor(viewer, 'n')}))`

/** Returns the SQL condition that a viewer can see some (`any`) or all recipients of a notification `r`. */
const seesRecipients = (viewer: Viewer, which: 'any' | 'all'): RawBuilder<boolean> => {
  const holds = (from: RawBuilder<unknown>, sees: RawBuilder<boolean>) =>
    which === 'any' ? sql`exists (${from} ${sees})` : sql`not exists (${from} not ${sees})`
  return sql`case when r.emails <> '{}' then ${holds(sql`select from unnest(r.emails) e (address) where`, seesChosen(viewer, 'r'))}
    else r.mail_id is null or ${holds(sql`select from mail_recipients x where x.mail_id = r.mail_id and`, seesAddress(viewer, sql`x.address`))} end`
}

export const notificationKind = recordKind({
  type: 'notification',
  table: 'notifications',
  name: 'r.subject',
  columns: columnsOf(notificationFields),
  files: { file_ids: { role: 'image', most: 1 } },
  extraColumns: { status: 'r.status' },
  visibility: { scope: (viewer) => seesRecipients(viewer, 'any') },
  history: { scope: (viewer) => seesRecipients(viewer, 'all') },
  authorize: (act, _row, viewer) => {
    if (act === 'remove' && !isAdminRole(viewer.role_id)) throw notAllowed()
  },
})

const plainColumns = selectOf(notificationFields, 'r').filter((column) => column !== 'r.emails')

export const notificationReads = readsOf<
  NotificationRow,
  NotificationFilters,
  Omit<Notification, keyof NotificationRow | 'notification_image'>
>({
  kind: notificationKind,
  columns: (
    viewer,
  ) => sql`r.id, ${sql.raw(plainColumns.join(', '))}, r.status, r.sent_to, r.sent_at, r.created_at, r.version,
    array(select e.address from unnest(r.emails) with ordinality e (address, position) where ${seesChosen(viewer, 'r')} order by position) as emails,
    (select count(*) from unnest(r.emails) e (address) where not ${seesChosen(viewer, 'r')}) as hidden_emails,
    (select s.name from staff s where s.id = r.sent_by) as sent_by_name`,
  details: 'r.message, r.mail_id',
  conditions: {
    status: (status) => sql`r.status = ${status}`,
    type: (type) => sql`r.type = ${type}`,
    search: (search) => matchesSearch('r.search', search),
  },
  order: sortedBy({ id: 'r.id', subject: 'r.search', status: 'r.status', type: 'r.type' }, 'r.id'),
  perPage: notificationsPerPage,
})

/** @throws HttpError 404 */
export async function getNotification(
  db: Db,
  id: number,
  viewer: Viewer,
  links: Links,
): Promise<Notification> {
  const notification = await notificationReads.whole(db, id, viewer)
  const images = (await filesOf(db, 'notification', [id], links, 'image')).get(id)
  return { ...notification, notification_image: images?.at(-1) ?? null }
}

/** @throws HttpError 403 if the viewer can't see all chosen recipients of a draft, and so can't tell whom it is for. */
export async function demandAllShown(db: Db, id: number, viewer: Viewer): Promise<void> {
  const { rows } =
    await sql`select from notifications r where r.id = ${id} and not ${seesRecipients(viewer, 'all')}`.execute(
      db,
    )
  if (rows.length) throw notAllowed(whyNotAllShown)
}

/** Reports whether the viewer is an admin or a moderator of any category (docs/spec-gaps.md G10). */
export async function mayUpdate(db: Db, viewer: Viewer): Promise<boolean> {
  if (isAdminRole(viewer.role_id)) return true
  return (
    (await db
      .selectFrom('category_moderators')
      .select('staff_id')
      .where('staff_id', '=', viewer.id)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Limits users `c` to active users of customers that have any of these products. */
const activeOf = (products: readonly number[]) =>
  sql`c.status = 1 and exists (select from organization_products p join organizations o on o.organization_id = p.organization_id
    where p.organization_id = c.organization_id and o.deleted_at is null and p.product_id = any(${[...products]}::int[]))`

/** Returns how many recipients `chooseFor` would choose if no addresses were given. */
export async function countSubscribed(db: Db, { products }: Pick<Viewer, 'products'>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(distinct c.email) as total from customer_users c
    where c.deleted_at is null and ${activeOf(products)} and c.banned_at is null and c.is_subscribed = 1
      and length(c.email) <= 254 and c.email::text ~ ${addressPattern.source} and not exists (select from mail_unsubscribed m where m.address = c.email)`.execute(
    db,
  )
  return rows[0]!.total
}

/**
 * Returns the recipients without duplicates: the given addresses or, if there are none, the subscribed,
 * unbanned users of customers of the author's products.
 */
export async function chooseFor(
  db: Db,
  emails: readonly string[],
  { products }: Pick<Viewer, 'products'>,
): Promise<Chosen> {
  const users = await sql<{
    first_name: string
    last_name: string
    email: string | null
    banned: boolean
    is_subscribed: number
  }>`
      select c.first_name, c.last_name, c.email::text as email, c.banned_at is not null as banned, c.is_subscribed from customer_users c
      where c.deleted_at is null and ${
        emails.length
          ? // A ban applies to an address no matter who enters it. If several users share an address, the last one in this order counts, so users who can receive emails take precedence.
            sql`c.email = any(${[...emails]}::citext[]) order by (c.banned_at is null and c.is_subscribed = 1), c.id`
          : sql`${activeOf(products)} order by c.id`
      }`.execute(db)
  const known = users.rows.map((user) => ({
    who: `${user.first_name} ${user.last_name}`.trim(),
    address: user.email,
    name: user.first_name,
    banned: user.banned,
    unsubscribed: user.is_subscribed === 0,
  }))
  const unsubscribed = await findUnsubscribed(
    db,
    emails.length ? emails : known.map(({ address }) => address),
  )
  if (!emails.length) return chooseRecipients(known, unsubscribed)
  const byAddress = new Map(known.map((one) => [one.address?.toLowerCase(), one]))
  return chooseRecipients(
    emails.map((email) => byAddress.get(email.toLowerCase()) ?? { who: email, address: email, name: email }),
    unsubscribed,
  )
}
