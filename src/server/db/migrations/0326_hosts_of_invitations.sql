-- Who organizes a session in the calendars of its guests, so that they hear when it is handed over to someone else. Null:
-- the admin user who sent the invitation.
alter table session_invitations add host_id integer references staff;
update session_invitations i set host_id = (
  select h.staff_id from lead_demo_hosts h where h.demo_id = i.demo_id order by h.id limit 1);
