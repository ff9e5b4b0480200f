import { sql } from 'kysely'
import type { RecordSamples, Samples } from '#app/testing/samples.testing.ts'

let people = 0
const person = () => {
  people += 1
  return {
    user_name: `noor${people}`,
    first_name: 'Noor',
    last_name: 'Visser',
    email: `noor${people}@example.com`,
    role_id: 2,
  }
}

/** Fields that don't accept free text: tokens, usernames and email addresses, times, URLs. */
export const notFree =
  /^(token|password|username|working_hours\..*|products\.\d+\.(credentials|posts)_url|reason)$/

export const samples: Samples = {
  'POST /admin/admin-users/create': () => ({ input: person() }),
  'POST /admin/admin-users/{id}/ban': async ({ started }) => {
    const { id } = await started.as('super_admin').post('/admin/admin-users/create', person())
    return { input: { reason: 'Left' }, params: { id: String(id) } }
  },
  'POST /auth/forgot-password': () => ({ input: { username: 'crm' } }),
  'POST /auth/set-password': () => ({ input: { token: 'none', password: 'a-good-password' } }),
  'POST /admin/settings': () => ({ input: { products: [{ id: 1 }] } }),
  'POST /admin/calendly-widget': () => ({ input: { product_id: 1, url: '', on: false } }),
}

export const records: RecordSamples = {
  staff: {
    fields: [
      ['first_name', 'First', 'Second'],
      ['product_ids', [1, 2], [3]],
    ],
    insert: (id) =>
      sql`insert into staff (id, user_name, first_name, last_name, email, role_id, slug, password_hash)
        overriding system value
        values (${id}, 'linen', 'Linen', 'Linen', 'linen@linen.example', 2, 'linen', '')`,
  },
}
