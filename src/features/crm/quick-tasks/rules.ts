import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'

/** Statuses of a quick task (docs/spec-gaps.md#quick-tasks). */
export const quickStatuses = { 0: 'Open', 1: 'Done' } as const
/** Task priorities (B §9), most urgent first; 5 and 6 are also accepted. */
export const quickPriorities = {
  6: 'Critical',
  1: 'Urgent',
  2: 'High',
  3: 'Medium',
  4: 'Low',
  5: 'Lowest',
} as const
export const priorityOrder = [6, 1, 2, 3, 4, 5] as const
/** Types of records that a quick task can be about; `task` is a development task. */
export const entities = [
  'lead',
  'organization',
  'ticket',
  'task',
  'designer_task',
] as const satisfies readonly RecordType[]
/** Returns a record type's name as shown on pages, such as `Designer task`. */
export const entityName = (entity: (typeof entities)[number]): string =>
  recordTypes[entity].one.replace(/^./, (first) => first.toUpperCase())

type Who = Pick<Viewer, 'id' | 'role_id'>

/** Reports whether the viewer can edit and delete a quick task. Its creator and roles 0 and 1 can. */
export const mayEdit = ({ created_by }: { created_by: number }, viewer: Who): boolean =>
  isAdminRole(viewer.role_id) || created_by === viewer.id
