import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'

const video = { video_label: 'Demo', video_link: 'https://video.example/1' }
/** Fields that don't contain free text, such as links, timestamps, and codes. */
export const notFree = /(_for|_link|_on|completed_at|contact_emails\.0|^type|^domain)$/

export const samples: Samples = {
  'POST /admin/organization/{id}/update': async ({ started }) => ({
    input: {},
    params: { id: String(await enterOrganization(started.db)) },
  }),
  'POST /admin/organization/demo-video-link': async ({ started }) => ({
    input: { org_id: await enterOrganization(started.db), ...video },
  }),
  'POST /admin/organization/update-demo-video-link': async ({ started }) => ({
    input: { id: await enterOrganization(started.db), ...video },
  }),
  'POST /admin/organization/update_trial_date': async ({ started }) => ({
    input: { id: await enterOrganization(started.db, { status: 2 }) },
  }),
  'GET /admin/users/change-organization-status': async ({ started }) => ({
    input: { status: 1, org_id: await enterOrganization(started.db) },
  }),
  'POST /admin/organization/{id}/documents': async ({ started }) => {
    const form = { file: { name: 'terms.txt', bytes: 'Terms', type: 'text/plain' } }
    const { data } = await started.as('super_admin').post('/files/stage', undefined, { form })
    return {
      input: { label: 'Contract', file_ids: [data.id] },
      params: { id: String(await enterOrganization(started.db)) },
    }
  },
  'POST /admin/users/change-organization-status/matching': async ({ started }) => {
    await enterOrganization(started.db)
    return { input: { filters: {}, status: 1 } }
  },
  'POST /admin/users/change-organization-status/preview': () => ({ input: { filters: {}, status: 1 } }),
}

export const records: RecordSamples = { organization: textFields('state', 'country') }
