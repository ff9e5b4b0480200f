import { useState, type SyntheticEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { dayText, weekday, type PlainDate } from '#shared/dates.ts'
import { progress, type ProgressLine } from '#features/tasks/progress/contract.ts'
import classes from '#features/tasks/progress/web/hoursToday.module.css'
import type { tasks } from '#features/tasks/tasks/contract.ts'
import { HoursBody, reports } from '#features/tasks/tasks/reports.contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { CardItem, CardList, DashboardCard, NothingHere } from '#web/dashboard/DashboardCard.tsx'
import { Loaded } from '#web/list/states.tsx'
import { toast } from '#web/message/toast.ts'
import { Select } from '#web/parts/controls.tsx'
import { useViewer, type Person } from '#web/session.ts'
import { useToday } from '#web/time.ts'

interface Props {
  /** Returns the query for the tasks that hours can be added to. */
  askTasks: (viewer: Person) => ReturnType<typeof queryTogether<typeof tasks.development.list>>
}

/** Dashboard card with the hours that the viewer reported today, where more are added. */
export function HoursTodayCard(props: Props) {
  const viewer = useViewer()
  return viewer && <OwnHours viewer={viewer} {...props} />
}

function OwnHours({ viewer, askTasks }: Props & { viewer: Person }) {
  const today = useToday()
  const own = { query: { user_id: viewer.id, startDate: today, endDate: today } }
  const maySee = useMay(progress.list, own)
  const query = useQuery({
    ...queryTogether(progress.list, own),
    enabled: maySee,
  })
  const choices = useQuery(askTasks(viewer))
  if (!maySee) return null
  return (
    <DashboardCard
      id="hours-today"
      title="My hours today"
      about={`${weekday(today)}, ${dayText(today)}`}
      total={query.data && `${query.data.hours} h`}
    >
      <Loaded query={query} what="My hours today">
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <NothingHere>No hours reported today.</NothingHere>
            ) : (
              <CardList>
                {data.map((line) => (
                  <CardItem
                    key={line.id}
                    name={line.task}
                    detail={line.title === line.task ? '' : line.title}
                    at={`${line.hours} h`}
                    shortDay
                  />
                ))}
              </CardList>
            )}
            {choices.data && choices.data.data.length > 0 && (
              <MoreHours day={today} lines={data} choices={choices.data.data} />
            )}
          </>
        )}
      </Loaded>
    </DashboardCard>
  )
}

interface MoreProps {
  day: PlainDate
  /** The viewer's entries of that day. */
  lines: readonly ProgressLine[]
  choices: readonly { id: number; title: string }[]
}

/** Adds hours on one of the viewer's open tasks; the entries that the task has that day are kept. */
function MoreHours({ day, lines, choices }: MoreProps) {
  const [chosen, setChosen] = useState<number>()
  const [hours, setHours] = useState('')
  const { send, sending } = useSend(reports.save)
  const task = choices.find(({ id }) => id === chosen) ?? choices[0]!
  const save = (task_details: object[]) =>
    send({ body: HoursBody.parse({ task_id: task.id, report_date: day, task_details }) })

  async function add(event: SyntheticEvent): Promise<void> {
    event.preventDefault()
    const before = lines
      .filter(({ task_id }) => task_id === task.id)
      .map(({ title, hours: reported }) => ({ title, hours: reported }))
    const reply = await save([...before, { title: task.title, hours: Number(hours) }])
    if (!reply) return
    setHours('')
    toast.success(reply.message, { undo: { label: 'Undo', onUndo: () => void save(before) } })
  }

  return (
    <form className={classes.form} aria-label="Add hours" onSubmit={(event) => void add(event)}>
      <Select
        label="Task"
        value={String(task.id)}
        options={choices.map(({ id, title }) => [String(id), `#${id} ${title}`])}
        onChoose={(id) => setChosen(Number(id))}
      />
      <input
        className={classes.hours}
        aria-label="Hours"
        placeholder="Hours"
        type="number"
        required
        min={0.25}
        max={24}
        step={0.25}
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" loading={sending}>
        Save hours
      </Button>
    </form>
  )
}
