-- How an admin user arranged the cards of the dashboard: those that they hid, and the order of those that they moved.
create table dashboard_cards (
  staff_id integer primary key references staff,
  hidden text[] not null default '{}' check (cardinality(hidden) <= 100),
  card_order text[] not null default '{}' check (cardinality(card_order) <= 100)
);
