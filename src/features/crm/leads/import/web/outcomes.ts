import type { ImportOutcome } from '#features/crm/leads/import/contract.ts'

/** What becomes of a row, before the import and after it. */
export const outcomes = {
  create: { planned: 'New', done: 'Created', tone: 'green' },
  update: { planned: 'Changes', done: 'Updated', tone: 'blue' },
  duplicate: { planned: 'Duplicates', done: 'Duplicates', tone: 'gray' },
  error: { planned: 'Errors', done: 'Failed', tone: 'red' },
} as const satisfies Record<ImportOutcome, object>
export const outcomeNames = Object.keys(outcomes) as ImportOutcome[]
