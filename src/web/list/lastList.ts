import { useEffect, useState } from 'react'
import { useMatch } from '@tanstack/react-router'
import type { LiveName } from '#shared/records.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { Pages } from '#web/record/useNeighbors.ts'

/**
 * A list as the user left it, so that they can step through its records after opening one of them; its rows
 * are the URLs of their pages.
 */
export interface LastList extends Pages<string> {
  /** Singular name for the list's rows. */
  one: string
  /** URL with the filters, but without the page. */
  address: string
  /** Page of the list that was viewed last. */
  page: number
  live: LiveName | undefined
  endpoint: Pick<EndpointShape, 'path'>
}

let last: LastList | undefined

/** Remembers a list in this tab until another one is shown; reloading the page forgets it. */
export function rememberList(list: LastList): void {
  last = list
}

export const lastList = (): LastList | undefined => last

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
export const isSamePath = (one: string, other: string) => one === other || decodeURI(one) === decodeURI(other)

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
