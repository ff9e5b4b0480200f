import type { TaskActivity } from '#features/tasks/tasks/activity.contract.ts'
import { actionOf, nameOf } from '#features/tasks/tasks/web/activityWords.ts'
import { Stream } from '#web/stream/Stream.tsx'

interface Props {
  label: string
  activity: readonly TaskActivity[]
}

/** A task's activity, newest first, with one sentence per entry. */
export const ActivityStream = ({ label, activity }: Props) => (
  <Stream
    label={label}
    isInPage
    isNewestFirst
    folds={false}
    entries={activity.map((one) => ({
      id: `activity-${one.id}`,
      kind: 'change',
      at: one.created_at,
      who: nameOf(one.created_by),
      content: actionOf(one),
    }))}
  />
)
