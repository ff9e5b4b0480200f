import { Suspense, useState, type DragEvent } from 'react'
import { z } from 'zod'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { can } from '#shared/access.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import { plainDay } from '#shared/fields.ts'
import { holidays } from '#features/tasks/tasks/calendar/contract.ts'
import classes from '#features/tasks/tasks/calendar/web/calendar.module.css'
import { CalendarTask, dragType } from '#features/tasks/tasks/calendar/web/CalendarTask.tsx'
import { TaskFilters, tasks, type TaskRow } from '#features/tasks/tasks/contract.ts'
import {
  dateFields,
  dateNames,
  datesOf,
  deliveredGroups,
  disciplineOf,
  moveTypeOf,
  ownDate,
  priorities,
  setsRequiredDate,
  whyNotMove,
  type DateField,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import { OtherProduct } from '#features/tasks/tasks/web/OtherProduct.tsx'
import { useMoveDate } from '#features/tasks/tasks/web/taskActs.tsx'
import { useTaskOptions } from '#features/tasks/tasks/web/useTaskOptions.ts'
import { ask } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { CalendarBar, ViewSwitch } from '#web/calendar/CalendarBar.tsx'
import { DayGrid, layerOf } from '#web/calendar/DayGrid.tsx'
import { addMonths, daysFrom, daysOfMonth, mondayOf, monthName } from '#web/calendar/days.ts'
import { useHeld } from '#web/calendar/useHeld.ts'
import { ErrorState } from '#web/list/states.tsx'
import { useAddress } from '#web/list/useAddress.ts'
import { asPairs } from '#web/list/useOptions.ts'
import { usePhone } from '#web/list/usePhone.ts'
import { useChanged } from '#web/live.ts'
import { useViewer, type Person } from '#web/session.ts'
import { Select } from '#web/shell/controls.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { dayText, today, useToday } from '#web/time.ts'

const HolidaysDialog = lazyPart(() => import('#features/tasks/tasks/calendar/web/HolidaysDialog.tsx'))

/** What stands in the address of a calendar: its view, and the filters of the list. */
const { delivered, priority, assigned_to, organization_id, task_type_id } = TaskFilters.shape
const View = z.object({
  view: z.enum(['month', 'week', 'agenda']).default('month'),
  on: plainDay.optional(),
  date: z.enum(dateFields).optional(),
  delivered,
  priority,
  assigned_to,
  organization_id,
  task_type_id,
})
type View = z.output<typeof View>

export const DevelopmentCalendarPage = () => <ScopedCalendar discipline="development" />
export const DesignerCalendarPage = () => <ScopedCalendar discipline="designer" />

function ScopedCalendar({ discipline }: { discipline: DisciplineName }) {
  const viewer = useViewer()
  const product = useScope()
  const { calendar, products } = disciplineOf(discipline)
  // Without the key nothing is loaded (A §5).
  if (!viewer || !can(viewer, calendar)) return <PageHeader />
  if (product !== undefined && !products.includes(product)) return <OtherProduct discipline={discipline} />
  return <CalendarPage discipline={discipline} viewer={viewer} product={product} />
}

/** More than a month can show are counted, not drawn. */
const mostTasks = 1000
const mostInTray = 50

interface Props {
  discipline: DisciplineName
  viewer: Person
  product: number | undefined
}

/** What is promised for which day: a promise moves by dragging or by keys, and says why. */
function CalendarPage({ discipline, viewer, product }: Props) {
  const [address, change] = useAddress(View)
  const isPhone = usePhone()
  const { list, update } = tasks[discipline]
  const { type } = disciplineOf(discipline)
  const [hasHolidays, setHolidays] = useState(false)
  const view = isPhone ? 'agenda' : address.view
  const now = useToday()
  const on = address.on ?? now
  const seen = datesOf(viewer.role_id)
  const field: DateField = address.date && seen.includes(address.date) ? address.date : ownDate(viewer.role_id)
  const days = view === 'month' ? daysOfMonth(on) : view === 'week' ? daysFrom(mondayOf(on), 7) : daysFrom(on, 14)
  const kept = {
    ...(product === undefined ? {} : { product_id: product }),
    delivered: address.delivered,
    priority: address.priority,
    assigned_to: address.assigned_to,
    organization_id: address.organization_id,
    task_type_id: address.task_type_id,
    date: field,
  }
  const query = useQuery({
    ...ask(list, { body: { ...kept, from: days[0], to: days.at(-1), column: 'priority', direction: 'asc', per_page: mostTasks } }),
    placeholderData: keepPreviousData,
  })
  const tray = useQuery(ask(list, { body: { ...kept, delivered: 'not-delivered', undated: 1, column: 'priority', direction: 'asc', per_page: mostInTray } }))
  const { data: free } = useQuery({ ...ask(holidays.all), staleTime: 60_000 })
  const mayList = useMay(list)
  useChanged(type, mayList ? [list] : [])
  const mayKeepHolidays = useMay(holidays.save, { body: { day: '', name: '' } })
  const mayEdit = useMay(update, { params: { id: 1 }, body: {} })
  const { moveTo, askWhere, dialog } = useMoveDate()
  const { held, said, pickUp } = useHeld<TaskRow>({
    nameOf: ({ title }) => title,
    onDrop: (task, day) => moveTo(task, field, day),
    onShow: (day) => days.includes(day) || void change({ on: day }, { replace: true }),
  })
  if (!mayList) return <PageHeader />

  const rows = query.data?.data ?? []
  const waiting = tray.data?.data ?? []
  const mayMove = (task: TaskRow) => {
    if (!mayEdit) return false
    if (moveTypeOf(field) === undefined) return setsRequiredDate(viewer.role_id)
    return task[field] === null || whyNotMove(viewer, discipline, field) === undefined
  }
  const drop = (event: DragEvent, day: PlainDate) => {
    const id = Number(event.dataTransfer.getData(dragType))
    const task = [...rows, ...waiting].find((one) => one.id === id)
    if (task) moveTo(task, field, day)
  }
  const taskOn = (task: TaskRow, day: PlainDate) => (
    <CalendarTask
      key={task.id}
      task={task}
      day={day}
      mayMove={mayMove(task)}
      isHeld={held?.item.id === task.id}
      onPickUp={isPhone && moveTypeOf(field) !== undefined ? (one) => askWhere(one, field) : pickUp}
    />
  )
  const step = (way: -1 | 0 | 1) =>
    void change({ on: way === 0 ? undefined : view === 'month' ? addMonths(on, way) : addDays(on, way * (view === 'week' ? 7 : 14)) })
  return (
    <>
      <PageHeader>
        {mayKeepHolidays && (
          <Button variant="default" size="xs" onClick={() => setHolidays(true)}>
            Holidays
          </Button>
        )}
        {!isPhone && <ViewSwitch views={['month', 'week', 'agenda']} view={view} onChoose={(next) => void change({ view: next })} />}
      </PageHeader>
      <CalendarBar
        range={view === 'month' ? monthName(on) : `${dayText(days[0]!)} – ${dayText(days.at(-1)!)}`}
        isToday={address.on === undefined}
        onStep={step}
      >
        <Filters address={address} change={change} discipline={discipline} viewer={viewer} product={product} field={field} seen={seen} />
      </CalendarBar>
      <p className={classes.said} role="status">
        {said}
      </p>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && query.data.total > rows.length && <p role="status">{query.data.total - rows.length} more are promised here: choose a week or a filter.</p>}
      <div className={classes.page}>
        <DayGrid
          view={view}
          label={`${disciplineOf(discipline).names.list} by ${dateNames[field].toLowerCase()}`}
          days={days}
          layers={[layerOf(rows, (row) => row[field], taskOn)]}
          free={free?.data ?? []}
          month={view === 'month' ? on.slice(0, 7) : undefined}
          isBusy={query.isFetching}
          heldDay={held?.day}
          drop={{ type: dragType, onDrop: drop }}
          onMore={(day) => void change({ view: 'week', on: day })}
        />
        {waiting.length > 0 && (
          <section className={classes.tray} aria-label="Without a date">
            <h2>
              Without a date <span className={classes.soft}>{tray.data?.total}</span>
            </h2>
            <ul>{waiting.map((task) => taskOn(task, today()))}</ul>
          </section>
        )}
      </div>
      {dialog}
      {hasHolidays && (
        <Suspense>
          <HolidaysDialog onClose={() => setHolidays(false)} />
        </Suspense>
      )}
    </>
  )
}

interface FiltersProps extends Props {
  address: View
  change: (change: Partial<View>) => Promise<void>
  field: DateField
  seen: readonly DateField[]
}

function Filters({ address, change, discipline, viewer, product, field, seen }: FiltersProps) {
  const { people, organizations, types } = useTaskOptions(product)
  const others = can(viewer, disciplineOf(discipline).filterByPerson)
  const number = (value: string) => (value === '' ? undefined : Number(value))
  const pairs = (any: string, entries: readonly (readonly [number | string, string])[]) => [
    ['', any] as const,
    ...entries.map(([id, name]) => [String(id), name] as const),
  ]
  return (
    <span className={classes.filters}>
      {seen.length > 1 && (
        <Select
          label="Date"
          value={field}
          options={seen.map((one) => [one, dateNames[one]])}
          onChoose={(date) => void change({ date: date === ownDate(viewer.role_id) ? undefined : (date as DateField) })}
        />
      )}
      <Select
        label="Assignee"
        value={String(address.assigned_to ?? '')}
        options={pairs('Everybody', [[viewer.id, 'Mine'], ...(others ? asPairs(people).filter(([id]) => id !== viewer.id) : [])])}
        onChoose={(value) => void change({ assigned_to: number(value) })}
      />
      <Select
        label="Delivered"
        value={address.delivered ?? ''}
        options={pairs(
          'Delivered or not',
          Object.entries(deliveredGroups).map(([id, { name }]) => [id, name]),
        )}
        onChoose={(value) => void change({ delivered: value === '' ? undefined : (value as 'delivered') })}
      />
      <Select
        label="Priority"
        value={String(address.priority ?? '')}
        options={pairs('All priorities', asPairs([...priorities]))}
        onChoose={(value) => void change({ priority: number(value) as never })}
      />
      <Select
        label="Type"
        value={String(address.task_type_id ?? '')}
        options={pairs('All types', asPairs([...types]))}
        onChoose={(value) => void change({ task_type_id: number(value) })}
      />
      <Select
        label="Customer"
        value={String(address.organization_id ?? '')}
        options={pairs('All customers', asPairs([...organizations]))}
        onChoose={(value) => void change({ organization_id: number(value) })}
      />
    </span>
  )
}
