import { randomUUID } from 'node:crypto'
import type { RecordSamples, SampleIds, Samples } from '#app/testing/samples.testing.ts'

/** Sample requests for the endpoints that accept text for leads, sessions, lists, and staff. */
const mail = ({ lead }: SampleIds) => ({ lead_id: lead, lead_name: 'Zoë', lead_email: 'zoe@aalto.example' })
/** Adds a custom field with a choice; returns the parameters that name it. */
const withCustomField = async ({ started: { as } }: SampleIds, name: string) => {
  const field = { name, type: 'choice', choices: [{ name: 'A' }] }
  const { data } = await as('super_admin').post('/admin/settings/custom-fields/1', field)
  return { product_id: '1', id: String(data.find((one: { name: string }) => one.name === name).id) }
}

export const samples: Samples = {
  'POST /admin/settings/custom-fields/{product_id}': () => ({
    input: { name: 'Machine', type: 'choice', choices: [{ name: 'A' }] },
    params: { product_id: '1' },
  }),
  'POST /admin/settings/custom-fields/{product_id}/{id}': async (ids) => ({
    input: { name: `Field ${randomUUID()}`, choices: [{ name: 'A' }], version: 1 },
    params: await withCustomField(ids, `Field ${randomUUID()}`),
  }),
  'POST /admin/users/save-demo-requests': () => ({ input: { companyName: 'Aalto', lead_for: 1 } }),
  'POST /admin/users/update-demo-requests': ({ lead }) => ({ input: { lead_id: lead } }),
  'GET /admin/users/change-demorequest-status': ({ lead }) => ({
    input: { id: lead, status: 8, reject_msg: 'No' },
  }),
  'POST /admin/users/lead-tags': () => ({ input: { name: 'Tag' } }),
  'POST /admin/users/save-demo-session': ({ lead }) => ({
    input: { lead_id: lead, sessions: [{ type: 'Demo' }] },
  }),
  'POST /admin/users/lead-calls': ({ lead }) => ({ input: { lead_id: lead, outcome: 1 } }),
  'POST /admin/users/lead-calls/{id}': async ({ lead, started: { as } }) => {
    const { data } = await as('super_admin').post('/admin/users/lead-calls', { lead_id: lead, outcome: 1 })
    return { input: { outcome: 1 }, params: { id: String(data.id) } }
  },
  'POST /admin/users/not-duplicates': async ({ lead, started: { as } }) => {
    const made = await as('super_admin').post('/admin/users/save-demo-requests', {
      companyName: 'Aalto',
      lead_for: 1,
    })
    return { input: { lead_id: lead, others: [made['data'].lead_id] } }
  },
  'POST /admin/users/lead-contacts': ({ lead }) => ({ input: { lead_id: lead, name: 'Zoë' } }),
  'POST /admin/users/lead-contacts/{id}': async ({ lead, started: { as } }) => {
    const { data } = await as('super_admin').post('/admin/users/lead-contacts', {
      lead_id: lead,
      name: 'Zoë',
    })
    return { input: { name: 'Zoë' }, params: { id: String(data.id) } }
  },
  'POST /admin/users/schedule-demo-mail': (ids) => ({ input: mail(ids) }),
  'POST /admin/users/send-prospection-mail': (ids) => ({ input: mail(ids) }),
  'POST /admin/users/schedule-demo-mail/preview': (ids) => ({ input: mail(ids) }),
  'POST /admin/users/send-prospection-mail/preview': (ids) => ({ input: mail(ids) }),
  'POST /admin/users/prospection-questions': ({ lead, question }) => ({
    input: { lead_id: lead, answers: [{ question_id: question, answer: 'Yes' }] },
  }),
  'POST /admin/users/lead-imports/{id}/run': () => ({ input: {} }),
  'POST /admin/lists/{list}/add': () => ({ input: { name: 'Entry' }, params: { list: 'sources' } }),
  'POST /admin/lists/{list}/change': ({ question }) => ({
    input: { key: String(question), name: 'Entry' },
    params: { list: 'questions' },
  }),
  'POST /admin/lists/{list}/order': () => ({ input: { keys: ['1'] }, params: { list: 'tags' } }),
  'POST /admin/lists/{list}/remove': () => ({ input: { key: '999' }, params: { list: 'tags' } }),
  'GET /admin/appointments/{type}/{id}/conflicts': ({ lead }) => ({
    input: { at: '2026-03-20T10:00:00Z' },
    params: { type: 'lead', id: String(lead) },
  }),
  'GET /admin/appointments/{type}/{id}/busy': ({ lead }) => ({
    input: { day: '2026-03-20' },
    params: { type: 'lead', id: String(lead) },
  }),
  'GET /admin/appointments/{type}/{id}/free': ({ lead }) => ({
    input: {},
    params: { type: 'lead', id: String(lead) },
  }),
  'GET /admin/users/check-leads-website-status': ({ lead }) => ({
    input: { id: lead, url: 'http://127.0.0.1/' },
  }),
  'POST /admin/users/lead-create-organization': ({ lead }) => ({
    input: { lead_id: lead, user: { first_name: 'Aino' } },
  }),
  'POST /admin/users/change-leads': ({ lead, field }) => ({
    input: {
      selection: { ids: [lead] },
      change: field?.startsWith('change.values.')
        ? { kind: 'edit', values: {} }
        : { kind: 'reject', reject_msg: 'No' },
    },
  }),
  'POST /admin/users/update-admin-user': () => ({
    input: {
      id: 1,
      role_id: 0,
      user_name: 'super_admin',
      first_name: 'Ingrid',
      last_name: 'Solheim',
      email: 'i@panel.example',
    },
  }),
}

export const records: RecordSamples = {
  lead: {
    fields: [
      ['companyName', 'First', 'Second'],
      ['tag_ids', [1, 2], [3]],
    ],
  },
}
