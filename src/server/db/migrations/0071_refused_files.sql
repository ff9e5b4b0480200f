-- Why files of a customer's email were not saved, one sentence for each.
alter table ticket_messages add column refused_files text[] not null default '{}';
