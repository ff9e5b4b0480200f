import { mayOpen } from '#shared/access.ts'
import { mayReadType, type RecordType } from '#shared/records.ts'
import type { Person } from '#web/session.ts'
import { slugOf } from '#web/slug.ts'

/**
 * Pages that can be opened with only a record's number; the name in the path is only for readability. Types
 * that are missing here have no such page.
 */
const pages = {
  lead: (id, name) => `/demo-leads/${name}/${id}`,
  organization: (id, name) => `/organizations/detail/${name}/0/${id}`,
  onboarding: (id, name) => `/on-boarding/details/${name}/${id}`,
  // The page looks up the organization itself.
  ticket: (id) => `/support/ticket/${id}/0`,
  task: (id) => `/development-tasks?task=${id}`,
  designer_task: (id) => `/designer-tasks?task=${id}`,
  contract: (id) => `/customer-contracts/update-contract/${id}`,
} as const satisfies Partial<Record<RecordType, (id: number, name: string) => string>>

/** Returns the URL of a record's page: `pageOf('lead', 482, 'Aalto Linen')`. */
export const pageOf = (type: keyof typeof pages, id: number, name: string = type): string =>
  pages[type](id, slugOf(name))

/** Returns the URL of a record's page; undefined if the viewer cannot open it or there is none. */
export function recordAddress(
  type: string,
  id: number,
  viewer: Person | undefined,
  name?: string,
): string | undefined {
  if (!viewer || !Object.hasOwn(pages, type)) return undefined
  const known = type as keyof typeof pages
  if (!mayReadType(known, viewer)) return undefined
  const to = pageOf(known, id, name)
  return mayOpen(viewer.role_id, to.split('?')[0]!) ? to : undefined
}
