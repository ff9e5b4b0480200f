import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { can, mayOpen } from '#shared/access.ts'
import { addDays } from '#shared/dates.ts'
import { recordTypes } from '#shared/records.ts'
import { demos, type ScheduledDemo } from '#features/crm/leads/demos/contract.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import { quickTasks, type QuickTask } from '#features/crm/quick-tasks/contract.ts'
import { support } from '#features/crm/support/contract.ts'
import classes from '#features/panel/dashboard/web/dashboard.module.css'
import { tasks } from '#features/tasks/tasks/contract.ts'
import { ask } from '#web/api/client.ts'
import { followsWrites, useMay, useSend } from '#web/api/useSend.ts'
import { Loaded } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer, type Person } from '#web/session.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { slugOf } from '#web/slug.ts'
import { useScope } from '#web/shell/useScope.ts'
import { dayText, fullTime, today, useToday, zoneHere } from '#web/time.ts'

const atFirst = 6
/** Everything but Delivered. */
const open: (0 | 1 | 2 | 3 | 5 | 6 | 7)[] = [0, 1, 2, 3, 5, 6, 7]

/** What the person is to do: their quick tasks, and the tasks that are assigned to them. */
export function MyWork() {
  const viewer = useViewer()
  if (!viewer) return null
  return (
    <div className={classes.two}>
      <MyQuickTasks viewer={viewer} />
      <UnreadTickets />
      <DueOrganizations />
      <NextDemos />
      <MyTasks viewer={viewer} discipline="development" title="My development tasks" to="/development-tasks" />
      <MyTasks viewer={viewer} discipline="designer" title="My designer tasks" to="/designer-tasks" />
    </div>
  )
}

function MyQuickTasks({ viewer }: { viewer: Person }) {
  const query = useQuery(ask(quickTasks.list, { query: { status: 0, filters: JSON.stringify({ person: viewer.id }) } }))
  useChanged('quick_task', [quickTasks.list])
  return (
    <section className={classes.card} aria-labelledby="my-quick-tasks">
      <Loaded query={query} skeleton={<Title id="my-quick-tasks" title="My quick tasks" />}>
        {({ data, total }) => (
          <>
            <Title
              id="my-quick-tasks"
              title="My quick tasks"
              total={total}
              {...(mayOpen(viewer.role_id, '/quick-task') ? { to: '/quick-task/my-task' } : {})}
            />
            {data.length === 0 ? (
              <p className={classes.none}>Nobody waits for you.</p>
            ) : (
              <ul className={classes.list}>
                {data.slice(0, atFirst).map((task) => (
                  <OneQuickTask key={task.id} task={task} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const demosAhead = { days: 14, most: 4 }

const isComing = ({ at, is_completed }: ScheduledDemo) => !is_completed && at >= new Date().toISOString()

/** The demos that come next, in the reader's own time. */
function NextDemos() {
  const product = useScope()
  const from = useToday()
  const asked = { query: { from, to: addDays(from, demosAhead.days), lead_for: product, timezone: zoneHere() } }
  const may = useMay(demos.schedule, asked)
  const query = useQuery({ ...ask(demos.schedule, asked), enabled: may })
  useChanged('leads', may ? [demos.schedule] : [])
  const coming = (query.data?.data ?? []).filter(isComing)
  if (!coming.length) return null
  return (
    <section className={classes.card} aria-labelledby="next-demos">
      <Title id="next-demos" title="Next demos" total={coming.length} to="/demo-leads/demo-leads-schedule" />
      <ul className={classes.list}>
        {coming.slice(0, demosAhead.most).map((demo) => (
          <li key={demo.id}>
            <Link to={`/demo-leads/${slugOf(demo.companyName)}/${demo.lead_id}`} className={classes.item}>
              <span className={classes.itemName}>{demo.companyName}</span>
              <span className={classes.itemDetail}>{[demo.type, demo.assigned_name].filter(Boolean).join(' · ')}</span>
              <time className={classes.itemDay} dateTime={demo.at}>
                {fullTime(demo.at)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What customers wrote and nobody has opened, for those who work at the desk. */
function UnreadTickets() {
  const viewer = useViewer()
  const may = useMay(support.unread) && viewer !== undefined && mayOpen(viewer.role_id, '/support')
  const query = useQuery({ ...ask(support.unread), enabled: may })
  useChanged('ticket', may ? [support.unread] : [])
  if (!may || !query.data || query.data.ticket_count === 0) return null
  const { ticket_count, unread_tickets } = query.data
  return (
    <section className={classes.card} aria-labelledby="unread-tickets">
      <Title id="unread-tickets" title="Tickets nobody has opened" total={ticket_count} to="/support?unread=1" />
      <ul className={classes.list}>
        {unread_tickets.slice(0, atFirst).map(({ id, title, st_id, organization_id, created_at }) => (
          <li key={id}>
            <PageLink to={`/support/ticket/${st_id}/${organization_id}`} className={`${classes.item} ${classes.brief}`}>
              <span className={classes.itemName}>{title}</span>
              <span className={classes.itemDay}>
                <Moment at={created_at} />
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The trials that end soon and the onboardings that are expected, for the person in charge of them. */
function DueOrganizations() {
  const may = useMay(organizations.reminders)
  const query = useQuery({ ...ask(organizations.reminders), meta: followsWrites })
  // Whoever has onboardings alone hears nothing of organizations.
  const mayHear = can(useViewer(), recordTypes.organization.read)
  useChanged('organization', may && mayHear ? [organizations.reminders] : [])
  const { send, sending } = useSend(organizations.remindersDone, { refresh: [organizations.reminders] })
  const due = query.data?.data ?? []
  if (!may || due.length === 0) return null
  return (
    <section className={classes.card} aria-labelledby="due-organizations">
      <Title id="due-organizations" title="Trials and onboardings due" total={due.length} />
      <ul className={classes.list}>
        {due.slice(0, atFirst).map(({ id, name, organization_id, onboarding_id, due_on }) => (
          <li key={id} className={classes.reminder}>
            <PageLink
              to={
                onboarding_id === null ? `/organizations/detail/${slugOf(name)}/0/${organization_id}` : `/on-boarding/details/${slugOf(name)}/${onboarding_id}`
              }
              className={classes.item}
            >
              <span className={classes.itemName}>{name}</span>
              <span className={classes.itemDetail}>{onboarding_id === null ? 'Trial ends' : 'Onboarding'}</span>
              <time className={classes.itemDay} dateTime={due_on}>
                {overdueText(due_on)}
              </time>
            </PageLink>
            <button
              type="button"
              className={classes.done}
              disabled={sending}
              aria-label={`Done: ${name}`}
              onClick={() => void send({ params: { id }, body: { done: true } })}
            >
              Done
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const overdueText = (day: string) => (day < today() ? `${dayText(day)}, overdue` : dayText(day))

function OneQuickTask({ task: { id, title, creator_name, due_date } }: { task: QuickTask }) {
  const { sayDone } = useUndo([quickTasks.list])
  const { send, sending } = useSend(quickTasks.markCompleted, { refresh: [quickTasks.list], onDone: ({ message, operation }) => sayDone(message, operation) })
  return (
    <li className={classes.reminder}>
      <span className={classes.item}>
        <span className={classes.itemName}>{title}</span>
        <span className={classes.itemDetail}>from {creator_name}</span>
        {due_date && (
          <time className={classes.itemDay} dateTime={due_date}>
            {overdueText(due_date)}
          </time>
        )}
      </span>
      <button
        type="button"
        className={classes.done}
        disabled={sending}
        aria-label={`Done: ${title}`}
        onClick={() => void send({ params: { id }, body: { status: 1 } })}
      >
        Done
      </button>
    </li>
  )
}

interface TasksProps {
  viewer: Person
  discipline: 'development' | 'designer'
  title: string
  to: string
}

/** For those who work on tasks: a role that reads them without ever having one does not see an empty card. */
function MyTasks({ viewer, discipline, title, to }: TasksProps) {
  const { list } = tasks[discipline]
  const body = { assigned_to: viewer.id, status: open, column: 'due_date' as const, direction: 'asc' as const, per_page: atFirst }
  const may = useMay(list, { body })
  const query = useQuery(ask(list, { body }))
  if (!may || !query.data || query.data.total === 0) return null
  const { data, total } = query.data
  // One's own of both kinds stand together, for those whom the guard lets there; no menu leads to it.
  const all = ['/tasks', to].find((path) => mayOpen(viewer.role_id, path))
  return (
    <section className={classes.card} aria-labelledby={`my-${discipline}`}>
      <Title id={`my-${discipline}`} title={title} total={total} {...(all ? { to: all } : {})} />
      <ul className={classes.list}>
        {data.map((task) => (
          <li key={task.id}>
            <Link to="." search={(now: Record<string, unknown>) => ({ ...now, task: task.id })} className={`${classes.item} ${classes.brief}`}>
              <span className={classes.itemName}>{task.title}</span>
              {task.due_date && (
                <time className={classes.itemDay} dateTime={task.due_date}>
                  {overdueText(task.due_date)}
                </time>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Title({ id, title, total, to }: { id: string; title: string; total?: number; to?: string }) {
  return (
    <h2 id={id} className={classes.cardTitle}>
      {to ? (
        <Link to={to} className={classes.titleLink}>
          {title}
        </Link>
      ) : (
        title
      )}
      {total !== undefined && <span className={classes.total}>{total.toLocaleString('en-US')}</span>}
    </h2>
  )
}
