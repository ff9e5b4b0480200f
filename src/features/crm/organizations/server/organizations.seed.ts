import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const words =
  'Alder Birch Cedar Dune Elm Fjord Grove Harbor Iris Juniper Kelp Larch Maple Northern Orchard Pine Quarry River Spruce Tide'.split(
    ' ',
  )
const kinds = ['Hotel', 'Linen Service', 'Spa', 'Clinic', 'Laundry', 'Resort']
const firstNames = [
  'Ada',
  'Bela',
  'Cleo',
  'Dario',
  'Edda',
  'Finn',
  'Gwen',
  'Hana',
  'Ivo',
  'Jana',
  'Kofi',
  'Lena',
]
const lastNames = [
  'Abbott',
  'Brandt',
  'Costa',
  'Dahl',
  'Eriksen',
  'Fontaine',
  'Grant',
  'Horvat',
  'Ito',
  'Jensen',
]

/**
 * Seeds 120 organizations with one to five users each, half of them from won leads with an onboarding. The
 * data is the same for a given day. Does nothing if any organization exists. Companies and people are
 * invented, addresses use example domains, and phone numbers are fictional.
 */
export async function seedOrganizations(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('organizations').select('organization_id').limit(1).executeTakeFirst()) return
  await sql`insert into organizations (name, status, trial_end_date, timezone, state, country, domain, assign_to, video_label, video_link, created_at)
    select name, status, case when status = 2 and i % 24 <> 1 then ${today}::date + (i * 7) % 40 - 8 when status <> 2 and i % 3 = 0 then ${today}::date - 60 - i end,
      (array['US/Eastern', 'US/Central', 'US/Pacific', 'Europe/Berlin', 'Europe/London', 'Canada/Atlantic'])[1 + i % 6],
      (array['Ohio', 'Texas', 'California', '', '', 'Nova Scotia'])[1 + i % 6],
      (array['United States', 'United States', 'United States', 'Germany', 'United Kingdom', 'Canada'])[1 + i % 6],
      lower(replace(name, ' ', '-')) || '.example',
      (select id from staff where user_name = (array['csm', 'support', 'crm', 'super_admin'])[1 + i % 4]),
      case when i % 4 = 0 then 'Welcome' else '' end, case when i % 4 = 0 then 'https://video.example/' || i else '' end, ${today}::date - (i % 90) - 1
    from (select i, (${words}::text[])[1 + i % 20] || ' ' || (${kinds}::text[])[1 + (i / 20) % 6] as name, (array[1, 2, 1, 2, 3, 1, 4, 2])[1 + i % 8] as status
      from generate_series(0, 119) i) named order by i`.execute(db)
  await sql`insert into organization_products (organization_id, product_id)
    select organization_id, 1 from organizations union select organization_id, 3 from organizations where organization_id % 5 = 0`.execute(
    db,
  )
  await sql`insert into customer_users (organization_id, first_name, last_name, email, phone, is_master, role_id, is_subscribed, created_at)
    select o.organization_id, (${firstNames}::text[])[1 + (o.organization_id * 5 + n) % 12], (${lastNames}::text[])[1 + (o.organization_id * 3 + n) % 10],
      'user' || n || '@' || o.domain, '+1 555 01' || lpad(((o.organization_id * 7 + n) % 100)::text, 2, '0'), n = 0, case when n = 0 then 1 when n = 1 then 2 else 3 end,
      case when (o.organization_id + n) % 9 = 0 then 0 else 1 end, o.created_at
    from organizations o, generate_series(0, o.organization_id % 5) n`.execute(db)
  // Turn up to 60 leads of the product into won leads, each linked to an organization.
  await sql`with won as (
      select l.lead_id, row_number() over (order by l.lead_id) as n from leads l where l.lead_for = 1 and l.deleted_at is null and l.status <> 8 limit 60)
    update leads l set organization_id = o.organization_id, status = (select id from lead_statuses where is_won), status_at = greatest(o.created_at, l.created_at)
    from won join (select organization_id, created_at, row_number() over (order by organization_id) as n from organizations) o on o.n = won.n where l.lead_id = won.lead_id`.execute(
    db,
  )
  await sql`insert into onboardings (organization_id, lead_id, product_id, stage, status, stage_since, hold_reason, resume_on, next_expected_date, assign_to, completed_at, created_at)
    select l.organization_id, l.lead_id, 1, s.id, st.status, ${today}::date - (l.lead_id % 12), case when st.status = 2 then 'Waiting for their new linen room' else '' end,
      case when st.status = 2 then ${today}::date + 14 end, case when st.status = 3 then null else ${today}::date + (l.lead_id % 10) - 2 end, o.assign_to,
      case when st.status = 3 then now() end, o.created_at
    from leads l join organizations o on o.organization_id = l.organization_id
      cross join lateral (select case when l.lead_id % 5 = 0 then 3 when l.lead_id % 7 = 0 then 2 else 1 end as status) st
      join lateral (select id from onboarding_stages where product_id = 1 order by position, id
        offset case when st.status = 3 then (select count(*) - 1 from onboarding_stages where product_id = 1) else l.lead_id % 5 end limit 1) s on true`.execute(
    db,
  )
  await sql`insert into onboarding_steps (onboarding_id, stage, schedule_for, completed_status, completed_at, send_meeting_link, contact_emails)
    select b.id, q.id, case when q.id = b.stage and b.status = 1 then ${today}::date + (b.id % 9) + time '15:00' end at time zone 'UTC',
      (q.position < s.position or b.status = 3), case when q.position < s.position or b.status = 3 then b.created_at + make_interval(days => q.position::int) end,
      case when q.id = b.stage then 'https://meet.example/' || b.id else '' end, '{}'
    from onboardings b join onboarding_stages s on s.id = b.stage join onboarding_stages q on q.product_id = b.product_id and q.position <= s.position`.execute(
    db,
  )
}
