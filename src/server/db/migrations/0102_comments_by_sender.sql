-- The other comments of a sender, which moderators see beside the one that they decide on.
create index post_comments_by_sender on post_comments (lower(sender_email), state)
  where deleted_at is null and sender_email <> '';
