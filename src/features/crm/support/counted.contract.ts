import { z } from 'zod'
import { plainDay, wholeNumber } from '#shared/schemas.ts'
import { idOrZero } from '#features/crm/support/parts.contract.ts'
import { clockKindNames, ticketEvents } from '#features/crm/support/rules.ts'

/** Filters of the list of tickets for those that a number of the report counts. */
export const counted = {
  /** The weekday on which the ticket was created (1 is Monday), and its hours there, both included. */
  created_weekday: wholeNumber(1, 7).optional(),
  created_hour_from: wholeNumber(0, 23).optional(),
  created_hour_to: wholeNumber(0, 23).optional(),
  /** What happened to the ticket between `event_from` and `event_to`, and by whom; a report counts it. */
  event: z.enum(ticketEvents).optional(),
  event_from: plainDay.optional(),
  event_to: plainDay.optional(),
  event_by: idOrZero.optional(),
  /** Kind of the service target that was met or missed. */
  event_target: z.enum(clockKindNames).optional(),
}
