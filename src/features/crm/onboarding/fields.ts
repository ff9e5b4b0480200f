import { z } from 'zod'
import { byName, type Fields } from '#shared/field.ts'
import { emptyIsNull, instant, plainDay, recordId } from '#shared/schemas.ts'
import { onboardingStatuses } from '#features/crm/onboarding/rules.ts'

const int = z.number().int()

/** The fields of an onboarding, in the order of the list. Its steps are not among them (`contract.ts`). */
export const onboardingFields = {
  id: { label: 'Number', column: false, reply: int },
  organization: {
    label: 'Organization',
    column: false,
    reply: z.string(),
    list: { width: 160, always: true },
  },
  stage: { label: 'Stage', reply: int, shownAs: 'stage_name', list: { width: 138 } },
  /** Number of completed stages. */
  done: { label: 'Progress', column: false, reply: int, list: { id: 'progress', width: 118 } },
  stage_since: { label: 'Stage since', reply: z.string(), list: { id: 'days', width: 155 } },
  next_expected_date: {
    label: 'Next expected date',
    input: emptyIsNull(plainDay),
    reply: z.string().nullable(),
    list: { id: 'next', align: 'right', width: 160 },
  },
  /** Scheduled time of the next step. */
  schedule_for: {
    label: 'Scheduled',
    column: false,
    reply: instant.nullable(),
    list: { id: 'scheduled', width: 228 },
  },
  assign_to: {
    label: 'Assignee',
    of: 'staff',
    input: emptyIsNull(recordId),
    reply: int.nullable(),
    shownAs: 'assigned_name',
    list: { id: 'person', width: 125 },
  },
  training_requested: {
    label: 'Training',
    column: false,
    reply: z.boolean(),
    list: { id: 'training', width: 98 },
  },
  hold_reason: {
    label: 'Hold reason',
    reply: z.string(),
    list: { id: 'hold', width: 200, hiddenAtFirst: true },
  },
  resume_on: { label: 'Resume on', reply: z.string().nullable() },
  status: { label: 'Status', reply: int, words: byName(onboardingStatuses) },
  onboarding_by: { label: 'Led by', of: 'staff' },
  completed_at: { label: 'Completed at', detail: instant.nullable() },
} as const satisfies Fields
