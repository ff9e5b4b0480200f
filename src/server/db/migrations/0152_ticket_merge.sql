-- A merged ticket is hidden; its messages are in the ticket that stays, and so are replies to it.
alter table tickets add merged_into integer references tickets check (merged_into <> id);
create index tickets_merged_into on tickets (merged_into) where merged_into is not null;
