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
