-- The search text of an onboarding has the names of its organization and its lead, and follows both.
create function onboarding_search(organization integer, lead integer) returns text stable language sql as $$
  select lower(
    (select o.name from organizations o where o.organization_id = organization) || ' '
      || (select l.company_name from leads l where l.lead_id = lead)
  )
$$;

create function set_onboarding_search() returns trigger language plpgsql as $$
begin
  new.search := onboarding_search(new.organization_id, new.lead_id);
  return new;
end
$$;
alter table onboardings alter search set default '';
create trigger set_onboarding_search before insert or update of organization_id, lead_id, search on onboardings
  for each row execute function set_onboarding_search();

create function rename_in_onboardings() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'organizations' then
    update onboardings set search = '' where organization_id = new.organization_id;
  else
    update onboardings set search = '' where lead_id = new.lead_id;
  end if;
  return null;
end
$$;
create trigger rename_in_onboardings after update of name on organizations
  for each row when (old.name <> new.name) execute function rename_in_onboardings();
create trigger rename_in_onboardings after update of company_name on leads
  for each row when (old.company_name <> new.company_name) execute function rename_in_onboardings();

update onboardings set search = '';
