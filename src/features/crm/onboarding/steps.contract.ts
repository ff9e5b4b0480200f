import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { changedReply } from '#shared/record.contract.ts'
import { emptyIsNull, moment, plainDay, recordId, text, webAddressOrEmpty, yesNo } from '#shared/schemas.ts'
import { addresses } from '#features/crm/onboarding/addresses.contract.ts'
import { Onboarding } from '#features/crm/onboarding/contract.ts'

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

export const onboardingSteps = {
  post: endpoint({
    method: 'POST',
    path: '/admin/users/post-onboarding',
    alsoAt: ['/admin/post-onboarding'],
    summary: 'Schedule or complete an onboarding stage. Completing the last stage completes the onboarding.',
    act: 'Updated a stage',
    access: 'onboarding_list',
    body: PostOnboarding,
    response: changedReply(Onboarding).extend({ onboarding_status: z.string() }),
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
    response: changedReply(Onboarding),
  }),
}
