-- The other people of a lead: its primary contact is in the columns of the lead, which lists, searches, and clients read.
create table lead_contacts (
  id integer generated always as identity primary key,
  lead_id integer not null references leads on delete cascade,
  name text not null default '' check (char_length(name) <= 200),
  role text not null default '' check (char_length(role) <= 80),
  email text not null default '' check (char_length(email) <= 254),
  phone text not null default '' check (char_length(phone) <= 60),
  version integer not null default 1,
  check (name <> '' or email <> '' or phone <> '')
);
create index lead_contacts_of_lead on lead_contacts (lead_id, id);
create index lead_contacts_by_email on lead_contacts (lower(email), lead_id) where email <> '';
create statistics lead_contacts_email on (lower(email)) from lead_contacts;

-- Not validated, which would read all leads while they are locked: all of them have the default.
alter table leads add contact_role text not null default '';
alter table leads add constraint leads_contact_role_length check (char_length(contact_role) <= 80) not valid;
