-- When someone is deactivated, a type of their open work can be left unassigned.
alter table staff_handovers alter column to_staff_id drop not null;
