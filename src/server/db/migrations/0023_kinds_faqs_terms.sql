-- Further kinds of articles, FAQs in an order of their own, and terms by version.

-- The kinds are a table of the code (src/shared/article-kinds.ts), so that one more is one row there.
alter table articles drop constraint articles_kind_check;
alter table articles add constraint articles_kind_check check (kind ~ '^[a-z]+(-[a-z]+)*$');

-- FAQs belong to no product, nor do their categories.
alter table article_categories alter column product_id drop not null;
alter table article_categories add constraint article_categories_product_check check ((kind = 'post') = (product_id is not null));
alter table article_categories drop constraint article_categories_kind_product_id_slug_key;
alter table article_categories add constraint article_categories_slug unique nulls not distinct (kind, product_id, slug);

create table faqs (
  id integer generated always as identity primary key,
  -- Unique in the trash too, so that what comes back has its address.
  slug text not null unique check (slug ~ '[^0-9]' and char_length(slug) <= 200),
  title text not null check (title <> ''),
  -- HTML of the allow-list.
  body text not null default '',
  -- An address; a file stands in file_links.
  video text not null default '',
  category_id integer not null references article_categories,
  -- The largest number, where none is said: place_faqs makes it the last.
  order_number integer not null default 2147483647 check (order_number > 0),
  published smallint not null default 0 check (published in (0, 1)),
  published_at timestamptz,
  first_published_at timestamptz,
  author_id integer not null references staff,
  search text generated always as (lower(title)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null)),
  check ((published = 1) = (published_at is not null)),
  -- Looked at when the transaction ends, because those between change places together. It is the index of the lists as well.
  constraint faqs_order exclude using btree (category_id with =, order_number with =) where (deleted_at is null) deferrable initially deferred
);
create index faqs_unpublished on faqs (category_id, order_number) where deleted_at is null and published = 0;
create index faqs_of_author on faqs (author_id, id);
create index faqs_in_trash on faqs (deleted_at desc, id desc) where deleted_at is not null;

/*
 * After every statement the living FAQs of the categories that it touched stand at 1…n again: those that were moved, or came, where they were put
 * (behind the last where that is beyond it), the others in their order around them. Numbers alone are written, so that those who close up keep their version.
 */
create function place_faqs() returns trigger language plpgsql as $$
declare
  touched integer[];
  moved integer[];
begin
  -- What is written below comes here again.
  if pg_trigger_depth() > 1 then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(distinct category_id), array_agg(id) into touched, moved from new_faqs;
  else
    select array_agg(distinct category), array_agg(distinct id) into touched, moved from (
      select n.id, unnest(array[o.category_id, n.category_id]) as category from old_faqs o join new_faqs n using (id)
      where (o.category_id, o.order_number, o.deleted_at is null) is distinct from (n.category_id, n.order_number, n.deleted_at is null)
    ) changed;
  end if;
  if touched is null then return null; end if;
  -- One at a time: whoever comes next sees the places that this one leaves.
  perform pg_advisory_xact_lock(hashtext('faq order'));
  with living as (
    select id, category_id, order_number, id = any(moved) as is_moved,
      row_number() over (partition by category_id, id = any(moved) order by order_number, id) as turn
    from faqs where category_id = any(touched) and deleted_at is null
  ), keyed as (
    -- Of those that were moved: behind how many others, which is its place without the moved ones before it.
    select id, category_id, turn, case when is_moved then max(order_number - turn) over (partition by category_id, is_moved order by turn) + 0.5 else turn end as key
    from living
  ), placed as (
    select id, row_number() over (partition by category_id order by key, turn) as place from keyed
  )
  update faqs f set order_number = placed.place from placed where f.id = placed.id and f.order_number <> placed.place;
  return null;
end $$;

create trigger place_new_faqs after insert on faqs referencing new table as new_faqs for each statement execute function place_faqs();
create trigger place_changed_faqs after update on faqs referencing old table as old_faqs new table as new_faqs for each statement execute function place_faqs();
create trigger keep_old_slug after update of slug on faqs for each row when (old.slug <> new.slug) execute function keep_old_slug('faq');

-- Each store is a row; none is ever changed or taken away.
create table terms (
  -- Its number: the versions are counted without a gap.
  id integer primary key check (id > 0),
  -- HTML of the allow-list.
  value text not null check (value <> ''),
  -- The day from which it counts.
  effective_on date not null,
  created_by integer not null references staff,
  created_at timestamptz not null default now()
);
create index terms_by_day on terms (effective_on desc, id desc);

create function refuse_change_of_terms() returns trigger language plpgsql as $$
begin
  raise exception 'terms are never changed: store a new version' using errcode = 'check_violation';
end $$;
create trigger refuse_change_of_terms before update or delete or truncate on terms for each statement execute function refuse_change_of_terms();
