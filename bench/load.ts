import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'

/**
 * Creates leads, spread evenly over the three years before a day, four products, eight statuses, five colors, the staff.
 * The same numbers give the same leads. About 20 s for 200,000.
 */
export async function loadLeads(db: Db, count: number, today: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`set local maintenance_work_mem = '1GB'`.execute(trx)
    await sql`drop index leads_search`.execute(trx)
    await sql`
      insert into leads (company_name, contact_name, phone, email, country, lead_for, services, company_url, hear_about, assign_to, lead_type, color, status, demo_status, lead_date, request_date, followup_date, created_by, created_at, additional_info)
      select
        (array['Aalto','Brennan','Castell','Dufour','Eriksen','Farrow','Greco','Haldane','Ibarra','Jansen','Kowal','Lindgren','Moreau','Novak','Okafor','Petrov'])[1 + i % 16] || ' ' ||
        (array['Linen','Hotels','Laundry','Clinics','Staffing','Equipment','Analytics','Textiles','Resorts','Logistics','Foods'])[1 + i % 11] || ' ' || i,
        (array['Anna','Bruno','Clara','David','Elif','Farid','Greta','Hugo','Ines','Jonas','Kemi','Lars','Mina'])[1 + i % 13] || ' ' ||
        (array['Aalto','Brown','Costa','Diaz','Evans','Fischer','Gomez'])[1 + i % 7],
        '+49 30 ' || lpad((i % 10000000)::text, 7, '0'),
        'contact' || i || '@company' || (i % 5000) || '.example',
        (array['Germany','United States','France','Spain','Norway','Nigeria','Brazil','Japan','Canada'])[1 + i % 9],
        1 + i % 4,
        (select name from lead_services order by name offset i % (select count(*) from lead_services) limit 1),
        'https://company' || (i % 5000) || '.example',
        (select name from lead_sources order by name offset i % (select count(*) from lead_sources) limit 1),
        case when i % 5 = 0 then null else 1 + i % 14 end,
        1 + i % 2, i % 5, 1 + (i / 4) % 8, i % 4,
        ${today}::date - (i % 1096),
        case when i % 3 = 0 then ${today}::date - (i % 1096) + 3 end,
        case when i % 2 = 0 then ${today}::date - (i % 400) + 30 end,
        1, ${today}::date - (i % 1096),
        'Asked about delivery times and prices.'
      from generate_series(1, ${count}::int) i`.execute(trx)
    await sql`insert into lead_tag_links (lead_id, tag_id) select lead_id, (select id from lead_tags order by id offset lead_id % 3 limit 1) from leads where lead_id % 4 = 0 on conflict do nothing`.execute(
      trx,
    )
    await sql`create index leads_search on leads using gin (search gin_trgm_ops) where deleted_at is null`.execute(
      trx,
    )
  })
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    for (const table of ['leads', 'lead_tag_links', 'lead_counts', 'follow_up_counts'])
      await sql`vacuum analyze ${sql.table(table)}`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
