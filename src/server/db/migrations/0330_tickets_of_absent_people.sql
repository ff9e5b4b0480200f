-- An open ticket that was reopened after its assignee was deactivated was in no queue: it is unassigned now, as its history
-- says.
with taken as (
  update tickets t set assignee_id = null, version = t.version + 1, updated_at = now()
  from tickets o join staff s on s.id = o.assignee_id
  where t.id = o.id and s.deleted_at is not null and t.status not in (4, 5) and t.deleted_at is null
  returning t.id, o.assignee_id
)
insert into audit_log (endpoint, act, address, request_id, target_type, target_id, changes)
select 'migration', 'Taken from an absent assignee', '', '', 'ticket', id, jsonb_build_object('assignee_id', jsonb_build_array(assignee_id, null))
from taken;
