-- Where a product's posts are published: emails link to this URL, followed by the post's slug.
alter table products
  add posts_url text not null default '' check (posts_url = '' or posts_url ~* '^https?://');
