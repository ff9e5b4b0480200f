import { z } from 'zod'
import { code, emailOrEmpty, oneOf, plainDay, recordId, requiredText, text, webAddressOrEmpty, wholeNumber } from '#shared/fields.ts'
import { zoneName } from '#shared/zones.ts'

/*
 * What a person writes into a lead; apart from the rest, because the list does without it.
 */

/** Both names of a field are read, the first named is answered (docs/spec-gaps.md G84). */
const eitherName = (first: string, second: string) => (input: unknown) => {
  if (typeof input !== 'object' || input === null || first in input || !(second in input)) return input
  return { ...input, [first]: (input as Record<string, unknown>)[second] }
}
const dayOrNull = z.preprocess((value) => (value === '' ? null : value), plainDay.nullable())
const idOrNull = z.preprocess((value) => (value === '' ? null : value), recordId.nullable())
const nameOrNull = z.preprocess((value) => (value === '' ? null : value), requiredText(80).nullable())

/** The fields that a person writes; what a new lead leaves out, the columns' defaults fill. */
export const leadFields = z.object({
  companyName: requiredText(200),
  contactName: text(200),
  phone: text(60),
  email: emailOrEmpty,
  country: text(80),
  lead_for: recordId,
  services: nameOrNull,
  answer: text(2000),
  join: text(2000),
  company_url: webAddressOrEmpty,
  hear_about: nameOrNull,
  implement_date: dayOrNull,
  additional_info: text(10_000),
  tag_ids: z.array(recordId).max(50),
  cog_types: z.array(requiredText(80)).max(20),
  assign_to: idOrNull,
  lead_type: oneOf(1, 2),
  color: code,
  status: code,
  demo_status: oneOf(0, 1, 2, 3),
  /** The day on which the lead came in; the server's day when absent. */
  lead_date: plainDay,
  request_date: dayOrNull,
  followup_date: dayOrNull,
  timezone: zoneName,
})

const bothNames = (input: unknown) => eitherName('contactName', 'name')(eitherName('companyName', 'company')(input))

export const NewLead = z.preprocess(bothNames, leadFields.partial().required({ companyName: true, lead_for: true }))
/**
 * A change of a lead: the fields that are sent change, the others stay. `version`, when sent, must be the one that is stored;
 * with `base`, what the fields held when the person saw them, an older one is as good where nobody else changed the same fields.
 */
export const LeadChange = z.preprocess(
  (input) => bothNames(eitherName('lead_id', 'id')(input)),
  leadFields.partial().extend({ lead_id: recordId, version: wholeNumber(1, 2_147_483_647).optional(), base: z.record(z.string(), z.unknown()).optional() }),
)
export type NewLead = z.output<typeof NewLead>
export type LeadChange = z.output<typeof LeadChange>
