import { z } from 'zod'
import { recordId, wholeNumber } from '#shared/schemas.ts'

/** Maximum number of records that can be selected by ID. */
export const mostSelected = 10_000

/**
 * Builds the schema of a selection in a list: records by ID, or all that match filters. `total` is the number that
 * the caller saw; if the current number differs, the request is rejected.
 */
export const selectionOf = <Filters extends z.ZodType>(filters: Filters) =>
  z
    .object({
      ids: z.array(recordId).min(1).max(mostSelected).optional(),
      filters: filters.optional(),
      total: wholeNumber(1, 2_147_483_647).optional(),
    })
    .refine(
      ({ ids, filters: matched, total }) =>
        (ids === undefined) === (matched !== undefined && total !== undefined),
      'Send either `ids`, or `filters` and `total`.',
    )
