-- Each of the dashboards is arranged on its own.
alter table dashboard_cards add dashboard text not null default 'all' check (dashboard in ('all', 'crm', 'cms'));
alter table dashboard_cards drop constraint dashboard_cards_pkey;
alter table dashboard_cards add primary key (staff_id, dashboard);
