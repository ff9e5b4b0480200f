import type { Fields } from '#shared/field.ts'

/** The fields of a call in forms. */
export const callFields = {
  direction: { label: 'Direction', empty: 'out' },
  outcome: { label: 'Outcome', empty: '' },
  minutes: { label: 'Minutes', empty: '' },
  note: { label: 'Note', empty: '' },
} as const satisfies Fields
