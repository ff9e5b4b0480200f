-- A photo of a phone (HEIC) is stored as JPEG; this is what was sent, which a download brings.
-- long lock: the column is empty, so its index is built without reading rows into it.
alter table files add original_name text unique check (original_name ~ '^[a-f0-9]{40}\.[a-z0-9]+$');
