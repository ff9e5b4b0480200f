import { sql } from 'kysely'
import { nameInChoice, type Away } from '#shared/away.contract.ts'
import type { StoredRules } from '#features/crm/support/assignment-rules.contract.ts'
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
  const { rows: people } = await sql<
    StoredRules['people'][number]
  >`select s.id, s.name, ${isAssignable} as is_present, ${awayOf(sql`s.id`, now)} as away
    from staff s where ${isAssignable} or s.id in (select staff_id from assignment_rule_people)
    order by s.name, s.id`.execute(db)
  return { version: settings?.version ?? 0, rules, people }
}

/**
 * Assigns a ticket by the first rule that fits it, to the person whose turn it is among those who are present:
 * those who can open the ticket, aren't away, and didn't open it themselves (docs/product.md, “Assignment rules”). A
 * ticket that has an assignee, or for which no one is present, stays as it is; its history says who is away.
 */
export async function assignByRule(app: RuleApp, context: Assigning, ticket: number): Promise<void> {
  const rule = await lockRuleOf(context.db, ticket)
  if (rule === undefined) return
  const turn = { rule, ticket, now: app.clock.now() }
  const assignee_id = await takeTurn(context.db, turn)
  if (assignee_id === undefined) {
    const absent = await findAbsent(context.db, turn)
    const after = { absent_people: absent.map(nameInChoice).join(', ') }
    if (absent.length) context.audit({ target: 'ticket', id: ticket, automatic: 'Left unassigned', after })
    return
  }
  await touchRecords({ db: context.db }, ticketKind, ticket, { assignee_id }, { keepsVersion: true })
  context.audit({ target: 'ticket', id: ticket, automatic: 'Assigned by a rule', after: { assignee_id } })
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

/** SQL for the people `p` of a rule, as admin users `s`, who can be assigned the ticket `t` when they are present. */
const ofRule = ({ rule, ticket }: Turn) => sql`assignment_rule_people p join staff s on s.id = p.staff_id
  join tickets t on t.id = ${ticket} where p.rule_id = ${rule} and ${isAssignableTo} and s.id is distinct from t.staff_id`

/** Returns the person who is next, who then comes after everyone else of the rule. */
async function takeTurn(db: Db, turn: Turn): Promise<number | undefined> {
  const { rule, now } = turn
  const { rows } = await sql<{ staff_id: number }>`update assignment_rule_people n
    set last_turn = (select max(last_turn) + 1 from assignment_rule_people where rule_id = ${rule})
    where n.rule_id = ${rule} and n.staff_id = (
      select p.staff_id from ${ofRule(turn)} and not ${isAway(sql`s.id`, now)}
      order by p.last_turn, p.position limit 1)
    returning n.staff_id`.execute(db)
  return rows[0]?.staff_id
}

/** Returns the people of a rule who would be assigned the ticket if they weren't away. */
async function findAbsent(db: Db, turn: Turn): Promise<{ name: string; away: Away | null }[]> {
  const { rows } = await sql<{
    name: string
    away: Away | null
  }>`select s.name, ${awayOf(sql`s.id`, turn.now)} as away
    from ${ofRule(turn)} order by p.position`.execute(db)
  return rows
}
