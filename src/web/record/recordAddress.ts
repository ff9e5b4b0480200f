import { mayOpen } from '#shared/access.ts'
import { isRecordType, mayReadType, type RecordType } from '#shared/records.ts'
import type { Person } from '#web/session.ts'
import { registered } from '#web/shell/page.ts'
import { slugOf } from '#web/slug.ts'

const addressOf = (type: RecordType) => {
  for (const { shows } of registered.pages) if (shows?.[type]) return shows[type]
}

/** Returns the URL of a record's page: `pageOf('lead', 482, 'Aalto Linen')`. */
export const pageOf = (type: RecordType, id: number, name: string = type): string =>
  addressOf(type)!.replace('$name', slugOf(name)).replace('$id', String(id))

/** Returns the URL of a record's page; undefined if the viewer cannot open it or there is none. */
export function recordAddress(
  type: string,
  id: number,
  viewer: Person | undefined,
  name?: string,
): string | undefined {
  if (!viewer || !isRecordType(type) || !addressOf(type)) return undefined
  if (!mayReadType(type, viewer)) return undefined
  const to = pageOf(type, id, name)
  return mayOpen(viewer.role_id, to.split('?')[0]!) ? to : undefined
}
