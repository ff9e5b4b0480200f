-- When the author last edited an internal note of a ticket, and when the note was deleted. Its row is kept, with its
-- files and mentions, so that the deletion can be undone.
alter table ticket_comments add edited_at timestamptz, add deleted_at timestamptz;
