import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { dayText } from '#shared/dates.ts'
import { progress } from '#features/tasks/progress/contract.ts'
import classes from '#features/tasks/progress/web/progress.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { ErrorState } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'

const shownDays = 12

/**
 * List of people with missing hours on workdays. Each person can be reminded with one click, and each day can
 * be marked as away or unmarked.
 */
export function Gaps({ filters }: { filters: Record<string, unknown> }) {
  const { task_id: _task, ...query } = filters
  const found = useQuery(queryOptionsFor(progress.gaps, { query }))
  const { send: remind, sending } = useSend(progress.remind, {
    onDone: ({ message }) => toast.success(message),
  })
  const { send } = useSend(progress.away)
  const mark = async (staff_id: number, day: string, away: boolean) => {
    const reply = await send({ body: { staff_id, day, away } })
    if (reply)
      toast.success(reply.message, { undo: { label: 'Undo', onUndo: () => void mark(staff_id, day, !away) } })
  }
  const people = found.data?.data ?? []
  const missing = people.filter(({ days }) => days.length > 0)
  return (
    <details className={classes.group}>
      <summary>
        Missing hours <span className={classes.count}>{missing.length}</span>
      </summary>
      {found.error && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && missing.length === 0 && (
        <p className={classes.none}>
          {query['search']
            ? 'No one with that name has missing hours.'
            : 'Everyone reported hours for every workday.'}
        </p>
      )}
      <ul>
        {people
          .filter(({ days, away }) => days.length + away.length > 0)
          .map(({ person_id, person, days, away, reminded_today }) => (
            <li key={person_id} className={classes.gap}>
              <strong>{person}</strong>
              <Days>
                {days.map((day) => (
                  <button
                    key={day}
                    type="button"
                    title={`Mark ${person} as away on ${dayText(day)}`}
                    onClick={() => void mark(person_id, day, true)}
                  >
                    {dayText(day)}
                  </button>
                ))}
              </Days>
              {away.length > 0 && (
                <Days label="Away">
                  {away.map((day) => (
                    <button
                      key={day}
                      type="button"
                      aria-label={`Unmark ${person} as away on ${dayText(day)}`}
                      onClick={() => void mark(person_id, day, false)}
                    >
                      {dayText(day)}
                    </button>
                  ))}
                </Days>
              )}
              {days.length > 0 && (
                <Button
                  size="compact-xs"
                  variant="default"
                  disabled={sending || reminded_today}
                  title={reminded_today ? 'Already reminded today.' : undefined}
                  aria-label={`${reminded_today ? 'Reminded' : 'Remind'} ${person}`}
                  onClick={() => void remind({ body: { staff_id: person_id, days: days.slice(0, 100) } })}
                >
                  {reminded_today ? 'Reminded' : 'Remind'}
                </Button>
              )}
            </li>
          ))}
      </ul>
    </details>
  )
}

/** Days as buttons; only the first dozen are shown until the rest are requested. */
function Days({ label, children }: { label?: string; children: ReactNode[] }) {
  const [all, setAll] = useState(false)
  return (
    <span className={classes.days}>
      {label && <em>{label}:</em>}
      {all ? children : children.slice(0, shownDays)}
      {!all && children.length > shownDays && (
        <button type="button" onClick={() => setAll(true)}>
          and {children.length - shownDays} more
        </button>
      )}
    </span>
  )
}
