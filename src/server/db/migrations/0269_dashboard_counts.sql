-- The counts of leads to follow up (migration 0248) also by assignee, so that the dashboard shows who has overdue ones
-- without reading the leads.
-- long lock: all leads are counted once, which took seconds for a million, and a change in between would be missed. Until
-- all processes run the new version, an older one can't compact these counts, which a later night does.
lock table leads in share row exclusive mode;
drop index follow_up_counts_by_day;
delete from follow_up_counts;
alter table follow_up_counts
  -- 0: of leads without an assignee. Not a reference: the rows of a user whose leads are gone add up to 0.
  add assign_to integer not null;
create index follow_up_counts_by_day on follow_up_counts (lead_for, followup_date) include (assign_to, change);

create or replace function count_entered_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, count(*) from entered where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), count(*) from entered
    where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3;
  return null;
end
$$;

create or replace function count_gone_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, -count(*) from gone where deleted_at is null group by 1, 2, 3, 4;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), -count(*) from gone
    where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3;
  return null;
end
$$;

create or replace function count_changed_leads() returns trigger language plpgsql as $$
begin
  insert into lead_counts (lead_for, lead_date, status, since_entered, change)
    select lead_for, lead_date, status, status_at is null, sum(change) from (
      select lead_for, lead_date, status, status_at, deleted_at, -1 as change from gone
      union all select lead_for, lead_date, status, status_at, deleted_at, 1 from entered
    ) l where deleted_at is null group by 1, 2, 3, 4 having sum(change) <> 0;
  insert into follow_up_counts (lead_for, followup_date, assign_to, change)
    select lead_for, followup_date, coalesce(assign_to, 0), sum(change) from (
      select lead_for, followup_date, assign_to, status, deleted_at, -1 as change from gone
      union all select lead_for, followup_date, assign_to, status, deleted_at, 1 from entered
    ) l where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3
      having sum(change) <> 0;
  return null;
end
$$;

insert into follow_up_counts (lead_for, followup_date, assign_to, change)
  select lead_for, followup_date, coalesce(assign_to, 0), count(*) from leads
  where deleted_at is null and followup_date is not null and status <> 8 group by 1, 2, 3;

-- How many organizations have exactly these products, so that it is known without reading them whether a reader sees all.
-- Organizations in the trash count too, because their tickets do. Rows are differences, as above.
create table organization_product_sets (
  products integer[] not null,
  change integer not null
);

create function count_organizations() returns trigger language plpgsql as $$
begin
  insert into organization_product_sets (products, change)
    select '{}', case when tg_op = 'INSERT' then count(*) else -count(*) end from organizations_written having count(*) > 0;
  return null;
end
$$;

-- Before the statement, an organization had the products it has now, without those that the statement added and with those
-- that it removed. An organization that is gone has none left. The lock lets statements on one organization take turns.
create function count_organization_products() returns trigger language plpgsql as $$
begin
  perform from organizations where organization_id in (select organization_id from products_written)
    order by organization_id for no key update;
  insert into organization_product_sets (products, change)
    select s.products, sum(s.change) from (
      select array(select p.product_id::integer from organization_products p
        where p.organization_id = w.organization_id order by 1) as products, 1 as change
        from (select distinct organization_id from products_written) w
      union all
      select array(
        select p.product_id::integer from organization_products p where p.organization_id = w.organization_id
          and (tg_op = 'DELETE' or p.product_id not in (
            select d.product_id from products_written d where d.organization_id = w.organization_id))
        union select d.product_id::integer from products_written d
          where tg_op = 'DELETE' and d.organization_id = w.organization_id
        order by 1), -1
        from (select distinct organization_id from products_written) w
    ) s group by 1 having sum(s.change) <> 0;
  return null;
end
$$;

-- The products of an organization are added and removed, never changed.
create function refuse_moved_organization_product() returns trigger language plpgsql as $$
begin
  raise exception 'Remove the product of an organization, and add another one.';
end
$$;

lock table organizations, organization_products in share row exclusive mode;
create trigger organizations_counted after insert on organizations referencing new table as organizations_written
  for each statement execute function count_organizations();
create trigger organizations_gone after delete on organizations referencing old table as organizations_written
  for each statement execute function count_organizations();
create trigger organization_products_counted after insert on organization_products
  referencing new table as products_written for each statement execute function count_organization_products();
create trigger organization_products_gone after delete on organization_products
  referencing old table as products_written for each statement execute function count_organization_products();
create trigger organization_products_moved before update on organization_products
  for each row when ((old.organization_id, old.product_id) is distinct from (new.organization_id, new.product_id))
  execute function refuse_moved_organization_product();

insert into organization_product_sets (products, change)
  select s.products, count(*) from (
    select array(select p.product_id::integer from organization_products p
      where p.organization_id = o.organization_id order by 1) as products
    from organizations o
  ) s group by 1;
