import type { Fields } from '#shared/field.ts'

/** The fields of a session in forms; an onboarding has sessions, too. */
export const sessionFields = {
  type: { label: 'Type', empty: '' },
  requested_date: { label: 'Requested time', empty: '' },
  schedule_comment: { label: 'Request comment', empty: '' },
  final_date: { label: 'Scheduled time', empty: '' },
  final_comment: { label: 'Schedule comment', empty: '' },
  received_date: { label: 'Request received', empty: '' },
} as const satisfies Fields
