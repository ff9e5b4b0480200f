-- A note on an incident, which those who open a linked ticket see above the composer, such as a workaround.
alter table tickets add incident_note text not null default '' check (char_length(incident_note) <= 300);
