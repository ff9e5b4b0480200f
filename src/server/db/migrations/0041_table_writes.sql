-- When a table was written to, so that a count of its rows is remembered until then (src/server/record/counted.ts).
-- A row is a statement that wrote, with a mark of chance: whoever writes waits for nobody, and what is rolled back leaves no mark that comes again.
create table table_writes (
  table_name text not null,
  mark bigint not null
);
create index table_writes_of_table on table_writes (table_name) include (mark);

create function note_table_write() returns trigger language plpgsql as $$
begin
  insert into table_writes values (tg_table_name, (random() * 1099511627776)::bigint);
  return null;
end
$$;

do $$
declare
  watched text;
begin
  foreach watched in array array[
    'articles', 'customer_contracts', 'customer_users', 'onboardings', 'organization_products', 'organizations', 'post_comments',
    'post_tag_links', 'quick_tasks', 'task_organizations', 'tasks', 'tickets'
  ] loop
    execute format('create trigger %I after insert or update or delete or truncate on %I for each statement execute function note_table_write()', watched || '_written', watched);
    insert into table_writes values (watched, (random() * 1099511627776)::bigint);
  end loop;
end
$$;
