import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { selectOf } from '#shared/field.ts'
import type { Candidate } from '#shared/recipients.ts'
import {
  usersPerPage,
  type BannedFilters,
  type MasterFilters,
  type UserFilters,
  type UserDetail,
  type UserRow,
} from '#features/crm/users/contract.ts'
import { type MailingListEntry } from '#features/crm/users/mailing-list.contract.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { ofProducts } from '#features/crm/organizations/server/organizations.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conditionsOf, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'
import { touchRecords } from '#server/record/touch.ts'
import { findAddresses } from '#features/crm/users/server/user-addresses.queries.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import type { WhyNoMailing } from '#server/mail/delivery.ts'

const bySearch = (search: string) => matchesSearch('r.search', search, { phones: true })
const living = (products: readonly number[]) => sql`u.deleted_at is null and ${ofProducts('u', products)}`

const userReads = readsOf<
  UserRow,
  UserFilters,
  Pick<UserDetail, 'timezone' | 'created_at' | 'created_by_name'>
>({
  kind: customerUserKind,
  columns: `r.id, ${selectOf(userFields, 'r').join(', ')}, r.name,
    o.name as organization, c.name as role, r.banned_at, r.banned_until, r.ban_reason,
    (select s.name from staff s where s.id = r.banned_by) as banned_by_name, r.updated_at, r.version`,
  details: `o.timezone, r.created_at, (select s.name from staff s where s.id = r.created_by) as created_by_name`,
  joins:
    'join organizations o on o.organization_id = r.organization_id join customer_roles c on c.id = r.role_id',
  scope: ({ product }, { products }) =>
    ofProducts('r', product === undefined ? products : products.filter((id) => id === product)),
  conditions: {
    product: handledElsewhere,
    search: bySearch,
    is_subscribed: (is_subscribed) => sql`r.is_subscribed = ${is_subscribed}`,
    status: (status) => sql`r.status = ${status}`,
    role_id: (id) => sql`r.role_id = ${id}`,
    organization: (id) => sql`r.organization_id = ${id}`,
  },
  order: sortedBy(
    {
      id: 'r.id',
      name: 'r.search',
      organization: '(select g.search from organizations g where g.organization_id = r.organization_id)',
      status: 'r.status',
      updated_at: 'r.updated_at',
    },
    'r.id',
  ),
  perPage: usersPerPage,
  csv: { name: 'users.csv', fields: userFields },
})
export const { page: findUsers, export: exportUsers, row: getUser } = userReads

export function findBanned(db: Db, filters: BannedFilters, viewer: Viewer) {
  const conditions = conditionsOf<BannedFilters>(filters, { search: bySearch })
  const where = sql.join(
    [userReads.matching({}, viewer), sql`r.banned_at is not null`, ...conditions],
    sql` and `,
  )
  return userReads.pageOf(db, { page: filters.page, where, order: sql`r.banned_at desc, r.id desc` }, viewer)
}

export function findMasters(db: Db, filters: MasterFilters, viewer: Viewer) {
  const conditions = conditionsOf<MasterFilters>(filters, {
    organization_id: (id) => sql`r.organization_id = ${id}`,
    search: bySearch,
  })
  const where = sql.join([userReads.matching({}, viewer), sql`r.is_master`, ...conditions], sql` and `)
  return userReads.pageOf(db, { page: filters.page, where, order: sql`r.id desc` }, viewer)
}

/**
 * Returns a user with what their page shows.
 * @throws HttpError 404
 */
export async function getUserDetail(db: Db, id: number, viewer: Viewer): Promise<UserDetail> {
  const user = await userReads.whole(db, id, viewer)
  const [addresses, others] = await Promise.all([findAddresses(db, id), countOthers(db, user)])
  return { ...user, addresses, others }
}

/** Counts the other users in a user's organization. */
export async function countOthers(
  db: Db,
  { id, organization_id }: Pick<UserRow, 'id' | 'organization_id'>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from customer_users
    where organization_id = ${organization_id} and deleted_at is null and id <> ${id}`.execute(db)
  return rows[0]!.count
}

/**
 * Returns a message that names the other users with the same email address, in any product; undefined if
 * there are none.
 */
export async function findSameEmail(
  db: Db,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  { products }: Viewer,
): Promise<string | undefined> {
  if (email === null) return undefined
  const { rows } = await sql<{
    who: string
    mine: boolean
  }>`select u.name || ' (' || o.name || ')' as who, ${ofProducts('u', products)} as mine
    from customer_users u join organizations o on o.organization_id = u.organization_id
    where u.email = ${email} and u.deleted_at is null and u.id <> ${id} order by u.id limit 20`.execute(db)
  if (!rows.length) return undefined
  // Customers of products that the viewer doesn't have are not named.
  const named = rows.filter(({ mine }) => mine).map(({ who }) => who)
  const who = named.length ? named.slice(0, 3).join(', ') : 'A user of another product'
  return `${who} ${named.length > 1 ? 'have' : 'has'} the same email address.`
}

/** Returns the first matching users, sorted by name. */
export async function findByText(db: Db, search: string, viewer: Viewer, most: number) {
  const { rows } = await sql<{
    id: number
    name: string
    email: string | null
    phone: string
    organization_id: number
    organization: string
  }>`
    select u.id, u.name, u.email::text as email, u.phone, u.organization_id, o.name as organization
    from (select r.* from customer_users r where ${userReads.matching({ search }, viewer)} order by r.search, r.id limit ${most}) u
      join organizations o on o.organization_id = u.organization_id order by u.search, u.id`.execute(db)
  return rows
}

/** Returns the admin users who can be assigned work. */
export async function findAssignable(db: Db, products: readonly number[]) {
  const { rows } = await sql<{
    id: number
    name: string
  }>`select s.id, s.name from staff s
    where s.banned_at is null and exists (select from staff_products p where p.staff_id = s.id and p.product_id = any(${products}::int[]))
    order by s.first_name, s.last_name, s.id`.execute(db)
  return rows
}

export async function findStaffOfRole(db: Db, role: number | undefined) {
  const { rows } = await sql<{
    id: number
    name: string
  }>`select s.id, s.name from staff s
    where s.banned_at is null and ${role === undefined ? sql`true` : sql`s.role_id = ${role}`} order by s.first_name, s.last_name, s.id`.execute(
    db,
  )
  return rows
}

/**
 * Returns why an address no longer gets a mailing: its users have been taken off the list, banned, or, since
 * the mailing was written, deleted. An address without users, which the author typed, gets it.
 */
export async function findWhyNoMailing(
  db: Db,
  address: string,
  since: string,
): Promise<WhyNoMailing | undefined> {
  const { rows } = await sql<{
    can: boolean | null
    banned: boolean | null
    deleted: boolean | null
  }>`select bool_or(deleted_at is null and banned_at is null and is_subscribed = 1) as can,
      bool_or(deleted_at is null and banned_at is not null) as banned, bool_and(deleted_at is not null) as deleted
    from customer_users where email = ${address} and (deleted_at is null or deleted_at > ${since})`.execute(
    db,
  )
  const { can, banned, deleted } = rows[0]!
  if (can !== false) return undefined
  return deleted ? 'deleted' : banned ? 'banned' : 'unsubscribed'
}

const candidateColumns = sql.raw(`u.name as who, u.email::text as address, u.first_name as name,
  u.banned_at is not null as banned, u.is_subscribed = 0 as unsubscribed`)

/** Returns users as candidates for an email; IDs outside the viewer's scope are ignored. */
export async function findCandidates(
  db: Db,
  ids: readonly number[],
  { products }: Viewer,
): Promise<(Candidate & { id: number })[]> {
  const { rows } = await sql<
    Candidate & { id: number }
  >`select u.id, ${candidateColumns} from customer_users u
    where u.id = any(${ids}::int[]) and ${living(products)} order by u.id`.execute(db)
  return rows
}

interface ListOf {
  staff_id: number
  product_id: number
}

/**
 * Returns the candidates on an admin user's mailing list for a product, without duplicates: listed users and
 * the current users of listed organizations.
 */
export async function findOnList(db: Db, { staff_id, product_id }: ListOf): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`select ${candidateColumns} from customer_users u
    where u.deleted_at is null and ${ofProducts('u', [product_id])} and (
      u.id in (select m.user_id from mail_senders m where m.staff_id = ${staff_id} and m.product_id = ${product_id} and m.user_id is not null)
      or u.organization_id in (select m.organization_id from mail_senders m where m.staff_id = ${staff_id} and m.product_id = ${product_id} and m.organization_id is not null))
    order by u.id`.execute(db)
  return rows
}

export async function findMailingList(db: Db, { staff_id, product_id }: ListOf): Promise<MailingListEntry[]> {
  const { rows } = await sql<MailingListEntry>`select m.id, m.user_id, m.organization_id,
      coalesce(u.name, o.name) as name,
      case when m.user_id is not null then 1 else (select count(*) from customer_users c where c.organization_id = m.organization_id and c.deleted_at is null)::int end as users
    from mail_senders m left join customer_users u on u.id = m.user_id left join organizations o on o.organization_id = m.organization_id
    where m.staff_id = ${staff_id} and m.product_id = ${product_id} order by m.organization_id is null, name, m.id limit 1000`.execute(
    db,
  )
  return rows
}

/**
 * Adds users and organizations of the list's product to a mailing list, and removes entries from the list.
 * Returns how many of the given users, organizations, and entries were found, and the number of entries now
 * on the list.
 */
export async function changeList(
  db: Db,
  { staff_id, product_id }: ListOf,
  {
    user_ids = [],
    org_ids = [],
    remove = [],
  }: {
    user_ids?: readonly number[] | undefined
    org_ids?: readonly number[] | undefined
    remove?: readonly number[] | undefined
  },
): Promise<{ found: number; total: number }> {
  const users = await sql<{
    id: number
  }>`select u.id from customer_users u where u.id = any(${user_ids}::int[]) and u.deleted_at is null and ${ofProducts('u', [product_id])}`.execute(
    db,
  )
  const organizations = await sql<{
    id: number
  }>`select o.organization_id as id from organizations o where o.organization_id = any(${org_ids}::int[]) and o.deleted_at is null
    and exists (select from organization_products p where p.organization_id = o.organization_id and p.product_id = ${product_id})`.execute(
    db,
  )
  await sql`insert into mail_senders (staff_id, product_id, user_id) select ${staff_id}, ${product_id}, id from unnest(${users.rows.map(({ id }) => id)}::int[]) as one (id)
    on conflict do nothing`.execute(db)
  await sql`insert into mail_senders (staff_id, product_id, organization_id) select ${staff_id}, ${product_id}, id
    from unnest(${organizations.rows.map(({ id }) => id)}::int[]) as one (id) on conflict do nothing`.execute(
    db,
  )
  const removed = await sql<{
    id: number
  }>`delete from mail_senders where staff_id = ${staff_id} and product_id = ${product_id} and id = any(${remove}::int[]) returning id`.execute(
    db,
  )
  const { rows } = await sql<{
    total: number
  }>`select count(*) as total from mail_senders where staff_id = ${staff_id} and product_id = ${product_id}`.execute(
    db,
  )
  return { found: users.rows.length + organizations.rows.length + removed.rows.length, total: rows[0]!.total }
}

/**
 * Counts the users and organizations that the viewer can see but that have none of the list's product, and
 * returns the product's name.
 */
export async function countOfOtherProducts(
  db: Db,
  product_id: number,
  { products }: Pick<Viewer, 'products'>,
  {
    user_ids = [],
    org_ids = [],
  }: { user_ids?: readonly number[] | undefined; org_ids?: readonly number[] | undefined },
): Promise<{ count: number; product: string }> {
  const { rows } = await sql<{ count: number; product: string }>`select name as product,
      (select count(*) from customer_users u where u.id = any(${user_ids}::int[]) and u.deleted_at is null
        and ${ofProducts('u', products)} and not ${ofProducts('u', [product_id])})
      + (select count(*) from organizations u where u.organization_id = any(${org_ids}::int[]) and u.deleted_at is null
        and ${ofProducts('u', products)} and not ${ofProducts('u', [product_id])}) as count
    from products where id = ${product_id}`.execute(db)
  return rows[0]!
}

/** Lifts the bans that have expired; returns the IDs of the affected users. */
export async function liftEndedBans(db: Db, now: Date): Promise<number[]> {
  const isOver = sql`banned_until <= ${now.toISOString()}`
  // Check first: even an update that matches no rows is a write and causes every user count to be recomputed.
  const { rows: over } = await sql`select 1 from customer_users where ${isOver} limit 1`.execute(db)
  if (!over.length) return []
  return touchRecords({ db }, customerUserKind, isOver, notBanned)
}

export const notBanned = { banned_at: null, banned_until: null, ban_reason: '', banned_by: null }
