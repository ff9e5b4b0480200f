import { endpoint } from '#shared/endpoint.ts'
import { changedReply } from '#shared/record.contract.ts'
import { recordId, yesNo } from '#shared/schemas.ts'
import { SessionInput } from '#features/crm/leads/demos/contract.ts'
import { Onboarding } from '#features/crm/onboarding/contract.ts'

export const PostSession = SessionInput.extend({
  lead_onboaring_id: recordId,
  is_completed: yesNo.optional(),
})

export const onboardingSessions = {
  postSession: endpoint({
    method: 'POST',
    path: '/admin/users/post-session',
    alsoAt: ['/admin/post-session'],
    summary: 'Create or update an onboarding session. It also appears among the lead’s sessions.',
    act: 'Saved a session',
    access: 'onboarding_list',
    body: PostSession,
    response: changedReply(Onboarding),
  }),
}
