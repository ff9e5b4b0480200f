-- Admin users who also get an email when work is assigned to them. Without a row, they only get a notice.
create table assignment_emails (
  staff_id integer primary key references staff on delete cascade
);
