import type { Notice } from '#features/panel/notices/contract.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import type { Person } from '#web/session.ts'

type About = Pick<Notice, 'record_type' | 'record_id' | 'title' | 'anchor'>

/** Returns the address of what a notice is about. Tasks and the chat open over any page. */
export function addressOfNotice(
  { record_type, record_id, title, anchor }: About,
  viewer: Person | undefined,
): string {
  const hash = anchor === '' ? '' : `#${anchor}`
  if (record_type === 'task' || record_type === 'designer_task') return `/dashboard?task=${record_id}${hash}`
  if (record_type === 'chat') return `/dashboard${hash}`
  return `${recordAddress(record_type, record_id, viewer, title) ?? '/dashboard'}${hash}`
}
