-- The names of the imported details of each product, which can be columns of its lead list: with a million leads, these
-- can't be looked through for them.
-- long lock: no lead is written while the details of all leads are read once.
create table lead_detail_labels (
  product_id smallint not null references products (id),
  label text not null check (label <> ''),
  primary key (product_id, label)
);

create function note_details_of_new_leads() returns trigger language plpgsql as $$
begin
  insert into lead_detail_labels (product_id, label)
    select distinct n.lead_for, d ->> 'label' from entered n, jsonb_array_elements(n.details) d
    where n.details <> '[]' and d ->> 'label' <> '' order by 1, 2
    on conflict do nothing;
  return null;
end $$;
create trigger lead_details_entered after insert on leads referencing new table as entered
  for each statement execute function note_details_of_new_leads();

create function note_details_of_lead() returns trigger language plpgsql as $$
begin
  insert into lead_detail_labels (product_id, label)
    select distinct new.lead_for, d ->> 'label' from jsonb_array_elements(new.details) d
    where d ->> 'label' <> '' order by 2
    on conflict do nothing;
  return null;
end $$;
create trigger lead_details_changed after update of details, lead_for on leads
  for each row when (new.details <> '[]' and (old.details <> new.details or old.lead_for <> new.lead_for))
  execute function note_details_of_lead();

insert into lead_detail_labels (product_id, label)
  select distinct l.lead_for, d ->> 'label' from leads l, jsonb_array_elements(l.details) d
  where l.details <> '[]' and d ->> 'label' <> ''
  on conflict do nothing;

-- Views that were saved before all fields were columns name the columns that they show, so that they don't show new ones.
update saved_views v set shown_columns = (
  select coalesce(jsonb_agg(c.id), '[]') from unnest(array['number', 'email', 'country', 'website', 'request', 'amount',
    'billing', 'close', 'type', 'demo', 'service', 'source', 'stuck', 'tags']) c (id)
  where not v.hidden_columns ? c.id
) where v.list = 'leads' and v.shown_columns is null and v.hidden_columns is not null;
