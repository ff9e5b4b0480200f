import type { RecordSamples, Samples } from '#app/testing/samples.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'

const address = '/admin/users'
const link = async (started: Parameters<typeof winLead>[0]) => {
  const { id, lead_id } = await winLead(started)
  return {
    input: {
      lead_id,
      lead_onboarding_id: id,
      send_meeting_link: 'https://meet.example/1',
      contact_emails: ['aino@aalto.example'],
    },
  }
}
export const samples: Samples = {
  [`POST ${address}/post-onboarding`]: async ({ started }) => ({
    input: { lead_onboaring_id: (await winLead(started)).id, stage: 1 },
  }),
  [`POST ${address}/update-onboaring-status`]: async ({ started }) => ({
    input: { id: (await winLead(started)).id, status: 2, hold_reason: 'Holiday' },
  }),
  [`POST ${address}/post-session`]: async ({ started }) => ({
    input: { lead_onboaring_id: (await winLead(started)).id, type: 'Demo' },
  }),
  [`POST ${address}/send-meeting-link`]: ({ started }) => link(started),
  [`POST ${address}/send-meeting-link/preview`]: ({ started }) => link(started),
}

export const records: RecordSamples = {
  onboarding: {
    fields: [
      ['next_expected_date', '2026-05-01', '2026-05-02'],
      ['assign_to', 3, 4],
    ],
  },
}
