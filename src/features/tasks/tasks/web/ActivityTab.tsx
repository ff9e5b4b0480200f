import type { TaskActivity } from '#features/tasks/tasks/contract.ts'
import { sentenceOf } from '#features/tasks/tasks/web/activityWords.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { Moment } from '#web/Moment.tsx'

/** A task's activity, with one sentence per entry. */
export function ActivityTab({ activity }: { activity: readonly TaskActivity[] }) {
  if (activity.length === 0) return <p className={classes.none}>No Record Found</p>
  return (
    <ol className={classes.sentences}>
      {activity.map((one) => (
        <li key={one.id}>
          {sentenceOf(one)} <Moment at={one.created_at} />
        </li>
      ))}
    </ol>
  )
}
