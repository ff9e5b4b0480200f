import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { RulePerson } from '#features/crm/support/assignment-rules.contract.ts'
import { code, lineWithoutInvisible, recordId } from '#shared/schemas.ts'
import { priorityCode } from '#features/crm/support/rules.ts'

export const mostTicketRules = 50
const mostEntries = 20
/** Number of tickets, the newest ones, that rules are tried on. */
export const triedTickets = 100

const domain = /^@?([\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u
const isSender = (text: string) => domain.test(text) || z.email().safeParse(text).success

const entries = (max: number) =>
  z
    .array(lineWithoutInvisible(max))
    .max(mostEntries, `Enter at most ${mostEntries}.`)
    .transform((all) => [...new Set(all.filter(Boolean))])

/**
 * Criteria that are empty or null fit every ticket, except for those of a rule that marks spam; changes that are null
 * leave the ticket as it is.
 */
export const TicketRule = z
  .object({
    /** Null for a new rule. */
    id: recordId.nullable(),
    /** Whether it applies; a rule that is off fits no ticket. */
    is_on: z.boolean().default(true),
    /** Words and phrases, one of which must be in the subject. */
    words: entries(100),
    /** Whether the words can be in the first message instead. */
    in_message: z.boolean(),
    /** Email addresses, and domains such as hotel.example, one of which must be the sender’s. */
    senders: entries(254).refine((all) => all.every(isSender), {
      message: 'Enter email addresses, or domains such as hotel.example.',
    }),
    category: code.nullable(),
    organization_id: recordId.nullable(),
    new_category: code.nullable(),
    new_priority: priorityCode.nullable(),
    /** The admin user to whom the ticket is assigned before assignment rules apply. */
    new_assignee_id: recordId.nullable().default(null),
    /** Tags that are added. */
    tag_ids: z.array(recordId).max(mostEntries, `Choose at most ${mostEntries} tags.`),
    /** Whether tickets that an email opened are marked as spam. */
    mark_spam: z.boolean().default(false),
  })
  .refine(
    ({ new_category, new_priority, new_assignee_id, tag_ids, mark_spam }) =>
      mark_spam || (new_category ?? new_priority ?? new_assignee_id ?? tag_ids[0]),
    {
      path: ['new_category'],
      message: 'Choose at least one change.',
    },
  )
  // The category doesn’t count, because most emails have the first one.
  .refine(
    ({ mark_spam, words, senders, organization_id }) =>
      !mark_spam || words.length > 0 || senders.length > 0 || organization_id !== null,
    {
      path: ['words'],
      message: 'Enter words or senders, or choose an organization. Otherwise, every email is spam.',
    },
  )
export type TicketRule = z.output<typeof TicketRule>

/** `rules` are in order. */
export const TicketRules = z.object({
  rules: z.array(TicketRule).max(mostTicketRules, `Enter at most ${mostTicketRules} rules.`),
})

const version = z.number().int().min(0)
/** Days over which the tickets that a rule fitted are counted. */
export const countedDays = 30
/** The version is 0 until rules are set for the first time. */
const Stored = TicketRules.extend({
  version,
  /** How many new tickets of the last 30 days each rule fitted, in the order of the rules. */
  matched: z.array(z.number().int()),
  people: z.array(RulePerson),
})
export type StoredTicketRules = z.output<typeof Stored>

/** A ticket that at least one rule fits. */
const Tried = z.object({
  id: z.number().int(),
  title: z.string(),
  /** 0 if there is none. */
  org_id: z.number().int(),
  /** Positions of the rules that fit, from 0. */
  rules: z.array(z.number().int()),
  /** The category and priority that the ticket would get; null if they stay. */
  category: z.number().int().nullable(),
  priority: z.number().int().nullable(),
  /** The assignee that the ticket would get; null if it stays, or assignment rules decide. */
  assignee_id: z.number().int().nullable(),
  /** The assignee of a rule, who is skipped because they can’t open the ticket, opened it, or are away; null if there is none. */
  skipped_assignee_id: z.number().int().nullable(),
  /** Tags that it would get. */
  tag_ids: z.array(z.number().int()),
  /** The reason with which it would be marked as spam; null if it wouldn’t. */
  spam_reason: z.string().nullable(),
  /** The category that it keeps although a rule would set another, because someone chose it; null if there is none. */
  kept_category: z.number().int().nullable(),
})
export type TriedTicket = z.output<typeof Tried>

export const ticketRules = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/ticket-rules',
    shows: ['settings'],
    // The form starts over with the version that it gets.
    live: false,
    summary: 'Get the rules that sort new tickets.',
    access: adminsOnly,
    response: z.object({ data: Stored }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/support/ticket-rules',
    summary:
      'Replace the rules that sort new tickets. Returns 409 with the current ones if the version is out of date.',
    act: 'Changed ticket rules',
    access: adminsOnly,
    body: TicketRules.extend({ version }),
    response: z.object({ message: z.string(), data: Stored }),
  }),
  try: endpoint({
    method: 'POST',
    path: '/admin/support/ticket-rules/try',
    summary: `Get which of the last ${triedTickets} tickets the rules would have sorted, and how. Changes nothing.`,
    access: adminsOnly,
    reads: true,
    body: TicketRules,
    /** `total` is the number of tickets that the rules were tried on. */
    response: z.object({ data: z.array(Tried), total: z.number().int() }),
  }),
}
