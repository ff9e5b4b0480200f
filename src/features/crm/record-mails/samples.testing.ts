import type { Samples } from '#app/testing/samples.testing.ts'

/** Sample requests for emails to people of records. */
export const samples: Samples = {
  'POST /admin/mails/{type}/{id}': ({ lead }) => ({
    input: { to: ['zoe@aalto.example'], subject: 'News', content: '<p>Hello</p>' },
    params: { type: 'lead', id: String(lead) },
  }),
  'GET /admin/mails/{type}/{id}/templates/{template_id}': ({ lead }) => ({
    input: {},
    params: { type: 'lead', id: String(lead), template_id: '1' },
  }),
  'POST /admin/mails/{type}/{id}/preview': ({ lead }) => ({
    input: { subject: 'News', content: '<p>Hello</p>' },
    params: { type: 'lead', id: String(lead) },
  }),
}

/** Addresses; and the email within a template's request, which is complete or refused. */
export const notFree = /^((to|cc)\.0|send_at|email\..*)$/
