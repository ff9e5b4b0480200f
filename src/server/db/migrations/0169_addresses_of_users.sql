-- Recipients of mailings are looked up among all users of customers, deleted ones included, because they are shown
-- only to readers who have a product of that customer.
create index customer_users_by_any_email on customer_users (email) where email is not null;
