import { sql } from 'kysely'
import {
  assignmentRules,
  type AssignmentRule,
  type StoredRules,
} from '#features/crm/support/assignment-rules.contract.ts'
import { findAssignmentRules } from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { demandCriteria } from '#features/crm/support/server/rules/criteria.ts'
import { replaceSettings, writeVersion } from '#features/crm/support/server/versioned-settings.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const showRules: Handler<typeof assignmentRules.show> = async (_input, { db, clock }) => ({
  data: await findAssignmentRules(db, clock.now()),
})

/** @throws HttpError 422 for people who can’t be assigned tickets, unless they are in a rule already. */
function demandPeople(rules: readonly AssignmentRule[], { people }: StoredRules): void {
  const known = new Set(people.map(({ id }) => id))
  for (const [index, { staff_ids }] of rules.entries())
    if (!staff_ids.every((id) => known.has(id)))
      throw invalid(`rules.${index}.staff_ids`, 'Choose admin users who can open tickets.')
}

/** Writes the rules in their order. The people of a rule that is kept keep their turns. */
async function writeRules(db: Db, rules: readonly AssignmentRule[], before: StoredRules): Promise<void> {
  const unused = new Set<number | null>(before.rules.map(({ id }) => id))
  for (const [position, { id, staff_ids, ...criteria }] of rules.entries()) {
    const values = { position, ...criteria }
    const written = unused.delete(id)
      ? db.updateTable('assignment_rules').set(values).where('id', '=', id).returning('id')
      : db.insertInto('assignment_rules').values(values).returning('id')
    const { id: rule_id } = await written.executeTakeFirstOrThrow()
    await writePeople(db, rule_id, [...new Set(staff_ids)])
  }
  await sql`delete from assignment_rules where id = any(${[...unused]}::int[])`.execute(db)
}

async function writePeople(db: Db, rule_id: number, staff_ids: readonly number[]): Promise<void> {
  await db
    .deleteFrom('assignment_rule_people')
    .where('rule_id', '=', rule_id)
    .where('staff_id', 'not in', staff_ids)
    .execute()
  await db
    .insertInto('assignment_rule_people')
    .values(staff_ids.map((staff_id, position) => ({ rule_id, staff_id, position })))
    .onConflict((on) =>
      on.columns(['rule_id', 'staff_id']).doUpdateSet(({ ref }) => ({ position: ref('excluded.position') })),
    )
    .execute()
}

const settingsAt = (now: Date) => ({
  table: 'assignment_rules' as const,
  find: (db: Db) => findAssignmentRules(db, now),
  inHistory: ({ rules }: StoredRules) => rules,
})

const changeRules: Handler<typeof assignmentRules.change> = ({ body: { version, rules } }, context) =>
  replaceSettings(context, settingsAt(context.clock.now()), version, async (before, next) => {
    const { db, viewer } = context
    await demandCriteria(db, { list: 'rules', entries: rules, before: before.rules, viewer })
    demandPeople(rules, before)
    await writeRules(db, rules, before)
    await writeVersion(db, 'assignment_settings', next)
  })

export function assignmentRuleRoutes(app: App): void {
  implement(app, assignmentRules.show, showRules)
  implement(app, assignmentRules.change, changeRules)
}
