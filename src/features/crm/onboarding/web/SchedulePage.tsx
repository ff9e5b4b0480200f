import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { dayText, addDays } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { onboardings, type ScheduledStep } from '#features/crm/onboarding/contract.ts'
import classes from '#features/crm/onboarding/web/onboarding.module.css'
import { DualTime } from '#features/crm/onboarding/web/DualTime.tsx'
import { onboardingAddress } from '#features/crm/onboarding/web/onboardingAddress.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { useProduct } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { today, browserTimeZone } from '#web/time.ts'
import { Soft } from '#web/parts/Soft.tsx'

const daysShown = 14

/**
 * Page with the stages and sessions of onboardings by day, in the viewer's time zone and the organization's.
 */
export function SchedulePage() {
  const [from, setFrom] = useState(today)
  const timezone = browserTimeZone()
  const to = addDays(from, daysShown - 1)
  const lead_for = useProduct()
  const query = useQuery(
    queryOptionsFor(onboardings.schedule, {
      query: { from, to, timezone, ...(lead_for === undefined ? {} : { lead_for }) },
    }),
  )
  const may = useMay(onboardings.schedule, { query: { from, to } })
  // Without permission, fetch and show nothing (A §5).
  if (!may) return <NoAccessPage parents={[['/on-boarding', 'Onboarding']]} />
  return (
    <>
      <PageHeader parents={[['/on-boarding', 'Onboarding']]}>
        <div className={classes.buttons} role="group" aria-label="Days">
          <Button size="xs" variant="default" onClick={() => setFrom(addDays(from, -daysShown))}>
            Earlier
          </Button>
          <Button size="xs" variant="default" onClick={() => setFrom(today())}>
            Today
          </Button>
          <Button size="xs" variant="default" onClick={() => setFrom(addDays(from, daysShown))}>
            Later
          </Button>
        </div>
      </PageHeader>
      <Soft small>
        {dayText(from)} – {dayText(to)}
      </Soft>
      <Loaded query={query}>
        {({ data, truncated }) => (
          <>
            {data.length === 0 && (
              <EmptyState title="Nothing scheduled in this period">
                Schedule stages and sessions from an onboarding’s page.
              </EmptyState>
            )}
            {byDay(data, timezone).map(([day, entries]) => (
              <section key={day} className={classes.day} aria-label={dayText(day)}>
                <h2>{dayText(day)}</h2>
                <ul className={classes.plain}>
                  {entries.map((entry) => (
                    <li key={`${entry.kind}-${entry.id}`} className={classes.entry}>
                      <DualTime at={entry.at} zone={entry.timezone} timeOnly />
                      <PageLink to={onboardingAddress({ id: entry.onboarding_id, company: entry.company })}>
                        {entry.company}
                      </PageLink>
                      <span>{entry.name}</span>
                      {entry.done && <Tone tone="green">Completed</Tone>}
                      <Soft as="span" small>
                        {entry.assigned_name ?? 'Unassigned'}
                      </Soft>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {truncated && <Soft small>There are too many entries to show all of them.</Soft>}
          </>
        )}
      </Loaded>
    </>
  )
}

const byDay = (entries: readonly ScheduledStep[], zone: string) => [
  ...Map.groupBy(entries, ({ at }) => wallTime(at, zone).day),
]
