import { sql } from 'kysely'
import {
  ticketRules,
  triedTickets,
  type StoredTicketRules,
  type TicketRule,
} from '#features/crm/support/ticket-rules.contract.ts'
import { demandCriteria } from '#features/crm/support/server/criteria.ts'
import { ofProducts } from '#features/crm/support/server/filters.ts'
import {
  changeByRules,
  findRuleTickets,
  findTicketRules,
} from '#features/crm/support/server/ticket-rules.queries.ts'
import { replaceSettings, writeVersion } from '#features/crm/support/server/versioned-settings.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const showRules: Handler<typeof ticketRules.show> = async (_input, { db }) => ({
  data: await findTicketRules(db),
})

/** @throws HttpError 422 on the field if a category, an organization, or a tag can't be chosen. */
async function demandRules(
  db: Db,
  rules: readonly TicketRule[],
  before: StoredTicketRules,
  viewer: Viewer,
): Promise<void> {
  await demandCriteria(db, { list: 'rules', entries: rules, before: before.rules, viewer })
  const categories = await db.selectFrom('ticket_categories').select('id').execute()
  const tags = new Set((await db.selectFrom('ticket_tags').select('id').execute()).map(({ id }) => id))
  for (const [index, { new_category, tag_ids }] of rules.entries()) {
    if (new_category !== null && !categories.some(({ id }) => id === new_category))
      throw invalid(`rules.${index}.new_category`, 'Choose an existing category.')
    if (!tag_ids.every((id) => tags.has(id))) throw invalid(`rules.${index}.tag_ids`, 'Choose existing tags.')
  }
}

async function writeRules(db: Db, rules: readonly TicketRule[]): Promise<void> {
  await db.deleteFrom('ticket_rules').execute()
  for (const [position, { tag_ids, ...values }] of rules.entries()) {
    const { id: rule_id } = await db
      .insertInto('ticket_rules')
      .values({ position, ...values })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (tag_ids.length)
      await db
        .insertInto('ticket_rule_tags')
        .values([...new Set(tag_ids)].map((tag_id) => ({ rule_id, tag_id })))
        .execute()
  }
}

const settings = {
  table: 'ticket_rules',
  find: findTicketRules,
  inHistory: ({ rules }: StoredTicketRules) => rules,
} as const

const changeRules: Handler<typeof ticketRules.change> = ({ body: { version, rules } }, context) =>
  replaceSettings(context, settings, version, async (before, next) => {
    const { db, viewer } = context
    await demandRules(db, rules, before, viewer)
    await writeRules(db, rules)
    await writeVersion(db, 'ticket_rule_settings', next)
  })

const tryRules: Handler<typeof ticketRules.try> = async ({ body: { rules } }, { db, viewer }) => {
  await demandRules(db, rules, await findTicketRules(db), viewer)
  const which = sql`t.deleted_at is null and ${ofProducts('t', viewer)}`
  const tickets = await findRuleTickets(db, which, triedTickets)
  const data = tickets.flatMap((ticket) => {
    const { category = null, priority = null, kept_category = null, ...change } = changeByRules(rules, ticket)
    const { id, title, organization_id } = ticket
    const org_id = organization_id ?? 0
    return change.rules.length ? [{ id, title, org_id, ...change, category, priority, kept_category }] : []
  })
  return { data, total: tickets.length }
}

export function ticketRuleRoutes(app: App): void {
  implement(app, ticketRules.show, showRules)
  implement(app, ticketRules.change, changeRules)
  implement(app, ticketRules.try, tryRules)
}
