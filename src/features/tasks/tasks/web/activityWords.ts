import { dayText } from '#shared/dates.ts'
import { activityTypes, statusName } from '#features/tasks/tasks/rules.ts'
import type { TaskActivity } from '#features/tasks/tasks/contract.ts'

const nameOf = (person: { first_name: string; last_name: string } | null): string =>
  person ? `${person.first_name} ${person.last_name}` : 'Someone'
const dayOf = (day: string | null): string => (day === null ? 'no date' : dayText(day))
const because = (comment: string | null): string => (comment ? `: ${comment}` : '.')
const moved = (what: string) => (one: TaskActivity) =>
  `${nameOf(one.created_by)} changed the ${what} ${one.old_date ? `from ${dayOf(one.old_date)} ` : ''}to ${dayOf(one.due_date)}${because(one.comment)}`

/** Sentences for the eleven types of activity (B §4). */
const sentences: Record<(typeof activityTypes)[keyof typeof activityTypes], (one: TaskActivity) => string> = {
  [activityTypes.add]: (one) => `${nameOf(one.created_by)} added this task.`,
  [activityTypes.edit]: (one) => `${nameOf(one.created_by)} edited this task.`,
  [activityTypes.delete]: (one) => `${nameOf(one.created_by)} deleted this task.`,
  [activityTypes.assign]: (one) =>
    one.assigned_to
      ? `${nameOf(one.created_by)} assigned this task to ${nameOf(one.assigned_to)}.`
      : `${nameOf(one.created_by)} unassigned this task.`,
  [activityTypes.extendDueDate]: moved('due date'),
  [activityTypes.changeStatus]: (one) =>
    `${nameOf(one.created_by)} changed the status to ${statusName(one.status ?? 0)}${because(one.comment)}`,
  [activityTypes.extendDeveloperDueDate]: moved('developer due date'),
  [activityTypes.extendAdhDueDate]: moved('adh due date'),
  [activityTypes.developerReport]: (one) =>
    `${nameOf(one.created_by)} reported hours for ${dayOf(one.due_date)}.`,
  [activityTypes.onHold]: (one) => `${nameOf(one.created_by)} put this task on hold${because(one.comment)}`,
  [activityTypes.addIssue]: (one) => `${nameOf(one.created_by)} added an issue${because(one.comment)}`,
}

export const sentenceOf = (one: TaskActivity): string =>
  sentences[one.type as keyof typeof sentences]?.(one) ?? `${nameOf(one.created_by)} updated this task.`
