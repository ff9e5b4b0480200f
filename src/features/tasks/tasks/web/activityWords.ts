import { dayText } from '#shared/dates.ts'
import { activityTypes, statusName } from '#features/tasks/tasks/rules.ts'
import type { TaskActivity } from '#features/tasks/tasks/activity.contract.ts'

export const nameOf = (person: { first_name: string; last_name: string } | null): string =>
  person ? `${person.first_name} ${person.last_name}` : 'Someone'
const dayOf = (day: string | null): string => (day === null ? 'no date' : dayText(day))
const because = (comment: string | null): string => (comment ? `: ${comment}` : '.')
const moved = (what: string) => (one: TaskActivity) =>
  `changed the ${what} ${one.old_date ? `from ${dayOf(one.old_date)} ` : ''}to ${dayOf(one.due_date)}${because(one.comment)}`

/** Sentences for the eleven types of activity (B §4), without the name at the beginning. */
const actions: Record<(typeof activityTypes)[keyof typeof activityTypes], (one: TaskActivity) => string> = {
  [activityTypes.add]: () => 'added this task.',
  [activityTypes.edit]: () => 'edited this task.',
  [activityTypes.delete]: () => 'deleted this task.',
  [activityTypes.assign]: (one) =>
    one.assigned_to ? `assigned this task to ${nameOf(one.assigned_to)}.` : 'unassigned this task.',
  [activityTypes.extendDueDate]: moved('due date'),
  [activityTypes.changeStatus]: (one) =>
    `changed the status to ${statusName(one.status ?? 0)}${because(one.comment)}`,
  [activityTypes.extendDeveloperDueDate]: moved('developer due date'),
  [activityTypes.extendAdhDueDate]: moved('adh due date'),
  [activityTypes.developerReport]: (one) => `reported hours for ${dayOf(one.due_date)}.`,
  [activityTypes.onHold]: (one) => `put this task on hold${because(one.comment)}`,
  [activityTypes.addIssue]: (one) => `added an issue${because(one.comment)}`,
}

/** Returns what the person did, such as `edited this task.` */
export const actionOf = (one: TaskActivity): string =>
  actions[one.type as keyof typeof actions]?.(one) ?? 'updated this task.'
