import { sql, type RawBuilder } from 'kysely'
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
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { conditionsOf, findSqlPage, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { touchRecords } from '#server/record/touch.ts'
import { findAddresses } from '#features/crm/users/server/user-addresses.queries.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import type { WhyNoMailing } from '#server/mail/delivery.ts'

/** Limits users `u` to organizations with at least one of these products. */
const ofProducts = (products: readonly number[]) =>
  sql`exists (select from organization_products p where p.organization_id = u.organization_id and p.product_id = any(${products}::int[]))`
const bySearch = (search: string) => matchesSearch('u.search', search, { phones: true })
const living = (products: readonly number[]) => sql`u.deleted_at is null and ${ofProducts(products)}`

function matching(
  filters: Omit<UserFilters, 'page' | 'column' | 'direction'>,
  { products }: Viewer,
): RawBuilder<unknown> {
  const { product } = filters
  const conditions = conditionsOf<UserFilters>(filters, {
    product: handledElsewhere,
    search: bySearch,
    is_subscribed: (is_subscribed) => sql`u.is_subscribed = ${is_subscribed}`,
    status: (status) => sql`u.status = ${status}`,
    role_id: (id) => sql`u.role_id = ${id}`,
    organization: (id) => sql`u.organization_id = ${id}`,
  })
  const own = living(product === undefined ? products : products.filter((id) => id === product))
  return sql.join([own, ...conditions], sql` and `)
}

const columns = sql.raw(`u.id, ${selectOf(userFields, 'u').join(', ')}, u.name,
  o.name as organization, r.name as role, u.banned_at, u.banned_until, u.ban_reason,
  (select s.name from staff s where s.id = u.banned_by) as banned_by_name, u.updated_at, u.version`)
const joined = sql.raw(
  'join organizations o on o.organization_id = u.organization_id join customer_roles r on r.id = u.role_id',
)

const sorts = {
  id: 'u.id',
  name: 'u.search',
  organization: '(select g.search from organizations g where g.organization_id = u.organization_id)',
  status: 'u.status',
  updated_at: 'u.updated_at',
} as const
const order = ({ column, direction }: Pick<UserFilters, 'column' | 'direction'>) =>
  sql.raw(`${sorts[column]} ${direction}, u.id ${direction}`)

const page = (db: Db, where: RawBuilder<unknown>, by: RawBuilder<unknown>, number: number) =>
  findSqlPage(
    db,
    number,
    usersPerPage,
    // Select the page before looking up organizations and roles.
    (limit) =>
      sql<UserRow>`select ${columns} from (select u.* from customer_users u where ${where} order by ${by} ${limit}) u
        ${joined} order by ${by}`,
    sql`from customer_users u where ${where}`,
  )

export const findUsers = (db: Db, filters: UserFilters, viewer: Viewer) =>
  page(db, matching(filters, viewer), order(filters), filters.page)

/** Compiles the query that selects all matching users for export. */
export const allUsers = (db: Db, filters: UserFilters, viewer: Viewer) =>
  sql<UserRow>`select ${columns} from customer_users u ${joined} where ${matching(filters, viewer)} order by ${order(filters)}`.compile(
    db,
  )

export const findBanned = (db: Db, filters: BannedFilters, { products }: Viewer) =>
  page(
    db,
    sql.join(
      [
        sql`${living(products)} and u.banned_at is not null`,
        ...conditionsOf<BannedFilters>(filters, { search: bySearch }),
      ],
      sql` and `,
    ),
    sql.raw('u.banned_at desc, u.id desc'),
    filters.page,
  )

export function findMasters(db: Db, filters: MasterFilters, { products }: Viewer) {
  const conditions = conditionsOf<MasterFilters>(filters, {
    organization_id: (id) => sql`u.organization_id = ${id}`,
    search: bySearch,
  })
  return page(
    db,
    sql.join([sql`${living(products)} and u.is_master`, ...conditions], sql` and `),
    sql.raw('u.id desc'),
    filters.page,
  )
}

/**
 * Returns a user.
 * @throws HttpError 404
 */
export async function getUser(db: Db, id: number, { products }: Viewer): Promise<UserRow> {
  const { rows } =
    await sql<UserRow>`select ${columns} from customer_users u ${joined} where u.id = ${id} and ${living(products)}`.execute(
      db,
    )
  if (!rows[0]) throw notFound('User not found.')
  return rows[0]
}

/**
 * Returns a user with what their page shows.
 * @throws HttpError 404
 */
export async function getUserDetail(db: Db, id: number, viewer: Viewer): Promise<UserDetail> {
  const user = await getUser(db, id, viewer)
  const [{ rows }, addresses, others] = await Promise.all([
    sql<Pick<UserDetail, 'timezone' | 'created_at' | 'created_by_name'>>`
      select o.timezone, u.created_at, s.name as created_by_name from customer_users u
      join organizations o on o.organization_id = u.organization_id left join staff s on s.id = u.created_by
      where u.id = ${id}`.execute(db),
    findAddresses(db, id),
    countOthers(db, user),
  ])
  return { ...user, ...rows[0]!, addresses, others }
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
  }>`select u.name || ' (' || o.name || ')' as who, ${ofProducts(products)} as mine
    from customer_users u join organizations o on o.organization_id = u.organization_id
    where u.email = ${email} and u.deleted_at is null and u.id <> ${id} order by u.id limit 20`.execute(db)
  if (!rows.length) return undefined
  // Customers of products that the viewer doesn't have are not named.
  const named = rows.filter(({ mine }) => mine).map(({ who }) => who)
  const who = named.length ? named.slice(0, 3).join(', ') : 'A user of another product'
  return `${who} ${named.length > 1 ? 'have' : 'has'} the same email address.`
}

/** Returns the first matching users, sorted by name. */
export async function findByText(db: Db, search: string, { products }: Viewer, most: number) {
  const { rows } = await sql<{
    id: number
    name: string
    email: string | null
    phone: string
    organization_id: number
    organization: string
  }>`
    select u.id, u.name, u.email::text as email, u.phone, u.organization_id, o.name as organization
    from (select u.* from customer_users u where ${living(products)} and ${search === '' ? sql`true` : bySearch(search)} order by u.search, u.id limit ${most}) u
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
    where u.deleted_at is null and ${ofProducts([product_id])} and (
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
  }>`select u.id from customer_users u where u.id = any(${user_ids}::int[]) and u.deleted_at is null and ${ofProducts([product_id])}`.execute(
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
        and ${ofProducts(products)} and not ${ofProducts([product_id])})
      + (select count(*) from organizations u where u.organization_id = any(${org_ids}::int[]) and u.deleted_at is null
        and ${ofProducts(products)} and not ${ofProducts([product_id])}) as count
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
