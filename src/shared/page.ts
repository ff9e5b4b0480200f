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

/** A page number in a URL: at least 1, and small enough that the offset does not overflow. */
export const pageNumber = wholeNumber(1, 1_000_000_000)
