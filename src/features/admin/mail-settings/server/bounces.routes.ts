import { sql } from 'kysely'
import { bounces, bouncesPerPage } from '#features/admin/mail-settings/bounces.contract.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'
import { bounceMarks, type BouncedAddress } from '#shared/received-mails.ts'
import type { Reply } from '#shared/endpoint.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { findPage, matchesSearch } from '#server/record/list.ts'

const columns = sql`b.address::text as address, b.kind, b.marked_at is not null as marked, b.soft_count, b.error, b.last_at`

const listBounces: Handler<typeof bounces.list> = async ({ query: { page, search } }, { db, viewer }) => {
  const wanted = matchesSearch(sql`search_text(b.address::text)`, search)
  const [found, numbers] = await Promise.all([
    findPage(
      db,
      page,
      bouncesPerPage,
      (limit) => sql<
        Reply<typeof bounces.list>['data'][number]
      >`select ${columns}, b.mail_id, (select coalesce(json_agg(one), '[]') from (
        (select 'customer_user' as type, u.id, u.name from customer_users u where u.email = b.address and u.deleted_at is null
          and exists (select from organization_products p where p.organization_id = u.organization_id and p.product_id = any(${viewer.products}::int[])) limit 5)
        union all
        (select 'lead', l.lead_id, l.company_name from leads l where ${hasAddress('l', sql<string>`b.address::text`)} and l.deleted_at is null
          and l.lead_for = any(${viewer.products}::int[]) limit 5)) one) as belongs_to
      from bounced_addresses b where ${wanted} order by b.last_at desc, b.address ${limit}`,
      sql`from bounced_addresses b where ${wanted}`,
    ),
    sql<Reply<typeof bounces.list>['last_30_days']>`select count(*) filter (where kind = 'hard')::int as hard,
      count(*) filter (where kind = 'soft')::int as soft, count(*) filter (where kind = 'complaint')::int as complaints,
      (select count(*)::int from mail_recipients r where r.sent_at > now() - interval '30 days') as sent
      from bounced_addresses where last_at > now() - interval '30 days'`.execute(db),
  ])
  return { ...found, last_30_days: numbers.rows[0]! }
}

const clearBounce: Handler<typeof bounces.clear> = async ({ body: { address } }, { db, audit, changed }) => {
  const gone = await db
    .deleteFrom('bounced_addresses')
    .where('address', '=', address)
    .returning(['mail_id', 'error'])
    .executeTakeFirst()
  if (!gone) throw notFound('This address isn’t marked.')
  audit({ target: 'mail', id: gone.mail_id ?? 0, before: { bounced: address }, after: { bounced: '' } })
  changed('mails', gone.mail_id === null ? [] : [gone.mail_id])
  return { message: 'Address marked as valid.' }
}

const listOfAddresses: Handler<typeof bounceMarks.of> = async ({ query: { address } }, { db }) => {
  const { rows } = await sql<BouncedAddress>`select ${columns} from bounced_addresses b
    where b.address = ${address}::citext and (b.marked_at is not null or b.kind = 'complaint')`.execute(db)
  return { data: rows }
}

export function bounceRoutes(app: App): void {
  implement(app, bounces.list, listBounces)
  implement(app, bounces.clear, clearBounce)
  implement(app, bounceMarks.of, listOfAddresses)
}
