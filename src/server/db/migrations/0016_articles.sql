-- The blog, and what other kinds of articles share with it: categories, slugs and their old addresses, comments, media, meta tags.

create table article_categories (
  id integer generated always as identity primary key,
  -- Whose categories: of posts, of FAQs.
  kind text not null default 'post' check (kind in ('post', 'faq')),
  product_id smallint not null references products,
  slug text not null check (slug ~ '[^0-9]' and char_length(slug) <= 200),
  title text not null check (title <> ''),
  description text not null default '',
  meta_title text not null default '',
  meta_description text not null default '',
  meta_keyword text not null default '',
  -- A text of its own; a picture stands in file_links.
  icon text not null default '',
  parent_id integer references article_categories check (parent_id <> id),
  search text generated always as (lower(title)) stored,
  version integer not null default 1,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null)),
  unique (kind, product_id, slug)
);
create index article_categories_by_title on article_categories (kind, product_id, search, id) where deleted_at is null;
create index article_categories_of_parent on article_categories (parent_id) where parent_id is not null;
create index article_categories_search on article_categories using gin (search gin_trgm_ops) where deleted_at is null;
create index article_categories_in_trash on article_categories (deleted_at desc, id desc) where deleted_at is not null;

create table category_moderators (
  category_id integer not null references article_categories on delete cascade,
  staff_id integer not null references staff on delete cascade,
  primary key (category_id, staff_id)
);
create index category_moderators_of_staff on category_moderators (staff_id, category_id);

create table articles (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('post', 'case-study', 'user-guide', 'event', 'brochure', 'webinar')),
  product_id smallint not null references products,
  -- Unique in the trash too, so that what comes back has its address.
  slug text not null check (slug ~ '[^0-9]' and char_length(slug) <= 200),
  title text not null check (title <> ''),
  -- HTML of the allow-list.
  body text not null default '',
  caption text not null default '',
  short_description text not null default '',
  category integer references article_categories,
  meta_title text not null default '',
  meta_description text not null default '',
  meta_keyword text not null default '',
  show_in_admin smallint not null default 0 check (show_in_admin in (0, 1)),
  featured smallint not null default 0 check (featured in (0, 1)),
  send_email smallint not null default 0 check (send_email in (0, 1)),
  published smallint not null default 0 check (published in (0, 1)),
  published_at timestamptz,
  -- From then on the title no longer makes the slug.
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
  constraint articles_category_check check ((kind = 'post') = (category is not null)),
  unique (kind, product_id, slug)
);
create index articles_newest on articles (kind, product_id, id desc) where deleted_at is null;
create index articles_by_state on articles (kind, product_id, published, id desc) where deleted_at is null;
create index articles_featured on articles (kind, product_id, id desc) where deleted_at is null and featured = 1;
create index articles_by_title on articles (kind, product_id, search, id) where deleted_at is null;
create index articles_by_published_at on articles (kind, product_id, published_at, id) where deleted_at is null;
create index articles_by_change on articles (kind, product_id, updated_at, id) where deleted_at is null;
create index articles_of_category on articles (category, id desc) where category is not null;
create index articles_of_author on articles (author_id, id desc);
create index articles_search on articles using gin (search gin_trgm_ops) where deleted_at is null;
create index articles_in_trash on articles (deleted_at desc, id desc) where deleted_at is not null;

create table post_tags (
  id integer generated always as identity primary key,
  slug text not null check (slug ~ '[^0-9]' and char_length(slug) <= 200),
  name text not null check (name <> ''),
  search text generated always as (lower(name)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null)),
  unique (slug)
);
create unique index post_tags_name on post_tags (search) where deleted_at is null;
create index post_tags_search on post_tags using gin (search gin_trgm_ops) where deleted_at is null;
create index post_tags_in_trash on post_tags (deleted_at desc, id desc) where deleted_at is not null;

create table post_tag_links (
  article_id integer not null references articles on delete cascade,
  tag_id integer not null references post_tags on delete cascade,
  primary key (article_id, tag_id)
);
create index post_tag_links_of_tag on post_tag_links (tag_id, article_id desc);

create table post_comments (
  id integer generated always as identity primary key,
  post_id integer not null references articles,
  sender_name text not null check (sender_name <> ''),
  sender_email text not null default '',
  body text not null check (body <> ''),
  -- 0 pending, 1 approved, 2 spam.
  state smallint not null default 0 check (state in (0, 1, 2)),
  -- Its owner, where staff wrote it.
  user_id integer references staff,
  -- The id that the public site gave it: what comes twice is stored once.
  message_id text unique,
  search text generated always as (lower(sender_name || ' ' || body)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  deleted_by integer references staff,
  check ((deleted_at is null) = (deleted_by is null))
);
create index post_comments_latest on post_comments (id desc) where deleted_at is null;
create index post_comments_by_state on post_comments (state, id desc) where deleted_at is null;
create index post_comments_of_post on post_comments (post_id, id desc) where deleted_at is null;
create index post_comments_search on post_comments using gin (search gin_trgm_ops) where deleted_at is null;
create index post_comments_in_trash on post_comments (deleted_at desc, id desc) where deleted_at is not null;

-- Pictures that articles choose from; each is a row over a stored file.
create table media (
  id integer generated always as identity primary key,
  product_id smallint not null references products,
  file_id integer not null references files,
  alt text not null default '',
  -- It says nothing, so that it needs no text.
  decorative boolean not null default false,
  created_by integer references staff,
  created_at timestamptz not null default now(),
  unique (product_id, file_id)
);
create index media_newest on media (product_id, id desc);
create index files_by_content on files (sha256);

create table meta_tags (
  -- The product's id.
  id smallint primary key references products,
  category_title text not null default '',
  category_meta_title text not null default '',
  category_meta_description text not null default '',
  category_meta_keyword text not null default '',
  category_description text not null default '',
  faq_title text not null default '',
  faq_meta_title text not null default '',
  faq_meta_description text not null default '',
  faq_meta_keyword text not null default '',
  faq_description text not null default '',
  updated_at timestamptz not null default now(),
  updated_by integer references staff
);

-- Old addresses. Each leads to a record and not to another address, so that there are no chains and no loops.
create table slug_redirects (
  -- `post`, `category-post`, `tag`.
  kind text not null,
  product_id smallint not null default 0,
  slug text not null,
  record_id integer not null,
  created_at timestamptz not null default now(),
  primary key (kind, product_id, slug)
);
create index slug_redirects_of_record on slug_redirects (kind, record_id);

-- By a trigger, so that undoing a new address keeps it working too.
create function keep_old_slug() returns trigger language plpgsql as $$
declare
  space text := tg_argv[0] || coalesce(to_jsonb(new)->>'kind', '');
  product smallint := coalesce((to_jsonb(new)->>'product_id')::smallint, 0);
begin
  delete from slug_redirects where kind = space and product_id = product and slug = new.slug;
  insert into slug_redirects (kind, product_id, slug, record_id) values (space, product, old.slug, new.id)
    on conflict (kind, product_id, slug) do update set record_id = excluded.record_id;
  return null;
end $$;
create trigger keep_old_slug after update of slug on articles for each row when (old.slug <> new.slug) execute function keep_old_slug('');
create trigger keep_old_slug after update of slug on article_categories for each row when (old.slug <> new.slug) execute function keep_old_slug('category-');
create trigger keep_old_slug after update of slug on post_tags for each row when (old.slug <> new.slug) execute function keep_old_slug('tag');
