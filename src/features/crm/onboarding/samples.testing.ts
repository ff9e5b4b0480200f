import type { Samples } from '#app/testing/samples.testing.ts'
import { win } from '#features/crm/onboarding/server/onboarding.testing.ts'

const address = '/admin/users'
const link = async (started: Parameters<typeof win>[0]) => {
  const { id, lead_id } = await win(started)
  return { input: { lead_id, lead_onboarding_id: id, send_meeting_link: 'https://meet.example/1', contact_emails: ['aino@aalto.example'] } }
}
export const samples: Samples = {
  [`POST ${address}/post-onboarding`]: async ({ started }) => ({ input: { lead_onboaring_id: (await win(started)).id, stage: 1 } }),
  [`POST ${address}/update-onboaring-status`]: async ({ started }) => ({ input: { id: (await win(started)).id, status: 2, hold_reason: 'Holiday' } }),
  [`POST ${address}/post-session`]: async ({ started }) => ({ input: { lead_onboaring_id: (await win(started)).id, type: 'Demo' } }),
  [`POST ${address}/send-meeting-link`]: ({ started }) => link(started),
  [`POST ${address}/send-meeting-link/preview`]: ({ started }) => link(started),
}
