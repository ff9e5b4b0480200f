import { can, type HasPermissions, type Permission, type RoleId } from '#shared/access.ts'
import type { Access } from '#shared/endpoint.ts'
import type { RecordType } from '#shared/records.ts'

/*
 * Task rules shared by the server and the browser: the two disciplines, statuses, priorities, dates, and what
 * Task Details shows to which role.
 */

interface Discipline {
  /** Name used in texts, such as `development`. */
  word: string
  /** Base path of the discipline's endpoints. */
  path: string
  type: Extract<RecordType, 'task' | 'designer_task'>
  list: Permission
  add: Permission
  edit: Permission
  view: Permission
  assign: Permission
  history: Permission
  remove: Permission
  calendar: Permission
  /**
   * Permission to see another person's tasks. Designer tasks have no such permission, so the permission to
   * assign is used (docs/spec-gaps.md G150).
   */
  filterByPerson: Permission
  /** Permission for issues, which does not include editing tasks. */
  issues?: Permission
  /** Permission for Progress Report and hours. */
  reports?: Permission
  /** Access required to attempt a status change; `whyNotStatus` then decides about the specific status. */
  changeStatus: Access
  pages: { list: string; all: string; calendar: string }
  names: { list: string; all: string; calendar: string; one: string }
  /** Products that have tasks of this discipline (A §6). */
  products: readonly number[]
}

export const disciplines = {
  development: {
    word: 'development',
    path: '/common/task',
    type: 'task',
    list: 'task_list',
    add: 'add_task',
    edit: 'edit_task',
    view: 'view_task',
    assign: 'view_task_assign_to',
    history: 'view_task_extend_due_date_history',
    remove: 'delete_task',
    calendar: 'view_delivery_calendar',
    filterByPerson: 'task_developer_filter',
    issues: 'task_issue',
    reports: 'view_task_tab_report',
    changeStatus: { anyOf: ['edit_task', 'task_issue'] },
    pages: {
      list: '/development-tasks',
      all: '/common/development/task',
      calendar: '/development-tasks/schedular',
    },
    names: {
      list: 'Development tasks',
      all: 'Development tasks',
      calendar: 'Delivery calendar',
      one: 'Development task',
    },
    products: [1, 2, 3, 4],
  },
  designer: {
    word: 'designer',
    path: '/common/designertask',
    type: 'designer_task',
    list: 'designer_task_list',
    add: 'designer_add_task',
    edit: 'designer_edit_task',
    view: 'designer_view_task',
    assign: 'designer_view_task_assign_to',
    history: 'designer_view_task_extend_due_date_history',
    remove: 'designer_delete_task',
    calendar: 'designer_view_delivery_calendar',
    filterByPerson: 'designer_view_task_assign_to',
    changeStatus: 'designer_edit_task',
    pages: {
      list: '/designer-tasks',
      all: '/common/designer/task',
      calendar: '/designer-tasks/designerschedular',
    },
    names: {
      list: 'Designer tasks',
      all: 'Designer tasks',
      calendar: 'Delivery calendar',
      one: 'Designer task',
    },
    products: [1],
  },
} as const satisfies Record<string, Discipline>
export type DisciplineName = keyof typeof disciplines
export const disciplineNames = Object.keys(disciplines) as [DisciplineName, ...DisciplineName[]]
export const disciplineOf = (name: DisciplineName): Discipline => disciplines[name]

/** Task statuses (B §4), ordered by code. */
export const taskStatuses = [
  { id: 0, name: 'Pending', tone: 'gray' },
  { id: 1, name: 'Assigned', tone: 'cyan' },
  { id: 2, name: 'In Progress', tone: 'blue' },
  { id: 3, name: 'On Hold', tone: 'orange' },
  { id: 4, name: 'Delivered', tone: 'green' },
  { id: 5, name: 'In Review', tone: 'violet' },
  { id: 6, name: 'In QA', tone: 'indigo' },
  { id: 7, name: 'PR Review', tone: 'pink' },
] as const
export const [pending, assigned, onHold, delivered, inReview, inQa, prReview] = [0, 1, 3, 4, 5, 6, 7] as const
/** The statuses of tasks that are not delivered. */
export const openStatuses = taskStatuses.map(({ id }) => id).filter((id) => id !== delivered)
export const statusName = (id: number): string => taskStatuses.find((one) => one.id === id)?.name ?? `#${id}`
export const toneOf = (id: number): string => taskStatuses.find((one) => one.id === id)?.tone ?? 'gray'

/** The delivered groups (B §4); PR Review belongs to neither (docs/spec-gaps.md G34). */
export const deliveredGroups = {
  delivered: { name: 'Delivered', statuses: [4] },
  'not-delivered': { name: 'Not Delivered', statuses: [0, 1, 2, 3, 5, 6] },
} as const

/** Priority codes (B §9), most urgent first, because the numeric order of the codes is different. */
export const priorities = [
  { id: 6, name: 'Critical', tone: 'red' },
  { id: 1, name: 'Urgent', tone: 'orange' },
  { id: 2, name: 'High', tone: 'yellow' },
  { id: 3, name: 'Medium', tone: 'blue' },
  { id: 4, name: 'Low', tone: 'cyan' },
  { id: 5, name: 'Lowest', tone: 'gray' },
] as const
export const priorityName = (id: number): string => priorities.find((one) => one.id === id)?.name ?? `#${id}`

/**
 * The statuses that viewers who can only report issues can set on a task that is In QA: In Progress,
 * Delivered, and In Review.
 */
const qaMayChoose: readonly number[] = [2, 4, 5]

/** Returns why a viewer cannot set a task to a status; undefined if they can. */
export function whyNotStatus(
  viewer: HasPermissions | undefined,
  discipline: DisciplineName,
  from: number,
  to: number,
): string | undefined {
  const { edit, issues } = disciplineOf(discipline)
  if (can(viewer, edit)) return undefined
  if (!issues || !can(viewer, issues)) return 'You don’t have permission to change this task’s status.'
  if (from !== inQa) return 'You can change the status only while the task is In QA.'
  return qaMayChoose.includes(to)
    ? undefined
    : `From In QA, choose one of: ${qaMayChoose.map(statusName).join(', ')}.`
}

export const dateFields = ['due_date', 'dev_due_date', 'adh_due_date', 'req_due_date'] as const
export type DateField = (typeof dateFields)[number]
export const dateNames: Record<DateField, string> = {
  due_date: 'Due date',
  dev_due_date: 'Developer due date',
  adh_due_date: 'Adh due date',
  req_due_date: 'Required due date',
}

/** Due date fields, keyed by the type of activity that records a change to them (B §4). */
export const moveTypes = { 5: 'due_date', 7: 'dev_due_date', 8: 'adh_due_date' } as const satisfies Record<
  number,
  DateField
>
export type MoveType = keyof typeof moveTypes
export const moveTypeIds = [5, 7, 8] as const satisfies readonly MoveType[]
export const moveTypeOf = (field: DateField): MoveType | undefined =>
  moveTypeIds.find((type) => moveTypes[type] === field)

/**
 * The date on the "Due date" line of Task Details (B §2), exactly as specified; none for roles that the
 * specification doesn't name (docs/spec-gaps.md G54).
 */
export const dueDateOfPanel: Partial<Record<RoleId, DateField>> = {
  0: 'due_date',
  1: 'due_date',
  7: 'due_date',
  8: 'dev_due_date',
  9: 'dev_due_date',
  10: 'due_date',
  11: 'due_date',
}
/**
 * Roles that see three additional dates in Task Details (B §2): admin, adh, and adh_helper, but not Super
 * Admin (docs/spec-gaps.md G11).
 */
const seesFurtherDates: readonly RoleId[] = [1, 7, 11]
export const furtherDates = [
  'dev_due_date',
  'adh_due_date',
  'req_due_date',
] as const satisfies readonly DateField[]
export const furtherDatesOfPanel = (role: RoleId): readonly DateField[] =>
  seesFurtherDates.includes(role) ? furtherDates : []

/** Returns the main date that lists and calendars show to a role. */
export const ownDate = (role: RoleId): DateField => dueDateOfPanel[role] ?? 'due_date'
/**
 * Returns the dates that lists and calendars show to a role: the dates that the role sees in Task Details, or
 * the due date if it sees none. Super Admin sees all dates.
 */
export const datesOf = (role: RoleId): readonly DateField[] =>
  role === 0 ? dateFields : [ownDate(role), ...furtherDatesOfPanel(role)]
/**
 * Returns the due dates that a role with permission to edit can change: the ones in Task Details or, for
 * Super Admin, all of them.
 */
export const movableDates = (role: RoleId): readonly DateField[] => {
  const panel = dueDateOfPanel[role]
  const shown = role === 0 ? dateFields : [...(panel ? [panel] : []), ...furtherDatesOfPanel(role)]
  return shown.filter((field) => moveTypeOf(field) !== undefined)
}
/** Reports whether a role can set the date by which the customer wants the task done. */
export const setsRequiredDate = (role: RoleId): boolean => role === 0 || seesFurtherDates.includes(role)

/** Returns why a viewer cannot change one of a task's dates; undefined if they can. */
export function whyNotMove(
  viewer: (HasPermissions & { role_id: RoleId }) | undefined,
  discipline: DisciplineName,
  field: DateField,
): string | undefined {
  if (!viewer || !can(viewer, disciplineOf(discipline).edit))
    return 'You don’t have permission to edit this task.'
  return movableDates(viewer.role_id).includes(field)
    ? undefined
    : `You don’t have permission to change this date.`
}

/** Tabs of Task Details (B §2). */
export const panelTabs = ['information', 'ticket', 'activity', 'progress', 'issues'] as const
export type PanelTab = (typeof panelTabs)[number]
export const tabNames: Record<PanelTab, string> = {
  information: 'Information',
  ticket: 'Support ticket details',
  activity: 'Activity',
  progress: 'Progress Report',
  issues: 'Issues',
}
/** Roles whose task panel has the tabs for the ticket and the activity. */
const rolesWithTicketTabs: readonly RoleId[] = [0, 1, 7]
export function tabsOf(
  viewer: HasPermissions & { role_id: RoleId },
  discipline: DisciplineName,
): readonly PanelTab[] {
  const { reports, issues } = disciplineOf(discipline)
  const shown: Record<PanelTab, boolean> = {
    information: true,
    ticket: rolesWithTicketTabs.includes(viewer.role_id),
    activity: rolesWithTicketTabs.includes(viewer.role_id),
    progress: reports !== undefined && can(viewer, reports),
    issues: issues !== undefined && can(viewer, issues),
  }
  return panelTabs.filter((tab) => shown[tab])
}

/**
 * Issue permissions by role (B §2): admin, qa, and adh_helper create and reopen issues; adh sees the check
 * boxes but cannot save them; all other roles check and save; Super Admin can do everything (G53).
 */
const writesIssues: readonly RoleId[] = [0, 1, 11, 12]
const ticksNoIssues: readonly RoleId[] = [1, 11, 12]
const savesNoIssues: readonly RoleId[] = [1, 7, 11, 12]
export const mayWriteIssues = (role: RoleId): boolean => writesIssues.includes(role)
export const hasIssueBoxes = (role: RoleId): boolean => !ticksNoIssues.includes(role)
export const maySaveIssues = (role: RoleId): boolean => !savesNoIssues.includes(role)
/** Reports whether a role can set an issue to a status: 1 for resolved, 0 for open. */
export const maySetIssue = (role: RoleId, status: number): boolean =>
  maySaveIssues(role) || (mayWriteIssues(role) && status === 0)

/**
 * Roles that work on tasks: they report hours if they have permission; ADH helpers, CSM, and all other roles do not.
 */
export const taskRoles: readonly RoleId[] = [8, 9, 12, 13]

/** Roles that see the notification bell (A §6). */
export const bellRoles: readonly RoleId[] = [0, 1, 4]

export const activityTypes = {
  add: 1,
  edit: 2,
  delete: 3,
  assign: 4,
  extendDueDate: 5,
  changeStatus: 6,
  extendDeveloperDueDate: 7,
  extendAdhDueDate: 8,
  developerReport: 9,
  onHold: 10,
  addIssue: 11,
} as const

export const mostHoursADay = 24
