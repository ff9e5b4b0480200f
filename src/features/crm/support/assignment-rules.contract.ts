import { z } from 'zod'
import { Away } from '#shared/away.contract.ts'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { code, recordId } from '#shared/schemas.ts'

export const mostRules = 50
const mostPeople = 50

/** Criteria that are null fit every ticket. */
const AssignmentRule = z.object({
  /** Null for a new rule. The people of a rule that is kept keep their turns. */
  id: recordId.nullable(),
  category: code.nullable(),
  organization_id: recordId.nullable(),
  /** The people who take turns, in this order. */
  staff_ids: z
    .array(recordId)
    .min(1, 'Choose at least one person.')
    .max(mostPeople, `Choose at most ${mostPeople} people.`),
})
export type AssignmentRule = z.output<typeof AssignmentRule>

/** `rules` are in order: the first one that fits a new ticket applies. */
export const AssignmentRules = z.object({
  rules: z.array(AssignmentRule).max(mostRules, `Enter at most ${mostRules} rules.`),
})

/** An admin user who can be assigned tickets, or who is in a rule and can’t at present, and so is skipped. */
export const RulePerson = z.object({
  id: z.number().int(),
  name: z.string(),
  is_present: z.boolean(),
  away: Away.nullable(),
})
export type RulePerson = z.output<typeof RulePerson>

const version = z.number().int().min(0)
/** The version is 0 until rules are set for the first time. */
const Stored = AssignmentRules.extend({
  version,
  people: z.array(RulePerson),
})
export type StoredRules = z.output<typeof Stored>

export const assignmentRules = {
  show: endpoint({
    method: 'GET',
    path: '/admin/support/assignment-rules',
    shows: ['settings', 'staff'],
    // The form starts over with the version that it gets.
    live: false,
    summary: 'Get the rules that assign new tickets.',
    access: adminsOnly,
    response: z.object({ data: Stored }),
  }),
  change: endpoint({
    method: 'POST',
    path: '/admin/support/assignment-rules',
    summary:
      'Replace the rules that assign new tickets. Returns 409 with the current ones if the version is out of date.',
    act: 'Changed assignment rules',
    access: adminsOnly,
    body: AssignmentRules.extend({ version }),
    response: z.object({ message: z.string(), data: Stored }),
  }),
}
