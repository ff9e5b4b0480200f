import { z } from 'zod'
import {
  code,
  emailOrEmpty,
  oneOf,
  plainDay,
  recordId,
  requiredText,
  text,
  webAddressOrEmpty,
  wholeNumber,
} from '#shared/schemas.ts'
import { zoneName } from '#shared/zones.ts'

/* A lead's editable fields; separate from the rest, because the list doesn't need them. */

/** Accepts both names of a field; responses use the first (docs/spec-gaps.md G84). */
const eitherName = (first: string, second: string) => (input: unknown) => {
  if (typeof input !== 'object' || input === null || first in input || !(second in input)) return input
  return { ...input, [first]: (input as Record<string, unknown>)[second] }
}
const dayOrNull = z.preprocess((value) => (value === '' ? null : value), plainDay.nullable())
const idOrNull = z.preprocess((value) => (value === '' ? null : value), recordId.nullable())
const nameOrNull = z.preprocess((value) => (value === '' ? null : value), requiredText(80).nullable())

/** The editable fields; in a new lead, fields that are left out get their column defaults. */
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
  /** The day when the lead was created; defaults to the server's date. */
  lead_date: plainDay,
  request_date: dayOrNull,
  followup_date: dayOrNull,
  timezone: zoneName,
})

const bothNames = (input: unknown) =>
  eitherName('contactName', 'name')(eitherName('companyName', 'company')(input))

export const NewLead = z.preprocess(
  bothNames,
  leadFields.partial().required({ companyName: true, lead_for: true }),
)
/**
 * A change to a lead: only the fields that are sent change. `version`, if sent, must match the stored
 * version. With `base`, the values that the user saw, an older version is accepted unless others have changed
 * the same fields.
 */
export const LeadChange = z.preprocess(
  (input) => bothNames(eitherName('lead_id', 'id')(input)),
  leadFields.partial().extend({
    lead_id: recordId,
    version: wholeNumber(1, 2_147_483_647).optional(),
    base: z.record(z.string(), z.unknown()).optional(),
  }),
)
export type NewLead = z.output<typeof NewLead>
export type LeadChange = z.output<typeof LeadChange>
