import type { TicketMessage } from '#features/crm/support/contract.ts'

/** A reply of an admin user, for tests. */
export const sampleReply: TicketMessage = {
  id: 5,
  sent_by_admin: true,
  author: 'staff',
  author_role: null,
  user_id: null,
  author_email: null,
  can_be_requesters: false,
  recorded_by: null,
  sender: null,
  others: [],
  who: 'Grace',
  message: '<p>We are on it.</p>',
  is_foreign: false,
  created_at: '2026-11-25T10:00:00Z',
  user_logo: null,
  attachments: [],
  refused_files: [],
  rating: null,
  mail: null,
}
