import { z } from 'zod'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { plainDay } from '#shared/fields.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { zoneHere } from '#features/crm/leads/demos/web/DemoTimes.tsx'
import { ScheduleAgenda } from '#features/crm/leads/demos/web/ScheduleAgenda.tsx'
import { daysFrom, mondayOf } from '#features/crm/leads/demos/web/scheduleLayout.ts'
import classes from '#features/crm/leads/demos/web/Schedule.module.css'
import { ScheduleWeek } from '#features/crm/leads/demos/web/ScheduleWeek.tsx'
import { useLeadsChanged } from '#features/crm/leads/cells/web/useLeadsChanged.ts'
import { ask } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAddress } from '#web/list/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { dayText, today } from '#web/time.ts'

/** What stands in the address of the schedule. */
const View = z.object({ view: z.enum(['agenda', 'week']).default('agenda'), from: plainDay.optional() })

const agendaDays = 14

/** The coming demos of the product: as an agenda, or as a week; by the reader's clock, with the lead's beside it. */
export function SchedulePage() {
  const [{ view, from }, change] = useAddress(View)
  const product = useScope()
  const isPhone = useMediaQuery('(max-width: 699.98px)', undefined, { getInitialValueInEffect: false })
  const first = view === 'week' ? mondayOf(from ?? today()) : (from ?? today())
  const count = view === 'week' ? 7 : agendaDays
  const last = addDays(first, count - 1)
  const query = useQuery({
    ...ask(demos.schedule, { query: { from: first, to: last, lead_for: product, timezone: zoneHere() } }),
    placeholderData: keepPreviousData,
  })
  useLeadsChanged([demos.schedule])
  const mayLook = useMay(demos.schedule, { query: { from: first, to: last } })
  const goTo = (day: PlainDate | undefined) => change({ from: day })
  // Without the permission nothing is asked and nothing is shown (A §5).
  if (!mayLook) return <PageHeader />
  return (
    <>
      <PageHeader>
        <Button.Group>
          {(['agenda', 'week'] as const).map((one) => (
            <Button key={one} size="xs" variant={view === one ? 'light' : 'default'} aria-pressed={view === one} onClick={() => change({ view: one })}>
              {one === 'agenda' ? 'Agenda' : 'Week'}
            </Button>
          ))}
        </Button.Group>
      </PageHeader>
      <div className={classes.bar}>
        <Button.Group>
          <Button size="xs" variant="default" onClick={() => goTo(addDays(first, -count))}>
            Earlier
          </Button>
          <Button size="xs" variant="default" disabled={from === undefined} onClick={() => goTo(undefined)}>
            Today
          </Button>
          <Button size="xs" variant="default" onClick={() => goTo(addDays(first, count))}>
            Later
          </Button>
        </Button.Group>
        <p className={classes.range} aria-live="polite">
          {dayText(first)} – {dayText(last)}
        </p>
        <p className={classes.zone}>Times of {zoneHere()}, the lead's beside them</p>
      </div>
      <Loaded query={query} skeleton={<p role="status">Loading…</p>}>
        {({ data, truncated }) => (
          <>
            {truncated && <p role="status">There are more than can be shown; choose fewer days or a product.</p>}
            {view === 'week' && !isPhone ? (
              <ScheduleWeek days={daysFrom(first, 7)} demos={data} />
            ) : (
              <ScheduleAgenda days={daysFrom(first, count)} demos={data} onLater={() => goTo(addDays(first, count))} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}
