import { sql, type RawBuilder } from 'kysely'
import { nameInChoice, type Away } from '#shared/away.contract.ts'
import type { RulePerson, StoredRules } from '#features/crm/support/assignment-rules.contract.ts'
import { isAssignable, isAssignableTo, notifyAssignee } from '#features/crm/support/server/assignment.ts'
import { isOpen } from '#features/crm/support/server/conditions.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Db } from '#server/db/db.ts'
import type { App } from '#server/app.ts'
import type { AssigningApp } from '#server/record/assigned.ts'
import { awayOf, isAway } from '#server/record/away.ts'
import type { Writing } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

type Assigning = Pick<Writing, 'db' | 'audit'> & { afterCommit: (action: () => void) => void }
/** What rules need to assign tickets. */
export type RuleApp = AssigningApp & Pick<App, 'clock'>

/** Returns the rules in their order, and the people who can be in them. */
export async function findAssignmentRules(db: Db, now: Date): Promise<StoredRules> {
  const settings = await db.selectFrom('assignment_settings').select('version').executeTakeFirst()
  const { rows: rules } = await sql<StoredRules['rules'][number]>`select r.id, r.category, r.organization_id,
      array(select p.staff_id from assignment_rule_people p where p.rule_id = r.id order by p.position) as staff_ids
    from assignment_rules r order by r.position, r.id`.execute(db)
  const people = await findRulePeople(db, sql`select staff_id from assignment_rule_people`, now)
  return { version: settings?.version ?? 0, rules, people }
}

/** Returns the admin users who can be assigned tickets, and those who are in rules, by name. */
export async function findRulePeople(db: Db, inRules: RawBuilder<unknown>, now: Date): Promise<RulePerson[]> {
  const { rows } = await sql<RulePerson>`select s.id, s.name, ${isAssignable} as is_present,
      ${awayOf(sql`s.id`, now)} as away
    from staff s where ${isAssignable} or s.id in (${inRules}) order by s.name, s.id`.execute(db)
  return rows
}

/** SQL condition that a rule can assign ticket `t` to admin user `s` when they aren't away. */
const isEligible = sql`(${isAssignableTo} and s.id is distinct from t.staff_id)`

/** Returns those of the tickets whose chosen person is present, so that a rule can assign it. */
export async function findPresent(
  db: Db,
  chosen: readonly { ticket: number; staff_id: number }[],
  now: Date,
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select t.id
    from unnest(${chosen.map(({ ticket }) => ticket)}::int[], ${chosen.map(({ staff_id }) => staff_id)}::int[]) c (ticket, person)
      join tickets t on t.id = c.ticket join staff s on s.id = c.person
    where ${isEligible} and not ${isAway(sql`s.id`, now)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Assigns a ticket to the person whom ticket rules chose or, if they aren't present, by the first assignment rule that fits
 * it: to the person whose turn it is among those who are present, who can open the ticket, aren't away, and didn't open it
 * themselves (docs/product.md, “Assignment rules”). A ticket that has an assignee, or for which no one is present,
 * stays as it is; its history says who is away.
 * @param chosen the assignee of a ticket rule
 */
export async function assignByRule(
  app: RuleApp,
  context: Assigning,
  ticket: number,
  chosen?: number,
): Promise<void> {
  const { db } = context
  const now = app.clock.now()
  const isChosen =
    chosen !== undefined && (await findPresent(db, [{ ticket, staff_id: chosen }], now)).has(ticket)
  if (isChosen) return assign(app, context, { ticket, assignee_id: chosen, automatic: 'Sorted by a rule' })
  const rule = await lockRuleOf(db, ticket)
  const assignee_id = rule === undefined ? undefined : await takeTurn(db, { rule, ticket, now })
  if (assignee_id !== undefined)
    return assign(app, context, { ticket, assignee_id, automatic: 'Assigned by a rule' })
  const absent = await findAbsent(db, { rule, ticket, now, chosen })
  const after = { absent_people: absent.map(nameInChoice).join(', ') }
  if (absent.length) context.audit({ target: 'ticket', id: ticket, automatic: 'Left unassigned', after })
}

interface Assignment {
  ticket: number
  assignee_id: number
  /** The action in the history. */
  automatic: 'Sorted by a rule' | 'Assigned by a rule'
}

async function assign(
  app: RuleApp,
  context: Assigning,
  { ticket, assignee_id, automatic }: Assignment,
): Promise<void> {
  await touchRecords({ db: context.db }, ticketKind, ticket, { assignee_id }, { keepsVersion: true })
  context.audit({ target: 'ticket', id: ticket, automatic, after: { assignee_id } })
  await notifyAssignee(app, { ...context, viewer: undefined }, assignee_id, [ticket])
}

/**
 * Takes open tickets from assignees who can't open them, for example because they were deactivated, and assigns them
 * like new ones. Called when tickets become open again.
 */
export async function reassignFromAbsent(
  app: RuleApp,
  context: Assigning,
  ids: readonly number[],
): Promise<void> {
  const { rows } = await sql<{ id: number; assignee_id: number }>`select t.id, t.assignee_id
    from tickets t join staff s on s.id = t.assignee_id
    where t.id = any(${ids}::int[]) and ${isOpen} and t.deleted_at is null and (${isAssignableTo}) is not true order by t.id`.execute(
    context.db,
  )
  for (const { id, assignee_id } of rows) {
    await touchRecords({ db: context.db }, ticketKind, id, { assignee_id: null }, { keepsVersion: true })
    context.audit({
      target: 'ticket',
      id,
      automatic: 'Taken from an absent assignee',
      before: { assignee_id },
      after: { assignee_id: null },
    })
    await assignByRule(app, context, id)
  }
}

/** Returns the rule of an unassigned ticket, and lets the rule's other tickets wait until this one has its assignee. */
async function lockRuleOf(db: Db, ticket: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select r.id from assignment_rules r, tickets t
    where t.id = ${ticket} and t.assignee_id is null and coalesce(r.category, t.category) = t.category
      and (r.organization_id is null or r.organization_id = t.organization_id)
    order by r.position, r.id limit 1 for update of r`.execute(db)
  return rows[0]?.id
}

interface Turn {
  rule: number
  ticket: number
  now: Date
}

/** Returns the person who is next, who then comes after everyone else of the rule. */
async function takeTurn(db: Db, { rule, ticket, now }: Turn): Promise<number | undefined> {
  const { rows } = await sql<{ staff_id: number }>`update assignment_rule_people n
    set last_turn = (select max(last_turn) + 1 from assignment_rule_people where rule_id = ${rule})
    where n.rule_id = ${rule} and n.staff_id = (
      select p.staff_id from assignment_rule_people p join staff s on s.id = p.staff_id join tickets t on t.id = ${ticket}
      where p.rule_id = ${rule} and ${isEligible} and not ${isAway(sql`s.id`, now)}
      order by p.last_turn, p.position limit 1)
    returning n.staff_id`.execute(db)
  return rows[0]?.staff_id
}

interface Left extends Omit<Turn, 'rule'> {
  rule: number | undefined
  /** The assignee of a ticket rule. */
  chosen: number | undefined
}

/** Returns the people of a rule, and the chosen one, who would be assigned the ticket if they weren't away. */
async function findAbsent(
  db: Db,
  { rule, ticket, now, chosen }: Left,
): Promise<{ name: string; away: Away | null }[]> {
  const { rows } = await sql<{
    name: string
    away: Away | null
  }>`select s.name, ${awayOf(sql`s.id`, now)} as away
    from staff s join tickets t on t.id = ${ticket}
      left join assignment_rule_people p on p.staff_id = s.id and p.rule_id = ${rule ?? null}::int
    where (p.staff_id is not null or s.id = ${chosen ?? null}::int) and ${isEligible} order by p.position nulls first`.execute(
    db,
  )
  return rows
}
