import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

/** Fields that don't contain free text, such as email addresses and dates. */
export const notFree = /^(until|subject|note|reason|email)$/

let users = 0
const user = async (db: Parameters<typeof enterOrganization>[0]) =>
  enterUser(db, await enterOrganization(db), `Person${(users += 1)}`)

export const samples: Samples = {
  'POST /admin/users/create-user': async ({ started }) => ({
    input: { organization_id: await enterOrganization(started.db), first_name: 'Aino' },
  }),
  'POST /admin/users/update-user': async ({ started }) => ({ input: { id: await user(started.db) } }),
  'POST /admin/users/{id}/ban': async ({ started }) => ({
    input: { reason: 'Spam' },
    params: { id: String(await user(started.db)) },
  }),
  'POST /admin/users/save-user-note': async ({ started }) => ({
    input: { note: 'Hello', user: await user(started.db) },
  }),
  'POST /admin/users/send-email': async ({ started }) => ({
    input: { subject: 'News', note: 'Hello', user: await user(started.db) },
  }),
  'POST /admin/users/send-bulk-email': async ({ started }) => {
    await started.as('super_admin').post('/admin/users/save-sender', { user_ids: [await user(started.db)] })
    return { input: { subject: 'News', note: 'Hello' } }
  },
  'POST /admin/users/send-bulk-email/test': () => ({ input: { subject: 'News', note: 'Hello' } }),
}

export const records: RecordSamples = { customer_user: textFields('first_name', 'last_name') }
