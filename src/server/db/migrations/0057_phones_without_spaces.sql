-- A lead's phone number is found however it is typed: its digits stand beside it, within the 640 characters of 0008.
alter table leads alter column search set expression as (
  left(
    lower(
      company_name || ' ' || contact_name || ' ' || email || ' ' || phone || ' ' || country || ' ' || coalesce(reference, '')
        || case when phone ~ '[^0-9]' then ' ' || regexp_replace(phone, '[^0-9]', '', 'g') else '' end
        || case when details = '[]' then '' else ' ' || jsonb_path_query_array(details, '$[*].value')::text end
    ),
    640
  )
);
