import { z } from 'zod'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { dayText, addDays, addMonths, mondayOf } from '#shared/dates.ts'
import { plainDay } from '#shared/schemas.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { agendaDays, isUpcoming } from '#features/crm/leads/demos.rules.ts'
import { ScheduleAgenda } from '#features/crm/leads/demos/web/ScheduleAgenda.tsx'
import classes from '#features/crm/leads/demos/web/Schedule.module.css'
import { ScheduleMonth } from '#features/crm/leads/demos/web/ScheduleMonth.tsx'
import { ScheduleWeek } from '#features/crm/leads/demos/web/ScheduleWeek.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CalendarBar, ViewSwitch } from '#web/calendar/CalendarBar.tsx'
import { daysFrom, daysOfMonth, monthName } from '#web/calendar/days.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { useToday, browserTimeZone } from '#web/time.ts'

/** URL parameters of the schedule. */
const View = z.object({
  view: z.enum(['agenda', 'week', 'month']).default('agenda'),
  from: plainDay.optional(),
  /** Only sessions that are still to come. */
  only: z.enum(['upcoming']).optional(),
})

const parents = [['/demo-leads', 'Leads']] as const

/**
 * Page with the product's demos: an agenda of the upcoming ones, a week, or a month. Times are in the
 * viewer's time zone, with the lead's time beside them.
 */
export function SchedulePage() {
  const [{ view: wanted, from, only }, change] = useAddress(View)
  const product = useScope()
  const isPhone = useMediaQuery('(max-width: 699.98px)', undefined, { getInitialValueInEffect: false })
  const view = isPhone ? 'agenda' : wanted
  const now = useToday()
  const on = from ?? now
  const days =
    view === 'month'
      ? daysOfMonth(on)
      : view === 'week'
        ? daysFrom(mondayOf(on), 7)
        : daysFrom(on, agendaDays)
  const [first, last] = [days[0]!, days.at(-1)!]
  const query = useQuery({
    ...queryOptionsFor(demos.schedule, {
      query: { from: first, to: last, lead_for: product, timezone: browserTimeZone() },
    }),
    placeholderData: keepPreviousData,
  })
  const mayLook = useMay(demos.schedule, { query: { from: first, to: last } })
  const step = (way: -1 | 0 | 1) =>
    change({
      from: way === 0 ? undefined : view === 'month' ? addMonths(on, way) : addDays(first, way * days.length),
    })
  // Without permission, fetch and show nothing (A §5).
  if (!mayLook) return <NoAccessPage />
  return (
    <>
      <PageHeader parents={parents}>
        {!isPhone && (
          <ViewSwitch
            views={['agenda', 'week', 'month']}
            view={view}
            onChoose={(next) => change({ view: next })}
          />
        )}
      </PageHeader>
      <CalendarBar
        range={view === 'month' ? monthName(on) : `${dayText(first)} – ${dayText(last)}`}
        isToday={from === undefined}
        onStep={(way) => void step(way)}
      >
        {only && (
          <Soft as="span">
            Only upcoming sessions{' '}
            <LinkButton onClick={() => void change({ only: undefined })}>Show all</LinkButton>
          </Soft>
        )}
        <p className={classes.zone}>Times are in {browserTimeZone()}, followed by the lead’s local time</p>
      </CalendarBar>
      <Loaded query={query}>
        {({ data: all, truncated }) => {
          const data = only ? all.filter(isUpcoming) : all
          return (
            <>
              {truncated && (
                <p role="status">Some sessions aren’t shown. Choose a shorter period or a single product.</p>
              )}
              {view === 'month' && (
                <ScheduleMonth
                  month={on.slice(0, 7)}
                  days={days}
                  demos={data}
                  onMore={(day) => void change({ view: 'week', from: day })}
                />
              )}
              {view === 'week' && <ScheduleWeek days={days} demos={data} />}
              {view === 'agenda' && <ScheduleAgenda days={days} demos={data} onLater={() => void step(1)} />}
            </>
          )
        }}
      </Loaded>
    </>
  )
}
