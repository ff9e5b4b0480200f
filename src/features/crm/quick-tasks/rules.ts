import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'

/** Status of a quick task (docs/spec-gaps.md#quick-tasks). */
export const quickStatuses = { 0: 'Open', 1: 'Done' } as const
/** Priorities as of tasks (B §9), the most urgent first; 5 and 6 are taken too. */
export const quickPriorities = { 6: 'Critical', 1: 'Urgent', 2: 'High', 3: 'Medium', 4: 'Low', 5: 'Lowest' } as const
export const priorityOrder = [6, 1, 2, 3, 4, 5] as const
/** The types of records that one may be about; `task` is a development task. */
export const entities = ['lead', 'organization', 'ticket', 'task', 'designer_task'] as const satisfies readonly RecordType[]
/** As the page says it: `Designer task`. */
export const entityName = (entity: (typeof entities)[number]): string => recordTypes[entity].one.replace(/^./, (first) => first.toUpperCase())

type Who = Pick<Viewer, 'id' | 'role_id'>

/** Who gave it, and roles 0 and 1, edit and delete it. */
export const mayEdit = ({ created_by }: { created_by: number }, viewer: Who): boolean => isAdminRole(viewer.role_id) || created_by === viewer.id
