import { sql } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const titles = [
  'The scanner stopped after the update',
  'We cannot sign in since this morning',
  'Invoice 0417 names the wrong company',
  'How do we count returned table linen?',
  'The report of the month is empty',
  'A second printer for the linen room',
  'Please add two users for our new hotel',
  'Delivery notes are printed twice',
  'The app is slow on our tablets',
  'Can the stock list be sorted by floor?',
  'Training for the night shift',
  'Labels come out blank',
]
const asked = [
  'It worked yesterday. Nothing was changed on our side.',
  'We would like to use it from next week on, if that is possible.',
  'Two of our people see it, the others do not.',
  'Could you have a look, please? It holds up the morning round.',
]
const answers = [
  'Thank you for writing. We are looking at it and come back to you today.',
  'We found the cause. It will be put right with the next update.',
  'Could you tell us which browser you use, and since when it happens?',
  'It is done. Please try once more and tell us whether it works.',
]
const comments = [
  'The same as last week at another hotel.',
  'They have called about it as well.',
  'Waiting for the new labels.',
  'Please look at the log of Tuesday.',
]

/**
 * Seeds 150 tickets with their conversations, comments and cards, and a few notifications, the same for a given day; does nothing
 * if there are tickets. All texts are invented.
 */
export async function seedSupport(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('tickets').select('id').limit(1).executeTakeFirst()) return
  const desk = sql`(select id from staff where user_name = (array['support', 'csm', 'admin', 'adh'])[1 + i % 4])`
  // Every tenth is from a colleague, every fifteenth from an unknown address.
  await sql`insert into tickets (title, category, status, organization_id, customer_user_id, staff_id, sender_name, sender_email, customer_feedback, delivery_date,
      list_id, list_card_title, card_position, created_by, created_at, last_message_at)
    select title, 1 + i % 5, status, case when kind = 'customer' then u.organization_id end, case when kind = 'customer' then u.id end,
      case when kind = 'staff' then (select id from staff where user_name = (array['csm', 'adh', 'admin', 'support'])[1 + (i / 10) % 4]) end,
      case when kind = 'mail' then 'Front desk ' || i else '' end, case when kind = 'mail' then 'desk' || i || '@inn' || i || '.example' end,
      status = 3, case when i % 4 = 0 then ${today}::date + (i % 21) - 5 end,
      case when i % 6 = 1 then 1 + (i / 6) % 4 end, case when i % 6 = 1 then title else '' end, i, case when kind = 'staff' then ${desk} end,
      made, made + make_interval(hours => (i % 4) * 5)
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
      '<p>' || case when n % 2 = 0 then (${asked}::text[])[1 + (t.id + n) % 4] else (${answers}::text[])[1 + (t.id + n) % 4] end || '</p>',
      t.created_at + make_interval(hours => n * 5)
    from tickets t, generate_series(0, (t.id - 1) % 4) n order by t.created_at + make_interval(hours => n * 5), t.id, n`.execute(
    db,
  )
  // The newest of them are unread where the customer wrote last.
  await sql`update tickets t set unread_message_id = m.id from ticket_messages m
    where m.ticket_id = t.id and t.id > 138 and t.status in (0, 1) and not m.sent_by_admin and not exists (select from ticket_messages n where n.ticket_id = t.id and n.id > m.id)`.execute(
    db,
  )
  await sql`insert into ticket_reads (ticket_id, staff_id, message_id, read_at)
    select t.id, s.id, (select max(m.id) from ticket_messages m where m.ticket_id = t.id), t.last_message_at from tickets t, staff s
    where t.unread_message_id is null and s.user_name = 'support'`.execute(db)
  await sql`insert into ticket_comments (ticket_id, support_comment, organization_id, created_by, created_at)
    select t.id, (${comments}::text[])[1 + t.id % 4], t.organization_id, (select id from staff where user_name = 'csm'), t.last_message_at
    from tickets t where t.id % 5 = 0`.execute(db)
  await sql`insert into notifications (subject, message, type, status, emails, created_by, created_at) select subject, '<p>' || words || '</p>', type, 0, '{}',
      (select id from staff where user_name = 'admin'), ${today}::date - n
    from (values (1, 'The new stock list is here', 'It sorts by floor, room and article, and it prints.', 2), (2, 'Maintenance on Sunday night', 'Between two and four in the morning nothing can be booked.', 3),
      (3, 'Training in autumn', 'Three afternoons for the linen room; ask your contact for a place.', 1)) v(n, subject, words, type)`.execute(
    db,
  )
}
