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

/** More fields of a session of a lead. */
export const appointmentFields = {
  minutes: { label: 'Length', empty: '60' },
  host_ids: { label: 'Led by', empty: [] as string[] },
  place: { label: 'Place or link', empty: '' },
  guests: { label: 'More guests', empty: [] as string[] },
} as const satisfies Fields
