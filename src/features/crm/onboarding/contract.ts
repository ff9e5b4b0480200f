import { z } from 'zod'
import { whoseSchedule } from '#shared/appointments.contract.ts'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { emptyIsNull, instant, oneOf, plainDay, recordId, text } from '#shared/schemas.ts'
import { MailRow } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'
import { changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { defaultZone, zoneName } from '#shared/zones.ts'
import { Demo } from '#features/crm/leads/demos/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { onboardingTabNames } from '#features/crm/onboarding/rules.ts'

/** The text from A §8, verbatim. */
export const linkFailed = 'OOPS! Something Went Wrong...'
export const onboardingsPerPage = 20

/**
 * Filters for the onboarding list in `get-demo-leads`; `lead_for` is the product. There is no date filter.
 */
export const OnboardingFilters = z.object({
  page: pageNumber.default(1),
  tab: z.enum(onboardingTabNames).default('in_progress'),
  search: text(200).default(''),
  stage: recordId.optional(),
  assigned_filter: z.enum(['all', 'mine', 'assigned', 'unassigned']).default('all'),
  lead_for: recordId.optional(),
})
export type OnboardingFilters = z.output<typeof OnboardingFilters>

export const OnboardingRow = z.object({
  ...repliesOf(onboardingFields),
  lead_id: z.number().int(),
  company: z.string(),
  org_id: z.number().int(),
  lead_for: z.number().int(),
  stage_name: z.string(),
  stages: z.number().int(),
  usual_days: z.number().int(),
  timezone: z.string(),
  assigned_name: z.string().nullable(),
  version: z.number().int(),
})
export type OnboardingRow = z.output<typeof OnboardingRow>

export const OnboardingListReply = listReply(OnboardingRow).extend({
  tabs: z.object({ in_progress: z.number().int(), on_hold: z.number().int(), completed: z.number().int() }),
})
export type OnboardingListReply = z.output<typeof OnboardingListReply>

export const Stage = z.object({ id: z.number().int(), name: z.string(), usual_days: z.number().int() })
export type Stage = z.output<typeof Stage>

/**
 * The fields of the specification's entity (A §3): `lead_onboaring_stage_id` identifies the step,
 * `lead_onboaring_id` the onboarding.
 */
export const OnboardingStep = z.object({
  id: z.number().int(),
  lead_onboaring_stage_id: z.number().int(),
  lead_onboaring_id: z.number().int(),
  stage: z.number().int(),
  stage_name: z.string(),
  is_training: z.boolean(),
  schedule_for: instant.nullable(),
  schedule_comment: z.string(),
  completed_status: z.boolean(),
  completed_at: instant.nullable(),
  completed_comment: z.string(),
  add_more: z.boolean(),
  next_expected_date: z.string().nullable(),
  assign_to: z.number().int().nullable(),
  send_meeting_link: z.string(),
  contact_emails: z.array(z.string()),
  send_email_for_set_crendentials: z.boolean(),
  org_id: z.number().int(),
  training_session_request_in_followup: z.boolean(),
  onboarding_by: z.number().int().nullable(),
  add_more_session: z.boolean(),
  zoom_recording_link: z.string(),
  passcode: z.string(),
})
export type OnboardingStep = z.output<typeof OnboardingStep>

export const Onboarding = OnboardingRow.extend({
  contact: z.string(),
  contact_email: z.string(),
  ...detailsOf(onboardingFields),
  created_at: instant,
  steps: z.array(OnboardingStep),
  all_stages: z.array(Stage),
  sessions: z.array(Demo),
  session_types: z.array(z.string()),
  /** Email addresses of the organization's users. */
  addresses: z.array(z.string()),
  mails: z.array(MailRow),
})
export type Onboarding = z.output<typeof Onboarding>

export const OnHold = z
  .object({
    id: recordId,
    status: oneOf(1, 2, 3),
    hold_reason: text(1000).optional(),
    resume_on: emptyIsNull(plainDay).optional(),
  })
  .refine(({ status, hold_reason }) => status !== 2 || Boolean(hold_reason), {
    path: ['hold_reason'],
    message: 'Enter a reason for putting the onboarding on hold.',
  })

export const ScheduledStep = z.object({
  id: z.number().int(),
  kind: z.enum(['stage', 'session']),
  onboarding_id: z.number().int(),
  name: z.string(),
  company: z.string(),
  lead_for: z.number().int(),
  at: instant,
  minutes: z.number().int(),
  /** The status of a session; a stage is scheduled (2) or completed (3). */
  status: z.number().int(),
  done: z.boolean(),
  timezone: z.string(),
  assigned_name: z.string().nullable(),
  /** Names of the hosts or, without any, of the assignee. */
  led_by: z.string().nullable(),
})
export type ScheduledStep = z.output<typeof ScheduledStep>

export const onboardings = {
  /** Shares its endpoint with the lead follow-ups; the server's contract combines both (leads/follow-ups). */
  list: endpoint({
    method: 'GET',
    path: '/admin/users/get-demo-leads',
    shows: ['onboarding'],
    summary: 'List onboardings, filtered by status.',
    access: 'onboarding_list',
    product: ['query.lead_for'],
    query: OnboardingFilters,
    response: OnboardingListReply,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/onboarding',
    shows: ['onboarding', 'mails'],
    summary: 'Get an onboarding with its stages, steps, sessions, and emails.',
    access: 'onboarding_list',
    query: z.object({ id: recordId }),
    response: z.object({ data: Onboarding }),
  }),
  stages: endpoint({
    method: 'GET',
    path: '/admin/users/onboarding-stages',
    summary: 'List a product’s onboarding stages, in order.',
    access: anyOf('onboarding_list', 'lead_create_organization'),
    product: ['query.product'],
    query: z.object({ product: recordId }),
    response: z.object({ data: z.array(Stage) }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/users/onboarding/{id}',
    summary: 'Update an onboarding’s next expected date or assignee.',
    act: 'Edited',
    access: 'onboarding_list',
    record: 'onboarding',
    params: z.object({ id: recordId }),
    body: z.object(inputsOf(onboardingFields)).partial().extend(editBaseFields),
    response: changedReply(Onboarding),
  }),
  // The spelling of the path comes from the specification.
  updateStatus: endpoint({
    method: 'POST',
    path: '/admin/users/update-onboaring-status',
    alsoAt: ['/admin/update-onboaring-status'],
    summary: 'Put an onboarding on hold with a reason, or resume it.',
    act: 'Changed status',
    access: 'onboarding_on_hold',
    body: OnHold,
    response: changedReply(Onboarding),
  }),
  schedule: endpoint({
    method: 'GET',
    path: '/admin/users/onboarding-schedule',
    shows: ['onboarding'],
    summary: 'List onboarding stages and sessions between two dates in a time zone, in chronological order.',
    access: 'onboarding_list',
    product: ['query.lead_for'],
    query: z.object({
      from: plainDay,
      to: plainDay,
      lead_for: recordId.optional(),
      timezone: zoneName.default(defaultZone),
      assigned_filter: whoseSchedule,
    }),
    response: z.object({ data: z.array(ScheduledStep), truncated: z.boolean() }),
  }),
}
