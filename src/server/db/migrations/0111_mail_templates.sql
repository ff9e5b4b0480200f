-- Texts of emails. A kind without a row has the text that is part of the program; each save adds a version.
create table mail_templates (
  id integer primary key generated always as identity,
  kind text not null check (kind ~ '^[a-z][a-z-]{0,39}$'),
  -- Null: all products without their own text.
  product_id integer references products,
  -- Only for templates of the composer, of which there are any number.
  name text not null default '' check (char_length(name) <= 80 and name !~ '[[:cntrl:]]'),
  check ((kind = 'composer') = (name <> '')),
  version integer not null default 1,
  removed_at timestamptz,
  updated_at timestamptz not null default now()
);
create unique index mail_templates_by_kind on mail_templates (kind, product_id) nulls not distinct where kind <> 'composer';
create unique index mail_templates_by_name on mail_templates (lower(name), product_id) nulls not distinct where kind = 'composer' and removed_at is null;

create table mail_template_versions (
  template_id integer not null references mail_templates,
  version integer not null,
  primary key (template_id, version),
  subject text not null check (subject <> '' and char_length(subject) <= 300 and subject !~ '[[:cntrl:]]'),
  content text not null check (char_length(content) <= 100000),
  -- Why it was saved, such as "Restored version 2".
  note text not null default '' check (char_length(note) <= 200),
  created_by integer references staff,
  created_at timestamptz not null default now()
);
