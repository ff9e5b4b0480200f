import { mayOpen } from '#shared/access.ts'
import { mayReadType, type RecordType } from '#shared/records.ts'
import type { Person } from '#web/session.ts'
import { slugOf } from '#web/slug.ts'

/** The page of a record by its number alone; a name in it is for reading. A type that is not here has no page that a number finds. */
const pages = {
  lead: (id, name) => `/demo-leads/${name}/${id}`,
  organization: (id, name) => `/organizations/detail/${name}/0/${id}`,
  onboarding: (id, name) => `/on-boarding/details/${name}/${id}`,
  // Its page finds the organization by itself.
  ticket: (id) => `/support/ticket/${id}/0`,
  task: (id) => `/development-tasks?task=${id}`,
  designer_task: (id) => `/designer-tasks?task=${id}`,
  contract: (id) => `/customer-contracts/update-contract/${id}`,
} as const satisfies Partial<Record<RecordType, (id: number, name: string) => string>>

/** Where a record is looked at: `pageOf('lead', 482, 'Aalto Linen')`. */
export const pageOf = (type: keyof typeof pages, id: number, name: string = type): string => pages[type](id, slugOf(name))

/** The same for whoever may open it; undefined for others, and for what has no such page. */
export function recordAddress(type: string, id: number, viewer: Person | undefined, name?: string): string | undefined {
  if (!viewer || !Object.hasOwn(pages, type)) return undefined
  const known = type as keyof typeof pages
  if (!mayReadType(known, viewer)) return undefined
  const to = pageOf(known, id, name)
  return mayOpen(viewer.role_id, to.split('?')[0]!) ? to : undefined
}
