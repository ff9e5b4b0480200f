-- Web forms: a public page per product, whose visitors become inbound leads.
create table web_forms (
  id integer generated always as identity primary key,
  product_id smallint not null unique references products,
  -- The last part of the address of the page.
  slug text not null unique check (slug ~ '^[a-z0-9-]{3,60}$'),
  is_on boolean not null default false,
  title text not null check (title <> '' and char_length(title) <= 200),
  intro text not null default '' check (char_length(intro) <= 2000),
  thanks text not null check (thanks <> '' and char_length(thanks) <= 1000),
  button text not null check (button <> '' and char_length(button) <= 40),
  -- [{ field, label, required }] in the order of the page.
  fields jsonb not null,
  -- The text that visitors agree to, since when it has been this text; empty if they aren't asked.
  consent text not null default '' check (char_length(consent) <= 2000),
  consent_since timestamptz,
  -- The websites that can show the page in a frame, such as https://www.example.com.
  origins text[] not null default '{}',
  -- The source that leads get.
  source text references lead_sources on update cascade on delete set null,
  version integer not null default 1,
  check ((consent = '') = (consent_since is null))
);
create index web_forms_of_source on web_forms (source);

-- The people who get the leads in turn: the person whose last turn is the longest ago is next.
create table web_form_people (
  form_id integer not null references web_forms on delete cascade,
  staff_id integer not null references staff on delete cascade,
  position integer not null,
  -- 0 until the first turn.
  last_turn integer not null default 0,
  primary key (form_id, staff_id)
);
create index web_form_people_of_staff on web_form_people (staff_id);

-- What is held as spam, until an admin accepts or deletes it.
create table web_form_entries (
  id integer generated always as identity primary key,
  form_id integer not null references web_forms on delete cascade,
  reason text not null check (reason in ('hidden_field', 'too_fast', 'no_time')),
  -- The values by field, as they were sent.
  values jsonb not null,
  campaign text not null default '' check (char_length(campaign) <= 700),
  consent text not null default '' check (char_length(consent) <= 2000),
  consent_since timestamptz,
  -- A keyed hash, so that entries of one address can be told apart without the address.
  address_hash text not null check (char_length(address_hash) <= 60),
  created_at timestamptz not null
);
create index web_form_entries_newest on web_form_entries (form_id, id desc);
create index web_form_entries_by_age on web_form_entries (created_at);

-- What became part of leads, with the text that its sender agreed to; empty if they weren't asked.
create table web_form_leads (
  id integer generated always as identity primary key,
  form_id integer not null references web_forms on delete cascade,
  lead_id integer not null references leads on delete cascade,
  consent text not null default '' check (char_length(consent) <= 2000),
  consent_since timestamptz,
  sent_at timestamptz not null
);
create index web_form_leads_by_time on web_form_leads (form_id, sent_at);
create index web_form_leads_of_lead on web_form_leads (lead_id);
