import { isRecordType, type RecordType } from '#shared/records.ts'
import { registered } from '#web/shell/page.ts'

const part = (segment: string, id: string | undefined) =>
  id === '$id' ? '([1-9]\\d{0,8})' : segment.startsWith('$') ? '[^/]+' : segment.replaceAll('.', '\\.')

/** Returns the record that an address of the panel leads to; undefined if it leads to none, or out of the panel. */
export function recordAt(address: string): { type: RecordType; id: number } | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname, searchParams } = new URL(address)
  if (origin !== location.origin) return undefined
  // Task Details opens on top of any page.
  const task = /^[1-9]\d{0,8}$/.exec(searchParams.get('task') ?? '')?.[0]
  if (task !== undefined)
    return { type: pathname === '/designer-tasks' ? 'designer_task' : 'task', id: Number(task) }
  for (const { path, shows = {} } of registered.pages)
    for (const [type, shown] of Object.entries(shows)) {
      const ids = shown.split('/')
      const pattern = path.split('/').map((segment, at) => part(segment, ids[at]))
      const id = new RegExp(`^${pattern.join('/')}/?$`).exec(pathname)?.[1]
      if (id !== undefined && isRecordType(type)) return { type, id: Number(id) }
    }
  return undefined
}
