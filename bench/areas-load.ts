import { sql } from 'kysely'
import { loadHistory } from './load-history.ts'
import { loadLeads } from './load.ts'
import type { Db } from '#server/db/db.ts'

export interface Sizes {
  leads: number
  organizations: number
  users: number
  tickets: number
  logs: number
  chat: number
  articles: number
  comments: number
  faqs: number
  tasks: number
  activities: number
  quickTasks: number
  reports: number
}

const words = sql.raw(
  `(array['Aalto','Brennan','Castell','Dufour','Eriksen','Farrow','Greco','Haldane','Ibarra','Jansen','Kowal','Lindgren','Moreau','Novak','Okafor','Petrov'])`,
)
const things = sql.raw(
  `(array['Linen','Hotels','Laundry','Clinics','Staffing','Equipment','Analytics','Textiles','Resorts','Logistics','Foods'])`,
)

/** Fills the lists of every area, spread over four products, three years and the cast. The same numbers give the same rows. */
export async function loadAreas(db: Db, sizes: Sizes, today: string): Promise<void> {
  await loadLeads(db, Math.max(sizes.leads, sizes.organizations), today)
  if (sizes.leads > 0) await loadHistory(db, today)
  await db.transaction().execute(async (trx) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(trx)
    await run(sql`set local statement_timeout = 0`)
    await run(sql`set local maintenance_work_mem = '1GB'`)
    await run(sql`insert into organizations (name, timezone, state, country, status, trial_end_date, domain, assign_to, created_by)
      select ${words}[1 + i % 16] || ' ' || ${things}[1 + i % 11] || ' ' || i, 'US/Eastern', '', (array['Germany','United States','France','Spain'])[1 + i % 4],
        1 + i % 4, case when i % 4 = 1 then ${today}::date + (i % 60) - 30 end, 'company' || i || '.example', 1 + i % 14, 1
      from generate_series(1, ${sizes.organizations}::int) i`)
    await run(
      sql`insert into organization_products select organization_id, 1 + organization_id % 4 from organizations`,
    )
    await run(sql`insert into onboardings (organization_id, lead_id, product_id, stage, status, stage_since, next_expected_date, assign_to, completed_at, created_by)
      select o.organization_id, l.lead_id, l.lead_for, (select min(id) from onboarding_stages s where s.product_id = l.lead_for), 1 + l.lead_id % 3,
        ${today}::date - l.lead_id % 90, ${today}::date + l.lead_id % 30, 1 + l.lead_id % 14, case when l.lead_id % 3 = 2 then now() end, 1
      from leads l join organizations o on o.organization_id = (select min(organization_id) from organizations) + l.lead_id - (select min(lead_id) from leads)
      where exists (select from onboarding_stages s where s.product_id = l.lead_for)`)
    await run(sql`insert into customer_users (organization_id, first_name, last_name, email, phone, is_master, role_id, status, is_subscribed, created_by)
      select (select min(organization_id) from organizations) + i % ${sizes.organizations}::int, (array['Anna','Bruno','Clara','David','Elif','Farid','Greta','Hugo','Ines','Jonas','Kemi','Lars','Mina'])[1 + i % 13],
        ${words}[1 + i % 16] || ' ' || i, 'user' || i || '@company' || i % 5000 || '.example', '+49 30 ' || lpad((i::bigint * 7919 % 100000000)::text, 8, '0'), i % 4 = 0, 1 + i % 3, (i % 10 > 0)::int, (i % 7 > 0)::int, 1
      from generate_series(1, ${sizes.users}::int) i`)
    await run(sql`insert into tickets (title, category, status, organization_id, sender_name, last_message_at, created_by, created_at, customer_user_id)
      select ${things}[1 + i % 11] || ' does not print page ' || i, 1 + i % 5, i % 6, (select min(organization_id) from organizations) + i % ${sizes.organizations}::int, '', ${today}::timestamptz - i * interval '7 minutes', 1,
        ${today}::timestamptz - i * interval '9 minutes', (select min(id) from customer_users) + i % ${sizes.organizations}::int
      from generate_series(1, ${sizes.tickets}::int) i`)
    await run(
      sql`insert into ticket_status_changes (ticket_id, from_status, to_status, changed_at) select id, 0, status, created_at + interval '2 days' from tickets where status in (4, 5)`,
    )
    // Without triggers, which would compute the first answer and the clocks of a ticket again for each of its messages.
    await run(sql`alter table ticket_messages disable trigger user`)
    await run(sql`insert into ticket_messages (ticket_id, sent_by_admin, message, staff_id, created_at)
      select t.id, n % 2 = 0, '<p>It stops after the second page, and the tray is full.</p>', case when n % 2 = 0 then 1 + t.id % 14 end,
        t.created_at + (1 + (t.id * 5 + n) % 90) * interval '17 minutes' from tickets t, generate_series(1, 5) n`)
    await run(sql`alter table ticket_messages enable trigger user`)
    await run(sql`update tickets t set first_answer_at = m.at from (
        select ticket_id, min(created_at) as at from ticket_messages where sent_by_admin group by 1
      ) m where m.ticket_id = t.id`)
    await run(sql`insert into audit_log (at, staff_id, endpoint, target_type, target_id, changes, address, request_id)
      select ${today}::timestamptz - (${sizes.logs}::int - i) * interval '15 seconds', 1 + i % 14, 'POST /admin/users/save-demo-requests', (array['lead','organization','ticket','task'])[1 + i % 4], 1 + i % 50000,
        '{"status": [1, 2]}', '127.0.0.1', 'bench-' || i from generate_series(1, ${sizes.logs}::int) i`)
    await run(sql`insert into sign_ins (staff_id, user_name, outcome, address, device, at)
      select 1 + i % 14, 'crm', 'signed_in', '127.0.0.1', 'Chromium on Linux', ${today}::timestamptz - (${sizes.logs}::int - i) * interval '20 seconds' from generate_series(1, ${sizes.logs}::int) i`)
    await run(
      sql`insert into chat_messages (staff_id, message) select 1 + i % 14, 'Who takes the demo of number ' || i || '?' from generate_series(1, ${sizes.chat}::int) i`,
    )
    await run(
      sql`insert into article_categories (kind, product_id, slug, title) select 'post', 1 + i % 4, 'category-' || i, 'Category ' || i from generate_series(1, 40) i`,
    )
    await run(sql`insert into articles (kind, product_id, slug, title, body, category, published, published_at, first_published_at, author_id, created_by)
      select k.kind, 1 + i % 4, 'article-' || i, 'How ' || ${words}[1 + i % 16] || ' saves ' || ${things}[1 + i % 11] || ' ' || i, '<p>' || repeat('Words of an article. ', 40) || '</p>',
        case when k.kind = 'post' then (select min(id) from article_categories) + (i - 1) % 40 end, (i % 3 > 0)::int, case when i % 3 > 0 then now() end, case when i % 3 > 0 then now() end, 1 + i % 14, 1
      from (values ('post'), ('case-study')) k(kind), generate_series(1, ${sizes.articles}::int) i`)
    await run(
      sql`insert into post_comments (post_id, sender_name, body, state) select (select min(id) from articles) + i % ${sizes.articles}::int, 'Reader ' || i, 'This was of help to our laundry.', i % 3 from generate_series(1, ${sizes.comments}::int) i`,
    )
    await run(sql`insert into article_categories (kind, slug, title) values ('faq', 'bench', 'Bench')`)
    await run(
      sql`insert into faqs (slug, title, category_id, order_number, author_id) select 'faq-' || i, 'What does part ' || i || ' do?', (select max(id) from article_categories), i, 1 from generate_series(1, ${sizes.faqs}::int) i`,
    )
    // Two hundred people in development, each of whom reports.
    await run(sql`insert into staff (user_name, slug, first_name, last_name, email, password_hash, role_id, created_at)
      select 'developer' || i, 'developer-' || i, (array['Anna','Bruno','Clara','David'])[1 + i % 4], ${words}[1 + i % 16] || ' ' || i, 'developer' || i || '@bench.example', d.password_hash, d.role_id, ${today}::timestamptz - interval '3 years'
      from staff d, generate_series(1, 200) i where d.user_name = 'developer'`)
    await run(
      sql`insert into staff_products select s.id, p.id from staff s, products p where s.user_name like 'developer_%'`,
    )
    await run(sql`insert into tasks (discipline, product_id, title, status, priority, assigned_to, due_date, dev_due_date, created_by)
      select (array['development','development','development','designer'])[1 + (i / 4) % 4], 1 + i % 4, 'Mend the ' || ${things}[1 + i % 11] || ' report ' || i, i % 8, 1 + i % 6, 1 + i % 14,
        case when i % 5 > 0 then ${today}::date - (i % ${sizes.tasks > 20_000 ? 1096 : 400}) + 30 end, ${today}::date - i % 365, 1
      from generate_series(1, ${sizes.tasks}::int) i`)
    await run(sql`insert into tasks (discipline, product_id, title, status, priority, assigned_to, due_date, created_by)
      select 'development', 1, 'Promised for this month ' || i, 1 + i % 6, 1 + i % 6, 1 + i % 14, date_trunc('month', ${today}::date)::date + i % 30, 1 from generate_series(1, ${sizes.tasks}::int / 40) i`)
    // The ticket to be answered: its requester has no address, so no email is queued.
    await run(
      sql`update customer_users set email = null where id = (select customer_user_id from tickets where id = 1)`,
    )
    await run(
      sql`insert into task_organizations select t.id, (select min(organization_id) from organizations) + t.id % ${sizes.organizations}::int from tasks t`,
    )
    await run(
      sql`insert into task_activities (task_id, type, created_by, status) select (select min(id) from tasks) + i % ${sizes.tasks}::int, 6, 1 + i % 14, i % 8 from generate_series(1, ${sizes.activities}::int) i`,
    )
    await run(sql`insert into quick_tasks (title, type, person, created_by, status, due_date, completed_at)
      select 'Call ' || ${words}[1 + i % 16] || ' ' || i, 1 + i % 5, 1 + i % 14, 1 + i / 14 % 14, (i % 10 > 0)::int, ${today}::date - i % 365, case when i % 10 > 0 then now() end from generate_series(1, ${sizes.quickTasks}::int) i`)
    await run(sql`insert into task_reports (task_id, staff_id, product_id, report_date, title, hours)
      select t.id, (select max(id) from staff) - i % 200, t.product_id, ${today}::date - i % 1096, 'Worked on part ' || i % 50, 0.25 * (1 + i % 12)
      from generate_series(1, ${sizes.reports}::int) i join tasks t on t.id = (select min(id) from tasks) + i % ${sizes.tasks}::int`)
  })
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
