import { Suspense, useState, type DragEvent } from 'react'
import { z } from 'zod'
import { Button } from '@mantine/core'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { can } from '#shared/access.ts'
import { dayText, addDays, addMonths, mondayOf, type PlainDate } from '#shared/dates.ts'
import { plainDay } from '#shared/schemas.ts'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import classes from '#features/tasks/tasks/calendar/web/calendar.module.css'
import { CalendarTask, dragType } from '#features/tasks/tasks/calendar/web/CalendarTask.tsx'
import { TaskFilters, tasks, type TaskRow } from '#features/tasks/tasks/contract.ts'
import {
  dateFields,
  dateNames,
  datesOf,
  disciplineOf,
  moveTypeOf,
  ownDate,
  setsRequiredDate,
  whyNotMove,
  type DateField,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { OtherProduct } from '#features/tasks/tasks/web/OtherProduct.tsx'
import { useMoveDate } from '#features/tasks/tasks/web/taskActs.tsx'
import { useTaskFilters } from '#features/tasks/tasks/web/useTaskFilters.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CalendarBar, ViewSwitch } from '#web/calendar/CalendarBar.tsx'
import { DayGrid, layerOf, maxItemsPerDay } from '#web/calendar/DayGrid.tsx'
import { daysFrom, daysOfMonth, monthName } from '#web/calendar/days.ts'
import { useKeyboardDrag } from '#web/calendar/useKeyboardDrag.ts'
import { clearing, FilterChips } from '#web/filter/FilterChips.tsx'
import { toAddress } from '#web/list/address/fromAddress.ts'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { ErrorState } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import { usePhone } from '#web/list/usePhone.ts'
import { useViewer, type Person } from '#web/session.ts'
import { Select, TextButton } from '#web/parts/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { today, useToday } from '#web/time.ts'
import { Soft } from '#web/parts/Soft.tsx'

const HolidaysDialog = lazyPart(() => import('#features/tasks/tasks/calendar/web/HolidaysDialog.tsx'))

/** URL parameters of a calendar: its view and the task list's filters. */
const urlFilterKeys = {
  search: true,
  status: true,
  delivered: true,
  priority: true,
  assigned_to: true,
  organization_id: true,
  task_type_id: true,
  notified: true,
  created_from: true,
  created_to: true,
} as const
const CalendarFilters = TaskFilters.pick(urlFilterKeys)
const View = CalendarFilters.extend({
  view: z.enum(['month', 'week', 'agenda']).default('month'),
  on: plainDay.optional(),
  date: z.enum(dateFields).optional(),
})
type View = z.output<typeof View>

export const DevelopmentCalendarPage = () => <ScopedCalendar discipline="development" />
export const DesignerCalendarPage = () => <ScopedCalendar discipline="designer" />

function ScopedCalendar({ discipline }: { discipline: DisciplineName }) {
  const viewer = useViewer()
  const product = useScope()
  const { calendar, products } = disciplineOf(discipline)
  // Without the permission, load nothing (A §5).
  if (!viewer || !can(viewer, calendar)) return <NoAccessPage />
  if (product !== undefined && !products.includes(product)) return <OtherProduct discipline={discipline} />
  return <CalendarPage discipline={discipline} viewer={viewer} product={product} />
}

/** Maximum number of tasks to load, enough for all days of a view; any further tasks are only counted. */
const mostTasks = 1000
const mostInTray = 50

interface Props {
  discipline: DisciplineName
  viewer: Person
  product: number | undefined
}

/**
 * Calendar of tasks by date. A task's date can be changed by dragging the task or with the keyboard, and a
 * reason is required.
 */
function CalendarPage(props: Props) {
  const { discipline } = props
  const { list } = tasks[discipline]
  const shown = useShownDays(props.viewer)
  const { address, change, view, on, days } = shown
  const found = useShownTasks(props, shown)
  const moves = useMoves(props, shown, found)
  const mayList = useMay(list)
  if (!mayList) return <NoAccessPage />

  const step = (way: -1 | 0 | 1) =>
    void change({
      on:
        way === 0
          ? undefined
          : view === 'month'
            ? addMonths(on, way)
            : addDays(on, way * (view === 'week' ? 7 : 14)),
    })
  return (
    <>
      <Head shown={shown} />
      <CalendarBar
        range={view === 'month' ? monthName(on) : `${dayText(days[0]!)} – ${dayText(days.at(-1)!)}`}
        isToday={address.on === undefined}
        onStep={step}
      >
        <Filters {...props} shown={shown} />
      </CalendarBar>
      <p className={classes.said} role="status">
        {moves.announcement}
      </p>
      {found.error ? <ErrorState error={found.error} onRetry={found.retry} /> : null}
      <div className={classes.page}>
        <Days {...props} shown={shown} found={found} moves={moves} />
        {found.waiting.length > 0 && (
          <section className={classes.tray} aria-label="No date">
            <h2>
              No date <Soft as="span">{found.waitingTotal}</Soft>
            </h2>
            <ul>{found.waiting.map((task) => moves.taskOn(task, today()))}</ul>
          </section>
        )}
      </div>
      {moves.dialog}
    </>
  )
}

type ShownDays = ReturnType<typeof useShownDays>
type ShownTasks = ReturnType<typeof useShownTasks>

/** Returns the view, its days, and which of the tasks' dates it shows, from the URL. */
function useShownDays(viewer: Person) {
  const [address, change] = useAddress(View)
  const isPhone = usePhone()
  const view = isPhone ? 'agenda' : address.view
  const now = useToday()
  const on = address.on ?? now
  const seen = datesOf(viewer.role_id)
  const field: DateField =
    address.date && seen.includes(address.date) ? address.date : ownDate(viewer.role_id)
  const days =
    view === 'month' ? daysOfMonth(on) : view === 'week' ? daysFrom(mondayOf(on), 7) : daysFrom(on, 14)
  return { address, change, isPhone, view, on, days, seen, field } as const
}

/** Returns the tasks of the days that are shown, and those without a date. */
function useShownTasks({ discipline, product }: Props, { address, view, days, field }: ShownDays) {
  const { list } = tasks[discipline]
  const { view: _view, on: _on, date: _date, ...filters } = address
  const asked = {
    ...(product === undefined ? {} : { product_id: product }),
    ...filters,
    date: field,
    column: 'priority',
    direction: 'asc',
  } as const
  const query = useQuery({
    ...queryOptionsFor(list, {
      body: { ...asked, from: days[0], to: days.at(-1), a_day: maxItemsPerDay[view], per_page: mostTasks },
    }),
    placeholderData: keepPreviousData,
  })
  const tray = useQuery(
    queryOptionsFor(list, {
      body: { ...asked, delivered: 'not-delivered', undated: 1, per_page: mostInTray },
    }),
  )
  return {
    rows: query.data?.data ?? [],
    totals: new Map(query.data?.days?.map(({ day, total }) => [day, total])),
    waiting: tray.data?.data ?? [],
    waitingTotal: tray.data?.total,
    isBusy: query.isFetching,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

/** Moves tasks to other days by dragging or with the keyboard, with a dialog that asks for a reason. */
function useMoves(
  { discipline, viewer }: Props,
  { change, days, field, isPhone }: ShownDays,
  { rows, waiting }: ShownTasks,
) {
  const mayEdit = useMay(tasks[discipline].update, { params: { id: 1 }, body: {} })
  const { moveTo, askForDate, moving, dialog } = useMoveDate<TaskRow>()
  const { held, announcement, pickUp } = useKeyboardDrag<TaskRow>({
    nameOf: ({ title }) => title,
    onDrop: (task, day) => moveTo(task, field, day),
    onShow: (day) => days.includes(day) || void change({ on: day }, { replace: true }),
  })
  const mayMove = (task: TaskRow) => {
    if (!mayEdit) return false
    if (moveTypeOf(field) === undefined) return setsRequiredDate(viewer.role_id)
    return task[field] === null || whyNotMove(viewer, discipline, field) === undefined
  }
  const drop = (event: DragEvent, day: PlainDate) => {
    const id = Number(event.dataTransfer.getData(dragType))
    const task = [...rows, ...waiting].find((one) => one.id === id)
    if (task) void moveTo(task, field, day)
  }
  const taskOn = (task: TaskRow, day: PlainDate) => (
    <CalendarTask
      key={task.id}
      task={task}
      day={day}
      mayMove={mayMove(task)}
      isHeld={held?.item.id === task.id}
      onPickUp={isPhone && moveTypeOf(field) !== undefined ? (one) => askForDate(one, field) : pickUp}
    />
  )
  return { moving, heldDay: held?.day, announcement, dialog, drop, taskOn }
}

function Head({ shown: { view, isPhone, change } }: { shown: ShownDays }) {
  const [hasHolidays, setHolidays] = useState(false)
  const mayKeepHolidays = useMay(holidays.save, { body: { day: '', name: '' } })
  return (
    <>
      <PageHeader>
        {mayKeepHolidays && (
          <Button variant="default" size="xs" onClick={() => setHolidays(true)}>
            Holidays
          </Button>
        )}
        {!isPhone && (
          <ViewSwitch
            views={['month', 'week', 'agenda']}
            view={view}
            onChoose={(next) => void change({ view: next })}
          />
        )}
      </PageHeader>
      {hasHolidays && (
        <Suspense>
          <HolidaysDialog onClose={() => setHolidays(false)} />
        </Suspense>
      )}
    </>
  )
}

interface DaysProps extends Props {
  shown: ShownDays
  found: ShownTasks
  moves: ReturnType<typeof useMoves>
}

function Days({ discipline, viewer, shown, found: { rows, totals, isBusy }, moves }: DaysProps) {
  const { address, change, view, on, days, field } = shown
  const { moving } = moves
  const navigate = useNavigate()
  const { data: free } = useQuery({ ...queryOptionsFor(holidays.all), staleTime: 60_000 })
  const from = moving?.task[field]
  const totalOf = (day: PlainDate) =>
    (totals.get(day) ?? 0) + Number(day === moving?.day) - Number(day === from)
  // While a task is being moved, show it as the first task on its target day.
  const shownRows =
    moving && from !== moving.day
      ? [{ ...moving.task, [field]: moving.day }, ...rows.filter(({ id }) => id !== moving.task.id)]
      : rows
  /** Opens the list of all tasks on a day. */
  const showList = (day: PlainDate) => {
    const { view: _view, on: _on, ...filters } = address
    const date = field === ownDate(viewer.role_id) ? undefined : field
    return navigate({
      to: disciplineOf(discipline).pages.list,
      search: toAddress(TaskFilters, { ...filters, date, from: day, to: day }),
    })
  }
  return (
    <DayGrid
      view={view}
      label={`${disciplineOf(discipline).names.list} by ${dateNames[field].toLowerCase()}`}
      days={days}
      layers={[layerOf(shownRows, (row) => row[field], moves.taskOn)]}
      totalOf={totalOf}
      holidays={free?.data ?? []}
      month={view === 'month' ? on.slice(0, 7) : undefined}
      isBusy={isBusy}
      heldDay={moves.heldDay}
      drop={{ type: dragType, onDrop: moves.drop }}
      onMore={(day) => void (view === 'month' ? change({ view: 'week', on: day }) : showList(day))}
    />
  )
}

/**
 * The list's filters, except for the date range, which the calendar view determines. Also lets the user
 * choose which of the tasks' dates the calendar shows.
 */
function Filters({ discipline, viewer, product, shown }: Props & { shown: ShownDays }) {
  const { address, change, field, seen } = shown
  const [isOpen, setOpen] = useState(false)
  const values = address as unknown as TaskFilters
  // The filter by type is among those that are shown on request.
  const needsTypes = isOpen || values.task_type_id !== undefined
  const filters = useTaskFilters(
    discipline,
    product,
    viewer,
    values.organization_id,
    false,
    needsTypes,
  ).filter(({ id }) => id !== 'from-to')
  const set = (next: Partial<TaskFilters>) => void change(next)
  const show = ({ id, control }: (typeof filters)[number]) => <span key={id}>{control(values, set)}</span>
  const active = [
    ...(address.search
      ? [{ id: 'search', text: `Search: ${address.search}`, clear: () => void change({ search: '' }) }]
      : []),
    ...filters.flatMap(({ id, says, cleared }) => {
      const text = says(values)
      return text === undefined ? [] : [{ id, text, clear: () => set(clearing(cleared, values)) }]
    }),
  ]
  return (
    <span className={classes.filters}>
      <SearchBox
        label="Search tasks"
        value={address.search}
        onSearch={(search) => void change({ search })}
        width={180}
      />
      {seen.length > 1 && (
        <Select
          label="Date"
          value={field}
          options={seen.map((one) => [one, dateNames[one]])}
          onChoose={(date) =>
            void change({ date: date === ownDate(viewer.role_id) ? undefined : (date as DateField) })
          }
        />
      )}
      {filters.filter(({ more }) => !more).map(show)}
      <TextButton
        icon={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Fewer filters' : 'More filters'}
      </TextButton>
      {isOpen && filters.filter(({ more }) => more).map(show)}
      {active.length > 0 && (
        <FilterChips
          active={active}
          onClearAll={() =>
            set(
              Object.assign({ search: '' }, ...filters.map(({ cleared }) => cleared)) as Partial<TaskFilters>,
            )
          }
        />
      )}
    </span>
  )
}
