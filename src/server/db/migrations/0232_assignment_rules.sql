-- Assignment rules: the people to whom new tickets are assigned.

-- No row until rules are set for the first time.
create table assignment_settings (
  id integer primary key default 1 check (id = 1),
  version integer not null
);

-- The first rule that fits a ticket applies; `position` is their order. A rule without its category or organization
-- would fit every ticket, so it is deleted with them.
create table assignment_rules (
  id integer generated always as identity primary key,
  position integer not null,
  category integer references ticket_categories on delete cascade,
  organization_id integer references organizations on delete cascade
);
create index assignment_rules_in_order on assignment_rules (position);
create index assignment_rules_of_category on assignment_rules (category);
create index assignment_rules_of_organization on assignment_rules (organization_id);

-- The people of a rule take turns: the person whose last turn is the longest ago is next.
create table assignment_rule_people (
  rule_id integer not null references assignment_rules on delete cascade,
  staff_id integer not null references staff on delete cascade,
  position integer not null,
  -- 0 until the first turn.
  last_turn integer not null default 0,
  primary key (rule_id, staff_id)
);
create index assignment_rule_people_of_staff on assignment_rule_people (staff_id);
