-- An admin user can be away without a known end: `has_no_end` makes a day stand for all days after it, too. Days begin
-- and end in `zone`.
-- long lock: the table has a row per person and day away, so its index is built in milliseconds.
alter table staff_away
  add column zone text not null default 'UTC',
  add column has_no_end boolean not null default false;
create unique index staff_away_without_end on staff_away (staff_id) where has_no_end;

-- The last of the days without a gap on which someone is away at a time; infinity if no end is known, null if they are
-- present.
create function away_until(staff integer, at timestamptz) returns date language sql stable as $$
  select case when bool_or(r.has_no_end) then 'infinity'::date else max(r.day) end from (
    select d.day, d.has_no_end, d.day - d.today + 1 - dense_rank() over (order by d.day) as gap from (
      select case when a.has_no_end then greatest(a.day, z.today) else a.day end as day, a.has_no_end, z.today
      from staff_away a, lateral (select (at at time zone a.zone)::date as today) z
      where a.staff_id = staff) d
    where d.day >= d.today) r
  where r.gap = 0
$$;
