import { z } from 'zod'
import { inputsOf } from '#shared/field.ts'
import { recordId, wholeNumber } from '#shared/schemas.ts'
import { leadFields } from '#features/crm/leads/fields.ts'

/* A lead's editable fields; separate from the rest, because the list doesn't need them. */

/** Accepts both names of a field; responses use the first (docs/spec-gaps.md G84). */
const eitherName = (first: string, second: string) => (input: unknown) => {
  if (typeof input !== 'object' || input === null || first in input || !(second in input)) return input
  return { ...input, [first]: (input as Record<string, unknown>)[second] }
}
/** The editable fields. */
export const leadInputs = z.object(inputsOf(leadFields))

const bothNames = (input: unknown) =>
  eitherName('contactName', 'name')(eitherName('companyName', 'company')(input))

export const NewLead = z.preprocess(
  bothNames,
  leadInputs.partial().required({ companyName: true, lead_for: true }),
)
/**
 * A change to a lead: only the fields that are sent change. `version`, if sent, must match the stored
 * version. With `base`, the values that the user saw, an older version is accepted unless others have changed
 * the same fields.
 */
export const LeadChange = z.preprocess(
  (input) => bothNames(eitherName('lead_id', 'id')(input)),
  leadInputs.partial().extend({
    lead_id: recordId,
    version: wholeNumber(1, 2_147_483_647).optional(),
    base: z.record(z.string(), z.unknown()).optional(),
  }),
)
export type NewLead = z.output<typeof NewLead>
export type LeadChange = z.output<typeof LeadChange>
