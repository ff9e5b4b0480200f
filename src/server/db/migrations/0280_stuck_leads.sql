-- After how many days without activity a lead in a status is stuck; 0 if never.
alter table lead_statuses add stuck_days smallint not null default 0 check (stuck_days between 0 and 999);
update lead_statuses set stuck_days = case when is_won or id = 8 then 0 else 14 end;
