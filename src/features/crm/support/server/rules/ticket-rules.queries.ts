import { sql, type RawBuilder } from 'kysely'
import { searchText } from '#shared/search-text.ts'
import { truncate } from '#shared/truncate.ts'
import {
  countedDays,
  type StoredTicketRules,
  type TicketRule,
} from '#features/crm/support/ticket-rules.contract.ts'
import { findRulePeople } from '#features/crm/support/server/rules/assignment-rules.queries.ts'
import { ticketKind } from '#features/crm/support/server/support.queries.ts'
import type { Clock } from '#server/clock.ts'
import type { Db } from '#server/db/db.ts'
import { escapeHtml } from '#server/html/html.ts'
import { textOf } from '#server/html/html-clean.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'
import type { Writing } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

/** Number of characters of the first message that words are searched in, with its tags. */
const longestSearched = 20_000

/** A ticket as rules see it. */
export interface RuleTicket {
  id: number
  title: string
  /** HTML of the first message; empty if there is none yet. */
  message: string
  /** Address of the requester; empty if it isn't known. */
  sender: string
  category: number
  priority: number
  organization_id: number | null
  /** Null for a new ticket. */
  assignee_id: number | null
  tag_ids: number[]
  /** Whether an email opened it, and not an admin user. */
  arrived: boolean
}

/** What rules change on a ticket; fields that stay are left out. */
export interface RuleChange {
  /** Positions of the rules that fit. */
  rules: number[]
  category?: number
  priority?: number
  /** The person to whom the ticket is assigned if they are present. */
  assignee_id?: number
  tag_ids: number[]
  /** Set if the ticket is marked as spam. */
  spam_reason?: string
  /** Set if a rule would set another category than the one that someone chose. */
  kept_category?: number
}

/** The category that new tickets have unless someone chooses another. */
const initialCategory = 1

/** Returns the rules in their order, and how often each was used. */
export async function findTicketRules(db: Db, now: Date): Promise<StoredTicketRules> {
  const settings = await db.selectFrom('ticket_rule_settings').select('version').executeTakeFirst()
  const rules = await findRules(db)
  const since = new Date(now.getTime() - countedDays * 86_400_000).toISOString()
  const { rows } = await sql<{ matched: number }>`select
      (select count(*)::int from ticket_rule_matches m where m.rule_id = r.id and m.matched_at >= ${since}) as matched
    from unnest(${rules.map(({ id }) => id)}::int[]) with ordinality r(id, n) order by r.n`.execute(db)
  const inRules = sql`select new_assignee_id from ticket_rules where new_assignee_id is not null`
  return {
    version: settings?.version ?? 0,
    rules,
    matched: rows.map(({ matched }) => matched),
    people: await findRulePeople(db, inRules, now),
  }
}

async function findRules(db: Db): Promise<TicketRule[]> {
  const { rows } = await sql<TicketRule>`select r.id, r.is_on, r.words, r.in_message, r.senders, r.category,
      r.organization_id, r.new_category, r.new_priority, r.new_assignee_id, r.mark_spam,
      array(select k.tag_id from ticket_rule_tags k where k.rule_id = r.id order by k.tag_id) as tag_ids
    from ticket_rules r order by r.position, r.id`.execute(db)
  return rows
}

/** Returns tickets as rules see them, newest first. */
export async function findRuleTickets(
  db: Db,
  which: RawBuilder<unknown>,
  limit: number,
): Promise<RuleTicket[]> {
  const { rows } =
    await sql<RuleTicket>`select t.id, t.title, t.category, t.priority, t.organization_id, t.assignee_id,
      coalesce(t.sender_email::text, u.email::text, s.email::text, '') as sender,
      coalesce((select left(m.message, ${longestSearched}) from ticket_messages m where m.ticket_id = t.id
        order by m.id limit 1), '') as message,
      array(select k.tag_id from ticket_tag_links k where k.ticket_id = t.id) as tag_ids, t.created_by is null as arrived
    from tickets t left join customer_users u on u.id = t.customer_user_id left join staff s on s.id = t.staff_id
    where ${which} order by t.id desc limit ${limit}`.execute(db)
  return rows
}

const oneIn = (texts: readonly string[], words: readonly string[]): string | undefined =>
  words.find((word) => texts.some((text) => text.includes(searchText(word))))

const senderIn = (sender: string, senders: readonly string[]): string | undefined =>
  senders
    .map((one) => one.toLowerCase())
    .find((one) => (/.@/.test(one) ? sender === one : sender.endsWith(`@${one.replace(/^@/, '')}`)))

/** Returns what the rules change on a ticket (docs/product.md, “Ticket rules”). */
export function changeByRules(rules: readonly TicketRule[], ticket: RuleTicket): RuleChange {
  const texts = [searchText(ticket.title), searchText(textOf(ticket.message))]
  const sender = ticket.sender.toLowerCase()
  const wordOf = (rule: TicketRule) => oneIn(rule.in_message ? texts : texts.slice(0, 1), rule.words)
  const fits = (rule: TicketRule) =>
    rule.is_on &&
    (rule.words.length === 0 || wordOf(rule) !== undefined) &&
    (rule.senders.length === 0 || senderIn(sender, rule.senders) !== undefined) &&
    [null, ticket.category].includes(rule.category) &&
    [null, ticket.organization_id].includes(rule.organization_id)
  const fitting = [...rules.entries()].filter(([, rule]) => fits(rule))
  const first = (field: 'new_category' | 'new_priority' | 'new_assignee_id') =>
    fitting.map(([, rule]) => rule[field]).find((value) => value !== null)
  const [category, priority, assignee] = [
    first('new_category'),
    first('new_priority'),
    first('new_assignee_id'),
  ]
  const spam = ticket.arrived ? fitting.find(([, rule]) => rule.mark_spam) : undefined
  const isChosen = ticket.category !== initialCategory
  return {
    rules: fitting.map(([position]) => position),
    ...(category !== undefined && category !== ticket.category
      ? isChosen
        ? { kept_category: ticket.category }
        : { category }
      : {}),
    ...(priority !== undefined && priority !== ticket.priority ? { priority } : {}),
    // Spam is assigned to no one.
    ...(assignee !== undefined && assignee !== ticket.assignee_id && !spam ? { assignee_id: assignee } : {}),
    ...(spam ? { spam_reason: reasonOf(spam[0], wordOf(spam[1]), senderIn(sender, spam[1].senders)) } : {}),
    tag_ids: [...new Set(fitting.flatMap(([, { tag_ids }]) => tag_ids))].filter(
      (id) => !ticket.tag_ids.includes(id),
    ),
  }
}

/** Returns why a rule marked a ticket as spam: the rule's number, and the criteria that the ticket met. */
function reasonOf(position: number, word: string | undefined, sender: string | undefined): string {
  const met = [
    ...(sender === undefined ? [] : [`sender ${sender}`]),
    ...(word === undefined ? [] : [`“${word}”`]),
  ]
  const rule = `Rule ${position + 1}`
  return truncate(met.length > 0 ? `${rule}: ${met.join(', ')}` : rule, 300)
}

/**
 * Sorts a new ticket by the rules, and returns whether they mark it as spam, and to whom `assignByRule` then assigns it if
 * they are present. To be called before its first message is added, because that starts the service targets of the ticket.
 * @param message HTML of the first message
 */
export async function sortByRules(
  { db, clock, audit }: Pick<Writing, 'db' | 'audit'> & { clock: Clock },
  id: number,
  message: string,
): Promise<{ isSpam: boolean; assignee_id?: number | undefined }> {
  const rules = await findRules(db)
  if (rules.length === 0) return { isSpam: false }
  const [ticket] = await findRuleTickets(db, sql`t.id = ${id}`, 1)
  const change = changeByRules(rules, { ...ticket!, message })
  const { rules: fitting, category, priority, assignee_id, spam_reason, tag_ids } = change
  if (fitting.length)
    await sql`insert into ticket_rule_matches (rule_id, ticket_id, matched_at)
      select unnest(${fitting.map((position) => rules[position]!.id)}::int[]), ${id}, ${clock.now().toISOString()}`.execute(
      db,
    )
  const values = {
    ...(category === undefined ? {} : { category }),
    ...(priority === undefined ? {} : { priority }),
    ...(spam_reason === undefined ? {} : { spam_reason }),
  }
  if (Object.keys(values).length) await touchRecords({ db }, ticketKind, id, values, { keepsVersion: true })
  if (tag_ids.length)
    await sql`insert into ticket_tag_links (ticket_id, tag_id) select ${id}, unnest(${tag_ids}::int[])`.execute(
      db,
    )
  const after = { ...values, ...(tag_ids.length ? { tag_ids } : {}) }
  if (Object.keys(after).length) audit({ target: 'ticket', id, automatic: 'Sorted by a rule', after })
  return { isSpam: spam_reason !== undefined, assignee_id }
}

/** Returns why the rules mark an email as spam that opens no ticket, because its sender is unknown. */
export async function findSpamReason(
  db: Db,
  { from, subject, html, text }: Pick<ParsedEmail, 'from' | 'subject' | 'html' | 'text'>,
): Promise<string | undefined> {
  const rules = await findRules(db)
  const message = html.trim() === '' ? escapeHtml(text) : html
  return changeByRules(rules, {
    id: 0,
    title: subject,
    message: truncate(message, longestSearched),
    sender: from?.address ?? '',
    category: initialCategory,
    priority: 0,
    organization_id: null,
    assignee_id: null,
    tag_ids: [],
    arrived: true,
  }).spam_reason
}
