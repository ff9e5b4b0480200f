import type { TaskActivity } from '#features/tasks/tasks/activity.contract.ts'
import { ActivityStream } from '#features/tasks/tasks/web/ActivityStream.tsx'
import classes from '#features/tasks/tasks/web/tasks.module.css'

/** A task's activity. */
export function ActivityTab({ activity }: { activity: readonly TaskActivity[] }) {
  if (activity.length === 0) return <p className={classes.none}>No Record Found</p>
  return <ActivityStream label="Activity" activity={activity} />
}
