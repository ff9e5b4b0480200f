import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import {
  emptyIsNull,
  instant,
  moment,
  oneOf,
  plainDay,
  recordId,
  text,
  webAddress,
  webAddressOrEmpty,
} from '#shared/schemas.ts'
import { MailRow } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'
import { changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { isAddress } from '#shared/recipients.ts'
import { defaultZone, zoneName } from '#shared/zones.ts'
import { Demo, SessionInput } from '#features/crm/leads/demos/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { mostRecipients, onboardingTabNames } from '#features/crm/onboarding/rules.ts'

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

/** A boolean, also accepted in the format in which HTML forms send it. */
const yesNo = z.preprocess(
  (value) =>
    value === 1 || value === '1' || value === 'true'
      ? true
      : value === 0 || value === '0' || value === 'false' || value === ''
        ? false
        : value,
  z.boolean('Choose yes or no.'),
)
const addresses = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === 'string'
        ? one
            .split(/[,;\s]+/)
            .map((part) => part.trim())
            .filter(Boolean)
        : [one],
    ),
  z
    .array(z.string('This must be text.').refine(isAddress, 'Enter a valid email address.'))
    .max(mostRecipients, `Enter up to ${mostRecipients} email addresses.`),
)

const stepFields = z.object({
  schedule_for: emptyIsNull(moment),
  schedule_comment: text(2000),
  completed_status: yesNo,
  completed_at: emptyIsNull(moment),
  completed_comment: text(2000),
  add_more: yesNo,
  next_expected_date: emptyIsNull(plainDay),
  assign_to: emptyIsNull(recordId),
  send_meeting_link: webAddressOrEmpty,
  contact_emails: addresses,
  send_email_for_set_crendentials: yesNo,
  training_session_request_in_followup: yesNo,
  onboarding_by: emptyIsNull(recordId),
  add_more_session: yesNo,
  zoom_recording_link: webAddressOrEmpty,
  passcode: text(100),
})
/**
 * An onboarding's stage to schedule or complete. The onboarding is identified by `lead_onboaring_id` or `id`,
 * the stage by its step if there is one, or else by its stage ID.
 */
export const PostOnboarding = stepFields
  .partial()
  .extend({
    id: recordId.optional(),
    lead_onboaring_id: recordId.optional(),
    lead_onboaring_stage_id: recordId.optional(),
    stage: recordId.optional(),
    org_id: recordId.optional(),
  })
  .refine(({ id, lead_onboaring_id }) => (id ?? lead_onboaring_id) !== undefined, {
    path: ['lead_onboaring_id'],
    message: 'This field is required.',
  })
  .refine(({ stage, lead_onboaring_stage_id }) => (stage ?? lead_onboaring_stage_id) !== undefined, {
    path: ['stage'],
    message: 'This field is required.',
  })
export type PostOnboarding = z.output<typeof PostOnboarding>
export type StepValues = z.output<ReturnType<typeof stepFields.partial>>

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

export const PostSession = SessionInput.extend({
  lead_onboaring_id: recordId,
  is_completed: yesNo.optional(),
})

export const MeetingLink = z.object({
  lead_id: recordId,
  lead_onboarding_id: recordId,
  send_attachment_link: webAddressOrEmpty.default(''),
  /** If absent, the link and the addresses of the stage. */
  send_meeting_link: webAddress.optional(),
  contact_emails: addresses.optional(),
  lead_onboaring_stage_id: recordId.optional(),
})

/** An email with a meeting link, as it would be sent. */
const LinkPreview = z.object({
  to: z.array(z.string()),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
})

const Whole = changedReply(Onboarding)

export const ScheduledStep = z.object({
  id: z.number().int(),
  kind: z.enum(['stage', 'session']),
  onboarding_id: z.number().int(),
  name: z.string(),
  company: z.string(),
  at: instant,
  done: z.boolean(),
  timezone: z.string(),
  assigned_name: z.string().nullable(),
})
export type ScheduledStep = z.output<typeof ScheduledStep>

export const onboardings = {
  /** Shares its endpoint with the lead follow-ups; the server's contract combines both (leads/follow-ups). */
  list: endpoint({
    method: 'GET',
    path: '/admin/users/get-demo-leads',
    summary: 'List onboardings, filtered by status.',
    access: 'onboarding_list',
    product: ['query.lead_for'],
    query: OnboardingFilters,
    response: OnboardingListReply,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/onboarding',
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
  post: endpoint({
    method: 'POST',
    path: '/admin/users/post-onboarding',
    alsoAt: ['/admin/post-onboarding'],
    summary: 'Schedule or complete an onboarding stage. Completing the last stage completes the onboarding.',
    act: 'Updated a stage',
    access: 'onboarding_list',
    body: PostOnboarding,
    response: Whole.extend({ onboarding_status: z.string() }),
  }),
  // The spelling in the body comes from the specification.
  addTrainingSession: endpoint({
    method: 'POST',
    path: '/admin/users/add-onboarding-training-session',
    alsoAt: ['/admin/add-onboarding-training-session'],
    summary: 'Add a training session to an onboarding stage.',
    act: 'Added a training session',
    access: 'onboarding_list',
    body: z.object({
      id: recordId.optional(),
      lead_onboaring_id: recordId,
      org_id: recordId.optional(),
      stage: recordId,
      training_session_request_in_followup: yesNo.optional(),
    }),
    response: Whole,
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
  postSession: endpoint({
    method: 'POST',
    path: '/admin/users/post-session',
    alsoAt: ['/admin/post-session'],
    summary: 'Create or update an onboarding session. It also appears among the lead’s sessions.',
    act: 'Saved a session',
    access: 'onboarding_list',
    body: PostSession,
    response: Whole,
  }),
  previewMeetingLink: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/send-meeting-link/preview',
    summary: 'Preview the meeting link email.',
    access: 'onboarding_send_attachment_link',
    body: MeetingLink,
    response: z.object({ data: LinkPreview }),
  }),
  sendMeetingLink: endpoint({
    method: 'POST',
    path: '/admin/users/send-meeting-link',
    alsoAt: ['/admin/send-meeting-link'],
    summary: 'Email an onboarding’s meeting link, optionally with an attachment link.',
    act: 'Sent meeting link',
    access: 'onboarding_send_attachment_link',
    body: MeetingLink,
    response: z.object({ message: z.string(), mail_id: z.number().int() }),
  }),
  schedule: endpoint({
    method: 'GET',
    path: '/admin/users/onboarding-schedule',
    summary: 'List onboarding stages and sessions between two dates in a time zone, in chronological order.',
    access: 'onboarding_list',
    product: ['query.lead_for'],
    query: z.object({
      from: plainDay,
      to: plainDay,
      lead_for: recordId.optional(),
      timezone: zoneName.default(defaultZone),
    }),
    response: z.object({ data: z.array(ScheduledStep), truncated: z.boolean() }),
  }),
}
