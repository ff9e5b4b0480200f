-- Where a saved view is opened: the palette leads there, and a list is entered with the person's default.
alter table saved_views add path text not null default '' check (path = '' or path ~ '^/[a-z]');
