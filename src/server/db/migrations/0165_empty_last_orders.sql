-- Descending orders with empty values last, which the indexes of the ascending orders can't serve.
create index articles_by_published_at_desc on articles (kind, product_id, published_at desc nulls last, id desc) where deleted_at is null;
create index customer_contracts_by_due_date_desc on customer_contracts (due_date desc nulls last, id desc) where deleted_at is null;
create index quick_tasks_all_by_due_date_desc on quick_tasks (due_date desc nulls last, id desc) where deleted_at is null;
create index tickets_by_delivery_desc on tickets (delivery_date desc nulls last, id desc) where deleted_at is null;
