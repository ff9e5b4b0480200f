-- An errand may be about a designer task too.
alter table quick_tasks
  drop constraint quick_tasks_entity_check,
  add constraint quick_tasks_entity_check check (entity in ('lead', 'organization', 'ticket', 'task', 'designer_task'));
