import { useEffect, useState } from 'react'
import { useMatch } from '@tanstack/react-router'

let seen: string | undefined

/** Remembers the URL of the record on screen, so that a list can show its row when the user returns. */
export function useSeenRecord(): void {
  // The page's own path: while the user is leaving the page, the browser's URL is already a different one.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname })
  useEffect(() => {
    seen = path
  }, [path])
}

/** Returns whether two paths refer to the same page, percent-encoded or not. */
const isSamePath = (one: string, other: string) => one === other || decodeURI(one) === decodeURI(other)

/** Returns the key of the row whose record was viewed last; the record is then forgotten, so that only one list shows it. */
export function useResumeAt<Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => number,
  addressOf: ((row: Row) => string) | undefined,
): number | undefined {
  const [last] = useState(seen)
  useEffect(() => {
    seen = undefined
  }, [])
  const row = last && addressOf && rows?.find((one) => isSamePath(addressOf(one), last))
  return row ? rowKey(row) : undefined
}
