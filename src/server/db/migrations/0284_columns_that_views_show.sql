-- The columns that a saved view shows although they are hidden at first, such as those of custom fields. A view that was
-- saved before has only the columns that it hides, so columns that are added later would all be shown. Null for such a view.
alter table saved_views add shown_columns jsonb;
