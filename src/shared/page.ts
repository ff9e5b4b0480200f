import { z } from 'zod'
import { wholeNumber } from '#shared/schemas.ts'

/**
 * Returns a list's number of pages: total divided by per_page, rounded up (A §7); an empty list has one page.
 */
export function pageCount(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}

/** Returns the `from–to of total` text shown above a table (docs/spec-gaps.md G76). */
export function displayRows(page: number, perPage: number, shown: number, total: number): string {
  if (shown === 0) return `0 of ${total}`
  const from = (page - 1) * perPage + 1
  return `${from}–${from + shown - 1} of ${total}`
}

/**
 * Rows up to which a list can be counted with each page (`CountFilter`). Above it, the exact number is a separate
 * request, because counting most of a million rows takes longer than finding the page.
 */
export const mostCounted = 10_000

/**
 * How the rows of a list are counted: `capped` counts up to `mostCounted` rows and sets `total_is_capped` if there
 * are more; `total` is then only the lowest number that it can be.
 */
export const CountFilter = z.enum(['exact', 'capped']).default('exact')
/** Present if the page was requested with `count=capped` and there are more rows; `total` is then a lower bound. */
export const totalIsCapped = z.literal(true).optional()

/** A page number in a URL: at least 1, and small enough that the offset does not overflow. */
export const pageNumber = wholeNumber(1, 1_000_000_000)
