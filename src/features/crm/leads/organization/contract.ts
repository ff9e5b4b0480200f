import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import {
  emailOrEmpty,
  instant,
  lineWithoutInvisible,
  oneOf,
  plainDay,
  recordId,
  requiredText,
  text,
} from '#shared/schemas.ts'
import { OperationRef } from '#shared/record.contract.ts'
import { zoneName } from '#shared/zones.ts'

export const LeadOrganization = z.object({
  organization_id: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  trial_end_date: z.string().nullable(),
  product_ids: z.array(z.number().int()),
  timezone: z.string(),
  state: z.string(),
  country: z.string(),
  lead_id: z.number().int(),
  onboarding_id: z.number().int().nullable(),
  created_at: instant,
})

const FirstUser = z.object({
  first_name: requiredText(100),
  last_name: text(100).default(''),
  email: emailOrEmpty.default(''),
  phone: lineWithoutInvisible(100).default(''),
})
const NewOnboarding = z.object({ stage: recordId.optional(), assign_to: recordId.nullish() })

/**
 * Missing fields are taken from the lead (company, country, time zone, contact); the status defaults to
 * trial. Null means no user or no onboarding.
 */
export const NewOrganization = z.preprocess(
  (input) =>
    typeof input === 'object' && input !== null && !('lead_id' in input) && 'id' in input
      ? { ...input, lead_id: input.id }
      : input,
  z
    .object({
      lead_id: recordId,
      /** An existing organization to link the lead to; if set, the fields for a new one are ignored. */
      organization_id: recordId.optional(),
      name: requiredText(200).optional(),
      status: oneOf(1, 2, 3, 4).optional(),
      trial_end_date: z.preprocess(
        (value) => (value === '' || value === null ? undefined : value),
        plainDay.optional(),
      ),
      timezone: zoneName.optional(),
      state: text(80).optional(),
      country: text(80).optional(),
      user: FirstUser.nullish(),
      onboarding: NewOnboarding.nullish(),
    })
    .refine(({ status = 2, trial_end_date }) => status === 2 || trial_end_date === undefined, {
      path: ['trial_end_date'],
      message: 'Only trials can have an end date.',
    }),
)

/** Preview of what is created when the lead is won. */
export const WinPreview = z.object({
  name: z.string(),
  status: z.number().int(),
  trial_end_date: z.string(),
  timezone: z.string(),
  state: z.string(),
  country: z.string(),
  user: z
    .object({ first_name: z.string(), last_name: z.string(), email: z.string(), phone: z.string() })
    .nullable(),
  /** The organization with a user who already has the contact's email address. */
  user_of: z.string().nullable(),
  stages: z.array(z.object({ id: z.number().int(), name: z.string() })),
  assign_to: z.number().int().nullable(),
  /** The status that the lead will change to; null if no status is marked as won. */
  lead_status: z.string().nullable(),
  likely: z.array(
    z.object({
      organization_id: z.number().int(),
      name: z.string(),
      country: z.string(),
      domain: z.string(),
    }),
  ),
})
export type WinPreview = z.output<typeof WinPreview>

export const organizationOfLead = {
  preview: endpoint({
    method: 'GET',
    path: '/admin/users/lead-create-organization/preview',
    summary:
      'Preview what winning a lead would create, and the existing organizations it could be linked to.',
    access: 'lead_create_organization',
    query: z.object({ lead_id: recordId }),
    response: z.object({ data: WinPreview }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/users/lead-create-organization',
    summary:
      'Win a lead: create an organization with a first user and an onboarding, or link an existing organization. Returns 409 with the organization if the lead already has one.',
    act: 'Won the lead',
    access: 'lead_create_organization',
    record: 'organization',
    notFields: ['lead_id', 'organization_id', 'user', 'onboarding'],
    body: NewOrganization,
    response: z.object({ message: z.string(), data: LeadOrganization, operation: OperationRef }),
  }),
}
