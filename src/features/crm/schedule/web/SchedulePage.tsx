import type { ComponentProps } from 'react'
import { z } from 'zod'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { agendaDays, isUpcoming, whose } from '#shared/appointments.contract.ts'
import { dayText, addDays, addMonths, mondayOf, type PlainDate } from '#shared/dates.ts'
import { plainDay } from '#shared/schemas.ts'
import { wallTime } from '#shared/zones.ts'
import { demos, type ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import { onboardings, type ScheduledStep } from '#features/crm/onboarding/contract.ts'
import { ScheduleAgenda } from '#features/crm/schedule/web/ScheduleAgenda.tsx'
import classes from '#features/crm/schedule/web/Schedule.module.css'
import { entryOfDemo, entryOfStep, type ScheduleEntry } from '#features/crm/schedule/web/scheduleEntry.ts'
import { ScheduleMonth } from '#features/crm/schedule/web/ScheduleMonth.tsx'
import { ScheduleWeek } from '#features/crm/schedule/web/ScheduleWeek.tsx'
import { useWhose, WhoseToggle } from '#features/crm/schedule/web/WhoseToggle.tsx'
import { isAllowed, queryOptionsFor, type ReadEndpoint } from '#web/api/client.ts'
import { CalendarBar, ViewSwitch, type CalendarView } from '#web/calendar/CalendarBar.tsx'
import { daysFrom, daysOfMonth, monthName } from '#web/calendar/days.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { useMyProducts, useProduct, useViewer } from '#web/session.ts'
import { useScopeOrAll } from '#web/shell/useScope.ts'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { useToday, browserTimeZone } from '#web/time.ts'

/** URL parameters of the schedule. */
const View = z.object({
  view: z.enum(['agenda', 'week', 'month']).default('agenda'),
  from: plainDay.optional(),
  /** Only sessions that are still to come. */
  only: z.enum(['upcoming']).optional(),
  assigned_filter: whose.optional(),
  product_scope: z.enum(['all']).optional(),
})

/** Where the entries of a schedule come from. */
interface Source<One> {
  /** Pages above it. */
  parents: readonly (readonly [to: string, name: string])[]
  endpoint: ReadEndpoint & { response: z.ZodType<{ data: One[]; truncated: boolean }> }
  entryOf: (one: One) => ScheduleEntry
  /** Says where entries are added. */
  hint: string
}

const ofLeads: Source<ScheduledDemo> = {
  parents: [['/demo-leads', 'Leads']],
  endpoint: demos.schedule,
  entryOf: entryOfDemo,
  hint: 'Add sessions from a lead’s page.',
}

const ofOnboardings: Source<ScheduledStep> = {
  parents: [['/on-boarding', 'Onboarding']],
  endpoint: onboardings.schedule,
  entryOf: entryOfStep,
  hint: 'Schedule stages and sessions from an onboarding’s page.',
}

/** Page with the sessions of leads. */
export const LeadSchedulePage = () => <Schedule source={ofLeads} />

/** Page with the stages and sessions of onboardings, which has no switcher of products (A §2). */
export const OnboardingSchedulePage = () => <Schedule source={ofOnboardings} hasProducts />

interface Props<One> {
  source: Source<One>
  /** Whether the page itself has the choice of all products. */
  hasProducts?: boolean
}

/**
 * The sessions and stages of the viewer or of the team: an agenda of the next days, a week, or a month. Times are in the
 * viewer's time zone, with the customer's time beside them.
 */
function Schedule<One>({ source, hasProducts = false }: Props<One>) {
  const [{ view: wanted, from, only, ...asked }, change] = useAddress(View)
  const { assigned_filter, choose } = useWhose(asked.assigned_filter, change)
  const lead_for = useScopeOrAll()
  const isPhone = useMediaQuery('(max-width: 699.98px)', undefined, { getInitialValueInEffect: false })
  const view = isPhone ? 'agenda' : wanted
  const now = useToday()
  const on = from ?? now
  const days = daysOf(view, on)
  const [first, last] = [days[0]!, days.at(-1)!]
  const input = {
    query: { from: first, to: last, lead_for, timezone: browserTimeZone(), assigned_filter },
  }
  const may = isAllowed(source.endpoint, input, useViewer())
  const query = useQuery({
    ...queryOptionsFor(source.endpoint, input as never),
    placeholderData: keepPreviousData,
  })
  const entries = (query.data?.data ?? []).map(source.entryOf)
  const step = (way: -1 | 0 | 1) =>
    change({
      from: way === 0 ? undefined : view === 'month' ? addMonths(on, way) : addDays(first, way * days.length),
    })
  // Without permission, fetch and show nothing (A §5).
  if (!may) return <NoAccessPage parents={source.parents} />
  return (
    <>
      <PageHeader parents={source.parents}>
        {hasProducts && (
          <ProductScope
            isAll={asked.product_scope === 'all'}
            onChoose={(product_scope) => void change({ product_scope })}
          />
        )}
        <WhoseToggle chosen={assigned_filter} onChoose={choose} />
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
        <p className={classes.zone}>{zoneNote(entries)}</p>
      </CalendarBar>
      <Loaded query={query}>
        {({ truncated }) => (
          <>
            {truncated && (
              <p role="status">Some sessions aren’t shown. Choose a shorter period or a single product.</p>
            )}
            <Entries
              view={view}
              days={days}
              month={on.slice(0, 7)}
              entries={only ? entries.filter(isUpcoming) : entries}
              hint={source.hint}
              onWeek={(day) => void change({ view: 'week', from: day })}
              onLater={() => void step(1)}
              onTeam={assigned_filter === 'mine' ? () => choose('all') : undefined}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

interface EntriesProps extends ComponentProps<typeof ScheduleAgenda> {
  view: CalendarView
  month: string
  /** Shows the week of a day. */
  onWeek: (day: PlainDate) => void
}

function Entries({ view, month, onWeek, ...agenda }: EntriesProps) {
  const { days, entries } = agenda
  if (view === 'month') return <ScheduleMonth month={month} days={days} entries={entries} onMore={onWeek} />
  return view === 'week' ? <ScheduleWeek days={days} entries={entries} /> : <ScheduleAgenda {...agenda} />
}

function daysOf(view: CalendarView, on: PlainDate): PlainDate[] {
  if (view === 'month') return daysOfMonth(on)
  return view === 'week' ? daysFrom(mondayOf(on), 7) : daysFrom(on, agendaDays)
}

/** Names the viewer's time zone, and the customer's time only if an entry has another one. */
function zoneNote(entries: readonly ScheduleEntry[]): string {
  const here = browserTimeZone()
  const isElsewhere = entries.some(
    ({ at, timezone }) => wallTime(at, timezone).offset !== wallTime(at, here).offset,
  )
  return `Times are in ${here}${isElsewhere ? ', followed by the customer’s local time' : ''}`
}

interface ScopeProps {
  isAll: boolean
  onChoose: (scope: 'all' | undefined) => void
}

/** The chosen product, or all of them, for users of several. */
function ProductScope({ isAll, onChoose }: ScopeProps) {
  const [products, chosen] = [useMyProducts(), useProduct()]
  const name = products.find(({ id }) => id === chosen)?.name
  if (products.length < 2 || name === undefined) return null
  return (
    <Button.Group aria-label="Product">
      {([undefined, 'all'] as const).map((scope) => {
        const isShown = isAll === (scope === 'all')
        return (
          <Button
            key={scope ?? ''}
            size="xs"
            variant={isShown ? 'light' : 'default'}
            aria-pressed={isShown}
            onClick={() => onChoose(scope)}
          >
            {scope === 'all' ? 'All products' : name}
          </Button>
        )
      })}
    </Button.Group>
  )
}
