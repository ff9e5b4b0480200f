-- Which other posts tell a search engine the same. By hash: a description is longer than an index takes.
create index articles_by_meta_title on articles (kind, product_id, md5(lower(meta_title))) where meta_title <> '' and deleted_at is null;
create index articles_by_meta_description on articles (kind, product_id, md5(lower(meta_description))) where meta_description <> '' and deleted_at is null;
