-- Ticket rules: they set the category, the priority, and the tags of new tickets.

-- No row until rules are set for the first time.
create table ticket_rule_settings (
  id integer primary key default 1 check (id = 1),
  version integer not null
);

-- Rules apply in the order of `position`. A rule without its category or organization would fit every ticket, so it is
-- deleted with them.
create table ticket_rules (
  id integer generated always as identity primary key,
  position integer not null,
  -- One of the words and one of the senders must fit, if there are any.
  words text[] not null check (cardinality(words) <= 20),
  in_message boolean not null,
  -- Email addresses, and domains.
  senders text[] not null check (cardinality(senders) <= 20),
  category integer references ticket_categories on delete cascade,
  organization_id integer references organizations on delete cascade,
  new_category integer references ticket_categories on delete set null,
  new_priority integer check (new_priority between 1 and 4)
);
create index ticket_rules_in_order on ticket_rules (position);
create index ticket_rules_of_category on ticket_rules (category);
create index ticket_rules_of_organization on ticket_rules (organization_id);
create index ticket_rules_of_new_category on ticket_rules (new_category);

create table ticket_rule_tags (
  rule_id integer not null references ticket_rules on delete cascade,
  tag_id integer not null references ticket_tags on delete cascade,
  primary key (rule_id, tag_id)
);
create index ticket_rule_tags_of_tag on ticket_rule_tags (tag_id);
