-- Whether the user with an address was deleted is asked for each recipient of a mailing.
create index customer_users_deleted_email on customer_users (email, deleted_at) where deleted_at is not null;
