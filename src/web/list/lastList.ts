import type { LiveName } from '#shared/records.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { Pages } from '#web/record/useNeighbours.ts'

/** A list as it was left, so that records opened from it can step through it. */
export interface LastList extends Pages<any> {
  /** Singular name of its rows. */
  one: string
  /** Address with the filters, without the page. */
  address: string
  /** Page of the list that was viewed last. */
  page: number
  addressOf: (row: any) => string
  live: LiveName | undefined
  endpoint: Pick<EndpointShape, 'path'>
}

let last: LastList | undefined

/** Remembers a list in this tab until another one is shown; a reload forgets it. */
export function rememberList(list: LastList): void {
  last = list
}

export const lastList = (): LastList | undefined => last
