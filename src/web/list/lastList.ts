import type { LiveName } from '#shared/records.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { Pages } from '#web/record/useNeighbours.ts'

/** A list as it was left: the records that it leads to step through it. */
export interface LastList extends Pages<any> {
  /** What one of its rows is called. */
  one: string
  /** Its address with the filters, without the page. */
  address: string
  /** The page of it that was looked at last. */
  page: number
  addressOf: (row: any) => string
  live: LiveName | undefined
  endpoint: Pick<EndpointShape, 'path'>
}

let last: LastList | undefined

/** Kept in this tab until another list is shown; a reload forgets it. */
export function rememberList(list: LastList): void {
  last = list
}

export const lastList = (): LastList | undefined => last
