-- When an article was announced to the subscribed customers of its product: once, whatever is undone and published again later.
alter table articles
  add column announced_at timestamptz,
  add column mail_id integer references mails on delete set null;
create index articles_mail on articles (mail_id) where mail_id is not null;
-- What the dashboard shows.
create index articles_in_admin on articles (product_id, published_at desc, id desc) where show_in_admin = 1 and published = 1 and deleted_at is null;
