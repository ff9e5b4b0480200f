import { sql } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { conversations } from '#features/crm/support/server/conversations.seed.ts'
import { writePeriods } from '#features/crm/support/server/targets/working-periods.ts'
import type { Db } from '#server/db/db.ts'

const titles = conversations.map(({ title }) => title)
const messages = conversations.flatMap((one) => one.messages)
const notes = conversations.map(({ note }) => note)
const tags = ['billing', 'devices', 'labels', 'training', 'urgent callback']

/**
 * Seeds 150 tickets with their conversations, comments, and cards, and a few notifications. The data is the
 * same for a given day. Does nothing if any ticket exists. All text is invented.
 */
export async function seedSupport(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('tickets').select('id').limit(1).executeTakeFirst()) return
  const desk = sql`(select id from staff where user_name = (array['support', 'csm', 'admin', 'adh'])[1 + i % 4])`
  // Every tenth ticket is from an admin user, and every fifteenth from an unknown address.
  await sql`insert into tickets (title, category, status, organization_id, customer_user_id, staff_id, sender_name, sender_email, customer_feedback, delivery_date,
      list_id, list_card_title, card_position, created_by, created_at, last_message_at)
    select title, 1 + i % 5, status, case when kind = 'customer' then u.organization_id end, case when kind = 'customer' then u.id end,
      case when kind = 'staff' then (select id from staff where user_name = (array['csm', 'adh', 'admin', 'support'])[1 + (i / 10) % 4]) end,
      case when kind = 'mail' then 'Front desk ' || i else '' end, case when kind = 'mail' then 'desk' || i || '@inn' || i || '.example' end,
      status = 3, case when i % 4 = 0 then ${today}::date + (i % 21) - 5 end,
      case when i % 6 = 1 then 1 + (i / 6) % 4 end, case when i % 6 = 1 then title else '' end, i, case when kind = 'staff' then ${desk} end,
      made, made + make_interval(mins => (i % 4) * (40 + (i * 7) % 11 * 50))
    from (select i, (${titles}::text[])[1 + (i * 5 + i / 12) % 12] as title, (array[0, 1, 3, 4, 0, 5, 4, 1, 4, 2])[1 + i % 10] as status,
        case when i % 10 = 9 then 'staff' when i % 15 = 7 then 'mail' else 'customer' end as kind,
        -- Two days back, so that no answer lies ahead of us.
        ${today}::date - make_interval(days => 2 + ((149 - i) * 2 / 3)::int) + make_interval(mins => 480 + (i * 37) % 500) as made
      from generate_series(0, 149) i) t
    left join lateral (select id, organization_id from customer_users where banned_at is null order by id
      offset (i * 7) % greatest((select count(*) from customer_users where banned_at is null), 1) limit 1) u on kind = 'customer'
    order by i`.execute(db)
  await sql`insert into ticket_messages (ticket_id, sent_by_admin, staff_id, customer_user_id, sender_name, sender_email, message, created_at)
    select t.id, n % 2 = 1, case when n % 2 = 1 then (select id from staff where user_name = (array['support', 'csm', 'admin', 'adh'])[1 + t.id % 4]) else t.staff_id end,
      case when n % 2 = 0 then t.customer_user_id end, case when n % 2 = 0 then t.sender_name else '' end, case when n % 2 = 0 then t.sender_email end,
      (${messages}::text[])[4 * (array_position(${titles}::text[], t.title) - 1) + 1 + n], at
    from tickets t cross join lateral (select n, t.created_at + make_interval(mins => n * (40 + ((t.id - 1) * 7) % 11 * 50)) as at
      from generate_series(0, (t.id - 1) % 4) n) m order by at, t.id, n`.execute(db)
  // The newest tickets are unread if the customer wrote last.
  await sql`update tickets t set unread_message_id = m.id from ticket_messages m
    where m.ticket_id = t.id and t.id > 138 and t.status in (0, 1) and not m.sent_by_admin and not exists (select from ticket_messages n where n.ticket_id = t.id and n.id > m.id)`.execute(
    db,
  )
  await sql`insert into ticket_reads (ticket_id, staff_id, message_id, read_at)
    select t.id, s.id, (select max(m.id) from ticket_messages m where m.ticket_id = t.id), t.last_message_at from tickets t, staff s
    where t.unread_message_id is null and s.user_name = 'support'`.execute(db)
  // The desk has read the older tickets, and each admin user has the newest ones in their own queue.
  await sql`insert into ticket_unread (staff_id, ticket_id, since) select s.id, t.id, t.last_message_at from tickets t, staff s
    where t.unread_message_id is not null and s.id is distinct from t.staff_id and exists (select from role_permissions p
      where p.role_id = s.role_id and p.permission = 'all_tickets_view')`.execute(db)
  await sql`update tickets t set priority = (array[3, 3, 2, 3, 4, 3, 1, 3])[1 + t.id % 8],
    assignee_id = case when t.id % 7 > 1 then (select id from staff where user_name = (array['support', 'csm', 'admin', 'adh'])[1 + t.id % 4]) end`.execute(
    db,
  )
  // Solved tickets were solved after their last message; every ninth of them had been solved before and came back.
  await sql`insert into ticket_status_changes (ticket_id, from_status, to_status, assignee_id, changed_at)
    select t.id, from_status, to_status, t.assignee_id, t.last_message_at + make_interval(hours => after)
    from tickets t cross join lateral (values (0, 4, 1, true), (4, 0, 5, true), (0, t.status, 7, false)) c (from_status, to_status, after, is_rare)
    where t.status in (4, 5) and (not is_rare or t.id % 9 = 0) order by 5`.execute(db)
  // Two of three customers rated the answer that solved their ticket.
  await sql`insert into ticket_ratings (message_id, asked_at, is_good, comment, rated_at)
    select m.id, m.created_at, case when is_rated then t.id % 4 <> 0 end,
      case when not is_rated then '' when t.id % 4 = 0 then 'It took too long.' when t.id % 7 = 0 then 'Quick and friendly, thank you!' else '' end,
      case when is_rated then m.created_at + interval '90 minutes' end
    from (select *, id % 3 <> 0 as is_rated from tickets where status in (4, 5)) t
    cross join lateral (select id, created_at from ticket_messages where ticket_id = t.id and sent_by_admin order by id desc limit 1) m`.execute(
    db,
  )
  await sql`insert into ticket_tags (name, position) select name, n from unnest(${tags}::text[]) with ordinality u(name, n)`.execute(
    db,
  )
  await sql`insert into ticket_tag_links (ticket_id, tag_id) select t.id, g.id from tickets t join ticket_tags g
    on (t.id + g.position) % 9 = 0`.execute(db)
  await sql`insert into ticket_comments (ticket_id, support_comment, organization_id, created_by, created_at)
    select t.id, (${notes}::text[])[array_position(${titles}::text[], t.title)], t.organization_id, (select id from staff where user_name = 'csm'), t.last_message_at
    from tickets t where t.id % 5 = 0`.execute(db)
  await sql`insert into notifications (subject, message, type, status, emails, created_by, created_at) select subject, '<p>' || words || '</p>', type, 0, '{}',
      (select id from staff where user_name = 'admin'), ${today}::date - n
    from (values (1, 'The new inventory list is here', 'You can sort it by floor, room, and item, and print it.', 2), (2, 'Maintenance on Sunday night', 'Booking will be unavailable between 2 and 4 a.m.', 3),
      (3, 'Fall training sessions', 'Three afternoons for linen room staff. Ask your contact to reserve a spot.', 1)) v(n, subject, words, type)`.execute(
    db,
  )
  await seedTargets(db, today)
}

const workday = { from: '08:00', to: '18:00' }
const hours = {
  zone: 'Europe/Berlin',
  days: [workday, workday, workday, workday, workday, null, null],
  holidays: [],
}
const targetDays = 28

/** Seeds service targets, which count for the tickets of the last four weeks. */
async function seedTargets(db: Db, today: PlainDate): Promise<void> {
  await writePeriods(db, hours, today)
  await db
    .insertInto('service_targets')
    .values([
      {
        position: 0,
        priority: 1,
        first_response: 60,
        next_response: 120,
        resolution: 600,
        in_working_hours: false,
      },
      { position: 1, first_response: 360, next_response: 480, resolution: 3600, in_working_hours: true },
    ])
    .execute()
  await db
    .insertInto('service_settings')
    .values({
      id: 1,
      since: addDays(today, -targetDays),
      pauses_while_waiting: true,
      reminder_percent: 75,
      zone: hours.zone,
      days: JSON.stringify(hours.days),
      holidays: JSON.stringify(hours.holidays),
    })
    .execute()
  await sql`select refresh_ticket_clocks(t.id) from tickets t where t.last_message_at >= ${addDays(today, -targetDays)}`.execute(
    db,
  )
  // Otherwise, all notices of targets that end soon, or have ended, would come together.
  await db.updateTable('ticket_clocks').set({ remind_at: null, is_reminded: true }).execute()
}
