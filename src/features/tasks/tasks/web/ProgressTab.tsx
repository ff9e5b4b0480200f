import { Button } from '@mantine/core'
import { dayText, isPlainDate } from '#shared/dates.ts'
import type { Task } from '#features/tasks/tasks/contract.ts'
import { HoursBody, reports, type TaskReport } from '#features/tasks/tasks/reports.contract.ts'
import classes from '#features/tasks/tasks/web/tasks.module.css'
import { reportedLines, type Typed } from '#features/tasks/tasks/web/reportedLines.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { DateInput } from '#web/dates/DateInput.tsx'
import { useWarnBeforeLeaving } from '#web/form/useWarnBeforeLeaving.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useViewer } from '#web/session.ts'
import { toast } from '#web/message/toast.ts'
import { today } from '#web/time.ts'

interface Line {
  title: string
  hours: number
}

/** Parses `task_details`, which is JSON within JSON; invalid JSON yields no lines (docs/spec-gaps.md G55). */
function linesOf({ task_details }: TaskReport): Line[] {
  try {
    const lines: unknown = JSON.parse(task_details)
    return Array.isArray(lines) ? (lines as Line[]) : []
  } catch {
    return []
  }
}

/** Tab with hours by day and person, and a form for the viewer's own hours. */
export function ProgressTab({ task }: { task: Task }) {
  const all = task.reports ?? []
  return (
    <>
      <OwnHours key={task.id} task={task} />
      {all.length === 0 && <p className={classes.none}>No Progress History Found</p>}
      <ol className={classes.sentences}>
        {all.map((report) => (
          <li key={`${report.report_date}-${report.user.id}`}>
            <strong>{dayText(report.report_date)}</strong>
            {linesOf(report).map((line, position) => (
              // Verbatim: `hour` is not pluralized (B §2).
              <p key={position}>
                {report.user.first_name} {report.user.last_name} worked on {line.title} for {line.hours} hour
              </p>
            ))}
          </li>
        ))}
      </ol>
    </>
  )
}

interface Hours {
  day: string
  lines: Typed[]
}

const isSame = (one: Typed) => (other: Typed) => other.title === one.title && other.hours === one.hours

/**
 * The viewer's hours for a day. Input is kept when others report hours or the day changes; while it is
 * untouched, the stored hours are shown.
 */
function OwnHours({ task }: { task: Task }) {
  const may = useMay(reports.save, { body: { task_id: task.id, task_details: [] } })
  const { form, lines, setLines, chooseDay } = useOwnHours(task)
  const { day } = form.fields.values
  if (!may) return null
  const change = (at: number, patch: Partial<Typed>) =>
    setLines(lines.map((line, position) => (position === at ? { ...line, ...patch } : line)))

  return (
    <form
      className={classes.hours}
      aria-label="My hours"
      onSubmit={(event) => void form.submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <span>
        My hours on{' '}
        <DateInput
          aria-label="My hours on"
          value={day}
          max={today()}
          required
          onChange={(next) => isPlainDate(next) && chooseDay(next)}
        />
      </span>
      {lines.map((line, position) => (
        <HoursLine
          key={position}
          line={line}
          number={position + 1}
          onChange={(patch) => change(position, patch)}
        />
      ))}
      {form.failure && <p role="alert">{form.failure}</p>}
      <span className={classes.acts}>
        <Button variant="default" onClick={() => setLines([...lines, { title: '', hours: '' }])}>
          Add line
        </Button>
        <Button type="submit" loading={form.saving} title="Ctrl+Enter">
          Save hours
        </Button>
      </span>
    </form>
  )
}

/** Returns the form, the lines to show, which are the stored ones until something is typed, and their changes. */
function useOwnHours(task: Task) {
  const viewer = useViewer()
  const linesOn = (wanted: string): Typed[] => {
    const own = task.reports?.find((one) => one.report_date === wanted && one.user.id === viewer?.id)
    return own
      ? linesOf(own).map(({ title, hours }) => ({ title, hours: String(hours) }))
      : [{ title: task.title, hours: '' }]
  }
  const toSend = ({ day, lines }: Hours) => ({
    task_id: task.id,
    report_date: day,
    task_details: reportedLines(lines, task.title),
  })
  const { send } = useSend(reports.save, { failure: 'throw' })
  const form = useDraftForm<Hours>({
    name: `hours-${task.id}`,
    initial: { day: today(), lines: linesOn(today()) },
    schema: HoursBody,
    toSend,
    sayWhatIsMissing: () => 'On each line, describe the work and enter up to 24 hours.',
    onSave: async (values) => {
      const reply = await send({ body: HoursBody.parse(toSend(values)) })
      if (reply) toast.success(reply.message)
    },
  })
  useWarnBeforeLeaving(form)
  const { fields } = form
  const { day } = fields.values
  const lines = form.isDirty ? fields.values.lines : linesOn(day)
  const setLines = (next: Typed[]) => fields.setFieldValue('lines', next)

  function chooseDay(next: string): void {
    const typed = form.isDirty ? lines.filter((line) => !linesOn(day).some(isSame(line))) : []
    const there = linesOn(next).filter(({ hours }) => typed.length === 0 || hours !== '')
    fields.setValues({ day: next, lines: [...there, ...typed] })
    if (typed.length === 0) fields.resetDirty({ day: next, lines: there })
  }

  return { form, lines, setLines, chooseDay }
}

interface LineProps {
  line: Typed
  number: number
  onChange: (patch: Partial<Typed>) => void
}

function HoursLine({ line, number, onChange }: LineProps) {
  return (
    <div className={classes.hoursLine}>
      <input
        className={classes.dayInput}
        aria-label={`Work, line ${number}`}
        value={line.title}
        maxLength={300}
        required={line.hours !== ''}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <input
        className={classes.dayInput}
        aria-label={`Hours, line ${number}`}
        type="number"
        min={0.25}
        max={24}
        step={0.25}
        value={line.hours}
        onChange={(event) => onChange({ hours: event.currentTarget.value })}
      />
    </div>
  )
}
