-- The values of custom fields by type, by which the lead list is filtered (docs/decisions/031). A trigger writes them from
-- leads.custom_values, so that no way of changing a lead is left out. A lead that was moved keeps the values of its former
-- product, but they aren't here, because no page shows them.
create table lead_custom_values (
  lead_id integer not null references leads on delete cascade,
  -- The trigger reads it from custom_fields, whose rows are never deleted, so it needs no check for each value.
  field_id integer not null,
  number_value double precision,
  date_value date,
  -- Each of several choices has a row.
  choice_id integer,
  yes_no boolean,
  -- The search_text of a text or a link.
  search text,
  check (num_nonnulls(number_value, date_value, choice_id, yes_no, search) = 1)
);
create index lead_custom_values_of_lead on lead_custom_values (lead_id);
-- For leads without a value.
create index lead_custom_values_of_field on lead_custom_values (field_id, lead_id);
create index lead_custom_values_number on lead_custom_values (field_id, number_value, lead_id) where number_value is not null;
create index lead_custom_values_date on lead_custom_values (field_id, date_value, lead_id) where date_value is not null;
create index lead_custom_values_choice on lead_custom_values (field_id, choice_id, lead_id) where choice_id is not null;
create index lead_custom_values_yes_no on lead_custom_values (field_id, yes_no, lead_id) where yes_no is not null;
create index lead_custom_values_search on lead_custom_values using gin (search gin_trgm_ops) where search is not null;

create function typed_custom_values(product smallint, given jsonb)
  returns table (field_id integer, number_value double precision, date_value date, choice_id integer, yes_no boolean, search text)
  language sql stable as $$
  select f.id,
    case when f.type = 'number' then one.value::double precision end,
    case when f.type = 'date' then (one.value #>> '{}')::date end,
    case when f.type in ('choice', 'choices') then one.value::integer end,
    case when f.type = 'yes_no' then one.value::boolean end,
    case when f.type in ('text', 'link') then search_text(one.value #>> '{}') end
  from custom_fields f
  cross join lateral (select given -> f.id::text) stored (value)
  cross join lateral jsonb_array_elements(
    case jsonb_typeof(stored.value) when 'array' then stored.value else jsonb_build_array(stored.value) end
  ) one (value)
  where f.product_id = product and given ? f.id::text
    and jsonb_typeof(one.value) = case f.type when 'number' then 'number' when 'choice' then 'number'
      when 'choices' then 'number' when 'yes_no' then 'boolean' else 'string' end
    and (f.type <> 'date' or one.value #>> '{}' ~ '^\d{4}-\d\d-\d\d$')
$$;

create function note_custom_values() returns trigger language plpgsql as $$
begin
  -- Of a new lead, old is null, so all values differ.
  if tg_op = 'UPDATE' then
    delete from lead_custom_values v where v.lead_id = new.lead_id and (old.lead_for <> new.lead_for
      or old.custom_values -> v.field_id::text is distinct from new.custom_values -> v.field_id::text);
  end if;
  insert into lead_custom_values (lead_id, field_id, number_value, date_value, choice_id, yes_no, search)
    select new.lead_id, t.* from typed_custom_values(new.lead_for, new.custom_values) t
    where old.lead_for is distinct from new.lead_for
      or old.custom_values -> t.field_id::text is distinct from new.custom_values -> t.field_id::text;
  return null;
end $$;
create trigger leads_custom_values_entered after insert on leads
  for each row when (new.custom_values <> '{}') execute function note_custom_values();
create trigger leads_custom_values_changed after update of custom_values, lead_for on leads
  for each row when (old.custom_values <> new.custom_values or old.lead_for <> new.lead_for)
  execute function note_custom_values();

-- long lock: the trigger is there first, so that no value is missed, and changes to leads wait until the values are copied.
-- Custom fields are new, so few leads have values.
insert into lead_custom_values (lead_id, field_id, number_value, date_value, choice_id, yes_no, search)
  select l.lead_id, t.* from leads l cross join lateral typed_custom_values(l.lead_for, l.custom_values) t
  where l.custom_values <> '{}';
