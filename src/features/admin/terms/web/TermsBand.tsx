import { useState, type CSSProperties } from 'react'
import type { Reply } from '#shared/endpoint.ts'
import { daysBetween, dayText, type PlainDate } from '#shared/dates.ts'
import type { terms } from '#features/admin/terms/contract.ts'
import { inForce, periodsOf } from '#features/admin/terms/rules.ts'
import classes from '#features/admin/terms/web/terms.module.css'
import { DateInput } from '#web/dates/DateInput.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useToday } from '#web/time.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

/** Older versions are only in the list. */
const mostShown = 6
/** Length of the last version on the line, in days. */
const lastDays = 90

interface Props {
  reply: Reply<typeof terms.list>
  open: number | undefined
}

/** The versions as a line in time, and the one that applies on a chosen day. */
export function TermsBand({ reply: { versions, next }, open }: Props) {
  const today = useToday()
  const [day, setDay] = useState<PlainDate>(today)
  const on = inForce(versions, day || today)
  if (versions.length === 0) return null
  return (
    <div className={classes.band}>
      <div className={classes.when} role="status">
        <Soft as="span" small>
          In effect on
        </Soft>
        <DateInput aria-label="In effect on" value={day} onChange={setDay} className={classes.day} />
        {on ? (
          <span>
            <PageLink to={addressOf(on.id)}>Version {on.id}</PageLink>{' '}
            <Soft as="span">since {dayText(on.effective_on)}</Soft>
          </span>
        ) : (
          <Soft as="span">No version was in effect.</Soft>
        )}
        {next && (
          <span className={classes.next}>
            <strong>Version {next.id}</strong>{' '}
            <Soft as="span">
              takes effect in {daysText(daysBetween(today, next.effective_on))}, on{' '}
              {dayText(next.effective_on)}
            </Soft>
          </span>
        )}
      </div>
      <Line versions={versions} today={today} open={open} />
    </div>
  )
}

const addressOf = (id: number) => `/term&conditions?open=${id}`
const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`)

function Line({
  versions,
  today,
  open,
}: {
  versions: Props['reply']['versions']
  today: PlainDate
  open: number | undefined
}) {
  const current = inForce(versions, today)?.id
  return (
    <ol className={classes.line} aria-label="Versions over time">
      {periodsOf(versions)
        .slice(-mostShown)
        .map(({ id, from, until }) => {
          const length = until
            ? daysBetween(from, until)
            : Math.max(lastDays, daysBetween(from, today) + lastDays)
          const state = id === current ? 'current' : from > today ? 'next' : undefined
          return (
            <li key={id} style={{ flexGrow: length }} data-state={state}>
              <PageLink to={addressOf(id)} aria-current={id === open || undefined}>
                <VisuallyHidden>Version </VisuallyHidden>
                {id}
                {state === 'current' && ' · In effect'}
                {state === 'next' && ' · Scheduled'}
              </PageLink>
              <span className={classes.from}>{dayText(from)}</span>
              {state === 'current' && (
                <span
                  className={classes.today}
                  style={{ '--at': daysBetween(from, today) / length } as CSSProperties}
                >
                  Today
                </span>
              )}
            </li>
          )
        })}
    </ol>
  )
}
