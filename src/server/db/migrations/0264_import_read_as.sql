-- How the file of an import was read: the encoding of a CSV, or as a workbook. Until now each was a CSV in UTF-8.
alter table lead_imports add read_as text not null default 'UTF-8'
  check (read_as in ('UTF-8', 'UTF-16', 'Windows-1252', 'Excel'));
