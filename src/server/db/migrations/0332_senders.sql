-- Addresses from which users write besides their own, as colleagues said. Emails from them are recognized.
create table user_addresses (
  address citext primary key check (address <> '' and char_length(address::text) <= 254),
  user_id integer not null references customer_users on delete cascade,
  added_by integer references staff,
  added_at timestamptz not null default now(),
  -- The email with which it was added: if that is returned to Unsorted, the address is removed.
  received_mail_id integer references received_mails on delete set null
);
create index user_addresses_of_user on user_addresses (user_id);
create index user_addresses_of_mail on user_addresses (received_mail_id) where received_mail_id is not null;

-- Whether our mail server checks who sent emails: then one that isn't verified changes nothing about its sender.
alter table received_mails add column was_checked boolean not null default false;

-- The addresses of a user.
create function addresses_of(customer integer) returns setof citext language sql stable as $$
  select u.email from customer_users u where u.id = customer and u.email is not null
  union all select a.address from user_addresses a where a.user_id = customer
$$;

-- Where replies to a ticket go: the address from which its requester wrote last on it, if it is one of theirs.
create function requester_address(ticket integer) returns text language sql stable as $$
  select coalesce((
      select l.sender_email from (
        select m.sender_email from ticket_messages m left join received_mails e on e.ticket_message_id = m.id
        where m.ticket_id = t.id and m.customer_user_id = t.customer_user_id and m.sender_email is not null
          and (e.id is null or not e.was_checked or e.verified_by is not null)
        order by m.id desc limit 1) l
      where l.sender_email in (select a.address from user_addresses a where a.user_id = t.customer_user_id)),
    u.email, s.email, t.sender_email)::text
  from tickets t left join customer_users u on u.id = t.customer_user_id left join staff s on s.id = t.staff_id
  where t.id = ticket
$$;

-- Senders whose emails are put under Spam, unless they answer a conversation.
create table blocked_senders (
  address citext primary key check (address <> '' and char_length(address::text) <= 254),
  blocked_by integer references staff,
  blocked_at timestamptz not null default now()
);
