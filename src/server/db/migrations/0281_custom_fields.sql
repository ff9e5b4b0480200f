-- Fields of leads that a product defines. A deleted field stays, so that the history can name it; its values are removed
-- from the leads after a while (purged_at).
create table custom_fields (
  id integer generated always as identity primary key,
  product_id smallint not null references products,
  name text not null check (name <> '' and char_length(name) <= 80),
  type text not null check (type in ('text', 'number', 'choice', 'choices', 'date', 'yes_no', 'link')),
  -- [{ id, name, is_removed }] in order; a removed choice stays, because leads can have it.
  choices jsonb not null default '[]',
  position integer not null,
  version integer not null default 1,
  removed_at timestamptz,
  purged_at timestamptz
);
create unique index custom_fields_name on custom_fields (product_id, lower(name)) where removed_at is null;
create index custom_fields_to_purge on custom_fields (removed_at) where purged_at is null;

-- The values of a lead by the ID of their field (docs/decisions/031).
alter table leads add custom_values jsonb not null default '{}';
