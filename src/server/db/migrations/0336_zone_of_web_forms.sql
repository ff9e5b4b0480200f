-- The time zone of the person who last saved a web form, for leads whose phone number and country leave it open.
alter table web_forms add zone text not null default 'UTC';
