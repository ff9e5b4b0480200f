import { z } from 'zod'
import { instant, recordId, wholeNumber } from '#shared/schemas.ts'
import { clockKindNames } from '#features/crm/support/rules.ts'
import { fileIds, largestFile, mostFiles } from '#shared/files.ts'

/* Schemas and limits that the contracts of support share. */

export const id = recordId
export const idOrZero = wholeNumber(0, 2_147_483_647, 'This number is too large.')
export const int = z.number().int()

export const files = { attachment: { most: mostFiles, maxBytes: largestFile } } as const
/** Normalizes IDs, including those from a form, to a list. */
export const listOf = (value: unknown) =>
  value === undefined
    ? undefined
    : Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(',').filter(Boolean)
        : [value]
export const formFileIds = z.preprocess(listOf, fileIds.optional())

export const ticket = z.object({ ticket: id })
export const ofTicket = 'all_tickets_view'

/** A service target of a ticket. */
export const TicketTarget = z.object({
  kind: z.enum(clockKindNames),
  /** Length of the target, in working time if it counts only that. */
  minutes: int,
  /** When a running target ends; null if it is paused or has ended. */
  due_at: instant.nullable(),
  /** Seconds left when it was paused or had ended; negative if it was missed. */
  seconds_left: int.nullable(),
  ended_at: instant.nullable(),
})
