-- When and where an event or a webinar takes place: times by the clock on the wall of its zone, so that a zone that changes its rules moves nothing.
alter table articles
  add column starts text not null default '' check (starts ~ '^(\d{4}-\d\d-\d\dT\d\d:\d\d)?$'),
  add column ends text not null default '' check (ends ~ '^(\d{4}-\d\d-\d\dT\d\d:\d\d)?$'),
  add column zone text not null default '' check (char_length(zone) <= 64),
  add column place text not null default '' check (char_length(place) <= 500),
  add constraint articles_time check ((starts = '' or zone <> '') and (ends = '' or (starts <> '' and ends >= starts)));
create index articles_by_start on articles (kind, product_id, starts, id) where deleted_at is null;
