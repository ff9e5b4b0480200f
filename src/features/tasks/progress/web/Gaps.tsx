import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { progress } from '#features/tasks/progress/contract.ts'
import classes from '#features/tasks/progress/web/progress.module.css'
import { ask } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { toast } from '#web/shell/toast.ts'
import { dayText } from '#web/time.ts'

const shownDays = 12

/** Who wrote nothing on which working days; one click reminds, another marks a day away. */
export function Gaps({ filters }: { filters: Record<string, unknown> }) {
  const { page: _page, column: _column, direction: _direction, ...query } = filters
  const found = useQuery(ask(progress.gaps, { query }))
  const refresh = [progress.gaps]
  const say = ({ message }: { message: string }) => toast.success(message)
  const { send: remind, sending } = useSend(progress.remind, { refresh, onDone: say })
  const { send: mark } = useSend(progress.away, { refresh, onDone: say })
  const people = found.data?.data.filter(({ days }) => days.length > 0) ?? []
  return (
    <details className={classes.group}>
      <summary>
        Gaps <span className={classes.count}>{people.length}</span>
      </summary>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && people.length === 0 && <p className={classes.none}>Everybody reported on every working day.</p>}
      <ul>
        {people.map(({ person_id, person, days, reminded_today }) => (
          <li key={person_id} className={classes.gap}>
            <strong>{person}</strong>
            <span className={classes.days}>
              {days.slice(0, shownDays).map((day) => (
                <button
                  key={day}
                  type="button"
                  title={`Mark ${person} as away on ${dayText(day)}`}
                  onClick={() => void mark({ body: { staff_id: person_id, day } })}
                >
                  {dayText(day)}
                </button>
              ))}
              {days.length > shownDays && `and ${days.length - shownDays} more`}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              disabled={sending || reminded_today}
              title={reminded_today ? 'Reminded today already.' : undefined}
              aria-label={`${reminded_today ? 'Reminded' : 'Remind'} ${person}`}
              onClick={() => void remind({ body: { staff_id: person_id, days: days.slice(0, 100) } })}
            >
              {reminded_today ? 'Reminded' : 'Remind'}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
