import { domainToASCII, domainToUnicode } from 'node:url'
import { sql, type RawBuilder } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import { addDays } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf } from '#shared/field.ts'
import type { Candidate } from '#shared/recipients.ts'
import { wallTime } from '#shared/zones.ts'
import { findMailsOf } from '#features/admin/outbox/server/outbox.queries.ts'
import {
  organizationsPerPage,
  type CustomerUser,
  type Organization,
  type OrganizationDetail,
  type OrganizationFilters,
  type OrganizationRow,
} from '#features/crm/organizations/contract.ts'
import { organizationFields } from '#features/crm/organizations/fields.ts'
import { onTrial, soonDays } from '#features/crm/organizations/rules.ts'
import type { OrganizationReader } from '#features/crm/organizations/server/product-sets.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { isVisible } from '#server/record/record.ts'
import { findPage, handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'
import { recordKind } from '#server/record/rows.ts'

/** Limits the rows of `alias` to those whose organization has at least one of these products. */
export const ofProducts = (alias: string, products: readonly number[]) =>
  sql`exists (select from organization_products p where p.organization_id = ${sql.ref(`${alias}.organization_id`)} and p.product_id = any(${products}::int[]))`

/** SQL for the product IDs of a row's organization. */
export const productIds =
  'array(select p.product_id from organization_products p where p.organization_id = r.organization_id)'

export const organizationKind = recordKind({
  type: 'organization',
  table: 'organizations',
  id: 'organization_id',
  name: 'r.name',
  page: '/organizations/detail/organization/0/$id',
  columns: columnsOf(organizationFields),
  references: referencesOf(organizationFields),
  files: { file_ids: { role: 'attachment', most: 1000 } },
  links: { product_ids: { table: 'organization_products', own: 'organization_id', other: 'product_id' } },
  visibility: {
    products: { of: productIds, movedBy: ['product_ids'] },
    scope: ({ products }) => ofProducts('r', products),
  },
  openWork: { columns: ['assign_to'], open: sql`deleted_at is null` },
  people: findUsersToMail,
})

function byTrial(filter: OrganizationFilters['filter'], today: PlainDate): RawBuilder<unknown> | undefined {
  if (filter === 'no_end') return sql`r.trial_end_date is null`
  if (filter === 'ended') return sql`r.status = ${sql.lit(onTrial)} and r.trial_end_date < ${today}`
  if (filter === 'ends_soon')
    return sql`r.status = ${sql.lit(onTrial)} and r.trial_end_date >= ${today} and r.trial_end_date <= ${addDays(today, soonDays)}`
  return undefined
}

const rowColumns = `r.organization_id, ${columnsOf(organizationFields)
  .map((column) => `r.${column}`)
  .join(', ')}, r.updated_at, r.version,
  array(select p.product_id from organization_products p where p.organization_id = r.organization_id order by 1) as product_ids,
  coalesce(u.id, 0) as user_id, coalesce(u.name, '') as user_name,
  (select count(*) from customer_users c where c.organization_id = r.organization_id and c.deleted_at is null) as users,
  (select s.name from staff s where s.id = r.assign_to) as assigned_name`

/** The days of a trial are counted from `today`, the server's date. */
export const organizationReads = readsOf<
  OrganizationRow,
  OrganizationFilters,
  Pick<Organization, 'created_at' | 'created_by_name'>,
  OrganizationReader & { today: PlainDate }
>({
  kind: organizationKind,
  columns: rowColumns,
  details: 'r.created_at, (select s.name from staff s where s.id = r.created_by) as created_by_name',
  joins: `left join lateral (select c.id, c.name from customer_users c
    where c.organization_id = r.organization_id and c.deleted_at is null order by c.is_master desc, c.id limit 1) u on true`,
  scope: ({ product }, { products, seesAllOrganizations }) =>
    product === undefined && seesAllOrganizations
      ? sql`true`
      : ofProducts('r', product === undefined ? products : products.filter((id) => id === product)),
  conditions: ({ today }) => ({
    product: handledElsewhere,
    search: (search) => matchesSearch('r.search', search),
    status: (status) => sql`r.status = ${status}`,
    state: (state) => sql`r.state = ${state}`,
    country: (country) => sql`r.country = ${country}`,
    filter: (filter) => byTrial(filter, today),
    trial_from: (from) => sql`r.trial_end_date >= ${from}::date`,
    trial_to: (to) => sql`r.trial_end_date <= ${to}::date`,
  }),
  order: sortedBy(
    {
      organization_id: 'r.organization_id',
      name: 'r.search',
      status: 'r.status',
      trial_end_date: 'r.trial_end_date',
      country: 'r.country',
      updated_at: 'r.updated_at',
    },
    'r.organization_id',
    ['trial_end_date'],
  ),
  perPage: organizationsPerPage,
  csv: {
    name: 'organizations.csv',
    fields: organizationFields,
    columns: `${rowColumns}, (select string_agg(n.name, ', ' order by n.id) from organization_products p
      join products n on n.id = p.product_id where p.organization_id = r.organization_id) as products`,
  },
})

/**
 * Returns the IDs of the matching organizations: at most ten thousand, plus one more if that limit is
 * exceeded.
 */
export async function idsOfMatching(
  db: Db,
  filters: Partial<OrganizationFilters>,
  reader: OrganizationReader & { today: PlainDate },
): Promise<number[]> {
  const where = organizationReads.matching(filters, reader)
  const { rows } = await sql<{
    id: number
  }>`select r.organization_id as id from organizations r where ${where} order by 1 limit ${mostAtOnce + 1}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
export const mostAtOnce = 10_000

/**
 * Counts the organizations whose status would change, would stay the same, or can't be changed because a
 * trial needs an end date.
 */
export async function previewStatus(
  db: Db,
  ids: readonly number[],
  { status, end, now }: { status: number; end: PlainDate | undefined; now: Date },
  viewer: Viewer,
) {
  const today = sql`(${now.toISOString()}::timestamptz at time zone o.timezone)::date`
  const isChanged = sql`(o.status <> ${status} ${end === undefined ? sql`` : sql`or o.trial_end_date is distinct from ${end}`})`
  // A newly started trial must not have an end date in the past.
  const isRefused =
    status === onTrial && end === undefined
      ? sql`(o.trial_end_date is null or o.status <> ${status} and o.trial_end_date < ${today})`
      : sql`false`
  const { rows } = await sql<{ changing: number; already: number; refused: number }>`select
      count(*) filter (where ${isChanged} and not ${isRefused}) as changing, count(*) filter (where not ${isChanged} and not ${isRefused}) as already,
      count(*) filter (where ${isRefused}) as refused
    from organizations o where o.organization_id = any(${ids}::int[]) and o.deleted_at is null and ${ofProducts('o', viewer.products)}`.execute(
    db,
  )
  return rows[0]!
}

interface Names {
  search: string
  product?: number | undefined
  id?: number | undefined
}

/** Returns the IDs and names of organizations, sorted by name. */
export function findNames(
  db: Db,
  { search, product, id }: Names,
  { products }: Viewer,
  most: number,
  page = 1,
) {
  const where = sql`o.deleted_at is null and ${ofProducts('o', product === undefined ? products : [product])}
    and ${search === '' ? sql`true` : matchesSearch('o.search', search)} and ${id === undefined ? sql`true` : sql`o.organization_id = ${id}`}`
  return findPage(
    db,
    page,
    most,
    (limit) =>
      sql<{
        id: number
        name: string
      }>`select o.organization_id as id, o.name from organizations o where ${where}
        order by o.search, o.organization_id ${limit}`,
    sql`from organizations o where ${where}`,
  )
}

/** Returns the distinct values of a column, for a filter. */
export async function findPlaces(
  db: Db,
  column: 'state' | 'country',
  { products }: Viewer,
): Promise<string[]> {
  const place = sql.ref(`o.${column}`)
  const { rows } = await sql<{ place: string }>`select distinct ${place} as place from organizations o
    where o.deleted_at is null and ${place} <> '' and ${ofProducts('o', products)} order by 1 limit 500`.execute(
    db,
  )
  return rows.map((row) => row.place)
}

const usersShown = 500

/**
 * Returns an organization with its related records.
 * @throws HttpError 404, including for a user of another organization.
 */
export async function getDetail(
  db: Db,
  id: number,
  user_id: number,
  viewer: Viewer,
  now: Date,
): Promise<OrganizationDetail> {
  const organization = await organizationReads.whole(db, id, viewer)
  const living = sql`select c.id, c.first_name, c.last_name, c.email, c.phone, c.is_master, r.name as role, c.status, c.is_subscribed, c.banned_at is not null as banned
    from customer_users c join customer_roles r on r.id = c.role_id where c.organization_id = ${id} and c.deleted_at is null`
  const [users, named, leads, onboardings, documents, mails] = await Promise.all([
    sql<CustomerUser>`${living} order by c.is_master desc, c.id limit ${usersShown}`.execute(db),
    sql<CustomerUser>`${living} and c.id = ${user_id}`.execute(db),
    sql<
      OrganizationDetail['leads'][number]
    >`select l.lead_id, l.company_name as "companyName", s.name as status from leads l join lead_statuses s on s.id = l.status
      where l.organization_id = ${id} and l.deleted_at is null and l.lead_for = any(${viewer.products}::int[]) order by l.lead_id limit 100`.execute(
      db,
    ),
    sql<
      OrganizationDetail['onboardings'][number]
    >`select b.id, s.name as stage, b.status, b.next_expected_date, l.company_name as company
      from onboardings b join onboarding_stages s on s.id = b.stage join leads l on l.lead_id = b.lead_id
      where b.organization_id = ${id} and b.deleted_at is null and b.product_id = any(${viewer.products}::int[]) order by b.id limit 100`.execute(
      db,
    ),
    sql<{
      count: number
    }>`select count(*) as count from file_links f where f.record_type = 'organization' and f.record_id = ${id} and f.deleted_at is null`.execute(
      db,
    ),
    findMailsOf(db, 'organization', sql`(${id}::int)`),
  ])
  const user = named.rows[0]
  if (user_id !== 0 && !user) throw notFound('User not found.')
  return {
    organization,
    user: user ?? null,
    // Include the user from the URL, even beyond the limit.
    users: user && !users.rows.some((one) => one.id === user.id) ? [...users.rows, user] : users.rows,
    leads: leads.rows,
    onboardings: onboardings.rows,
    documents: documents.rows[0]!.count,
    mails,
    today: wallTime(now, organization.timezone).day,
  }
}

/** Returns up to ten organizations that a lead probably belongs to, matched by name and domain. */
export async function findLikely(db: Db, name: string, domain: string, { products }: Viewer) {
  // Either form can be stored: `müller.example` is `xn--mller-kva.example`.
  const domains = [domainToASCII(domain), domainToUnicode(domain)].filter((one) => one !== '')
  const hasDomain = sql<boolean>`(o.domain <> '' and o.domain = any(${domains}))`
  const { rows } = await sql<{
    organization_id: number
    name: string
    country: string
    domain: string
  }>`select o.organization_id, o.name, o.country, o.domain from organizations o
    where o.deleted_at is null and ${ofProducts('o', products)} and (${hasDomain} or o.search % search_text(${name}) or o.search = search_text(${name}))
    order by ${hasDomain} desc, similarity(o.search, search_text(${name})) desc, o.organization_id limit 10`.execute(
    db,
  )
  return rows
}

/** Returns the email addresses that belong only to banned users. */
export async function findBannedAddresses(db: Db, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`select lower(a.address::text) as address from (
      select u.email as address, u.banned_at from customer_users u
        where u.email = any(${addresses}::citext[]) and u.deleted_at is null
      union all select o.address, u.banned_at from user_addresses o join customer_users u on u.id = o.user_id
        where o.address = any(${addresses}::citext[]) and u.deleted_at is null) a
    group by 1 having bool_and(a.banned_at is not null) order by 1`.execute(db)
  return rows.map(({ address }) => address)
}

/** @throws HttpError 422 at the field that has the address of a banned user. */
export async function demandNotBanned(
  db: Db,
  fields: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const [banned] = await findBannedAddresses(db, Object.values(fields).flat())
  if (banned === undefined) return
  const [field] = Object.entries(fields).find(([, addresses]) =>
    addresses.some((address) => address.toLowerCase() === banned),
  )!
  throw invalid(field, `${banned} is banned and can’t receive email. Remove this address.`)
}

/** Returns an organization's users as candidates for an email. */
export async function findUsersToMail(db: Db, organization_id: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`select name as who, email::text as address, first_name as name,
      banned_at is not null as banned, is_subscribed = 0 as unsubscribed
    from customer_users where organization_id = ${organization_id} and deleted_at is null order by id`.execute(
    db,
  )
  return rows
}

/** Counts the documents of organizations. Ignores IDs outside the viewer's scope. */
export async function countDocuments(db: Db, ids: readonly number[], { products }: Viewer): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from file_links f
    join organizations o on o.organization_id = f.record_id and o.deleted_at is null and ${ofProducts('o', products)}
    where f.record_type = 'organization' and f.record_id = any(${ids}::int[]) and f.deleted_at is null`.execute(
    db,
  )
  return rows[0]!.count
}

/**
 * Finds the user with the given email address who is not in the trash. Includes the organization's name if
 * the viewer can see it.
 */
export async function findUserByEmail(db: Db, email: string, viewer: Viewer) {
  const user = await db
    .selectFrom('customer_users as c')
    .innerJoin('organizations as o', 'o.organization_id', 'c.organization_id')
    .select(['c.id', 'c.organization_id', 'o.name as organization'])
    .where('c.email', '=', email)
    .where('c.deleted_at', 'is', null)
    .orderBy('c.id')
    .executeTakeFirst()
  if (!user) return undefined
  const isKnown = await isVisible(db, organizationKind, user.organization_id, viewer)
  return { id: user.id, organization: isKnown ? user.organization : 'another organization' }
}
