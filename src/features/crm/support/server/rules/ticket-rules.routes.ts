import { sql } from 'kysely'
import {
  ticketRules,
  triedTickets,
  type StoredTicketRules,
  type TicketRule,
} from '#features/crm/support/ticket-rules.contract.ts'
import { demandCriteria } from '#features/crm/support/server/rules/criteria.ts'
import { findPresent } from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import {
  changeByRules,
  findRuleTickets,
  findTicketRules,
} from '#features/crm/support/server/rules/ticket-rules.queries.ts'
import { replaceSettings, writeVersion } from '#features/crm/support/server/versioned-settings.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const showRules: Handler<typeof ticketRules.show> = async (_input, { db, clock }) => ({
  data: await findTicketRules(db, clock.now()),
})

/** @throws HttpError 422 on the field if a category, an organization, a tag, or an assignee can't be chosen. */
async function demandRules(
  db: Db,
  rules: readonly TicketRule[],
  before: StoredTicketRules,
  viewer: Viewer,
): Promise<void> {
  await demandCriteria(db, { list: 'rules', entries: rules, before: before.rules, viewer })
  const people = new Set([null, ...before.people.map(({ id }) => id)])
  const categories = await db.selectFrom('ticket_categories').select('id').execute()
  const tags = new Set((await db.selectFrom('ticket_tags').select('id').execute()).map(({ id }) => id))
  for (const [index, { new_category, new_assignee_id, tag_ids }] of rules.entries()) {
    if (new_category !== null && !categories.some(({ id }) => id === new_category))
      throw invalid(`rules.${index}.new_category`, 'Choose an existing category.')
    if (!people.has(new_assignee_id))
      throw invalid(`rules.${index}.new_assignee_id`, 'Choose an admin user who can open tickets.')
    if (!tag_ids.every((id) => tags.has(id))) throw invalid(`rules.${index}.tag_ids`, 'Choose existing tags.')
  }
}

/** What decides which tickets a rule fits. */
const criteriaOf = ({ words, in_message, senders, category, organization_id }: TicketRule) =>
  JSON.stringify([words, in_message, senders, category, organization_id])

/** Writes the rules in their order. A rule whose criteria stay the same keeps the count of its tickets. */
async function writeRules(
  db: Db,
  rules: readonly TicketRule[],
  before: readonly TicketRule[],
): Promise<void> {
  const unused = new Map(before.map((rule) => [rule.id, criteriaOf(rule)]))
  for (const [position, { id, tag_ids, ...values }] of rules.entries()) {
    const isKept = unused.get(id) === criteriaOf(rules[position]!) && unused.delete(id)
    const written = isKept
      ? db
          .updateTable('ticket_rules')
          .set({ position, ...values })
          .where('id', '=', id)
          .returning('id')
      : db
          .insertInto('ticket_rules')
          .values({ position, ...values })
          .returning('id')
    const { id: rule_id } = await written.executeTakeFirstOrThrow()
    await db.deleteFrom('ticket_rule_tags').where('rule_id', '=', rule_id).execute()
    if (tag_ids.length)
      await db
        .insertInto('ticket_rule_tags')
        .values([...new Set(tag_ids)].map((tag_id) => ({ rule_id, tag_id })))
        .execute()
  }
  await sql`delete from ticket_rules where id = any(${[...unused.keys()]}::int[])`.execute(db)
}

const changeRules: Handler<typeof ticketRules.change> = ({ body: { version, rules } }, context) => {
  const { db, viewer, clock } = context
  const settings = {
    table: 'ticket_rules',
    find: () => findTicketRules(db, clock.now()),
    inHistory: (stored: StoredTicketRules) => stored.rules,
  } as const
  return replaceSettings(context, settings, version, async (before, next) => {
    await demandRules(db, rules, before, viewer)
    await writeRules(db, rules, before.rules)
    await writeVersion(db, 'ticket_rule_settings', next)
  })
}

const tryRules: Handler<typeof ticketRules.try> = async ({ body: { rules } }, { db, viewer, clock }) => {
  const now = clock.now()
  await demandRules(db, rules, await findTicketRules(db, now), viewer)
  const which = sql`t.deleted_at is null and ${ofProducts('t', viewer)}`
  const tickets = await findRuleTickets(db, which, triedTickets)
  const tried = tickets
    .map((ticket) => ({ ticket, change: changeByRules(rules, ticket) }))
    .filter(({ change }) => change.rules.length > 0)
  const chosen = tried.flatMap(({ ticket: { id }, change: { assignee_id } }) =>
    assignee_id === undefined ? [] : [{ ticket: id, staff_id: assignee_id }],
  )
  const present = await findPresent(db, chosen, now)
  const data = tried.map(({ ticket: { id, title, organization_id }, change }) => {
    const { category = null, priority = null, kept_category = null, spam_reason = null } = change
    const { assignee_id: assignee = null } = change
    const [assignee_id, skipped_assignee_id] = present.has(id) ? [assignee, null] : [null, assignee]
    const org_id = organization_id ?? 0
    const changes = { category, priority, assignee_id, skipped_assignee_id, kept_category, spam_reason }
    return { id, title, org_id, ...change, ...changes }
  })
  return { data, total: tickets.length }
}

export function ticketRuleRoutes(app: App): void {
  implement(app, ticketRules.show, showRules)
  implement(app, ticketRules.change, changeRules)
  implement(app, ticketRules.try, tryRules)
}
