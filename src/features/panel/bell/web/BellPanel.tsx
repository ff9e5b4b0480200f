import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { Reply } from '#shared/endpoint.ts'
import type { tickets } from '#features/crm/support/contract.ts'
import type { anyTask } from '#features/tasks/tasks/contract.ts'
import classes from '#features/panel/bell/web/BellPanel.module.css'
import { Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { Popup } from '#web/parts/Popup.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

interface Props {
  at: MenuAt
  /** Undefined if the viewer cannot see tickets, in which case the tab is not shown. */
  tickets: Asked<Reply<typeof tickets.unread>> | undefined
  tasks: Asked<Reply<typeof anyTask.unnotified>> | undefined
}

interface Asked<Data> {
  data: Data | undefined
  error: unknown
  isLoading: boolean
  refetch: () => unknown
}

/** The items that the bell counts, in two tabs (A §2). */
export default function BellPanel({ at, ...shown }: Props) {
  return at.opened ? <OpenPanel at={at} {...shown} /> : null
}

function OpenPanel({ at, tickets, tasks }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const tabs = [...(tickets ? ['Support' as const] : []), ...(tasks ? ['Tasks' as const] : [])]
  const [chosen, setTab] = useState<(typeof tabs)[number]>()
  const tab = tabs.find((name) => name === chosen) ?? tabs[0]
  const router = useRouter()
  useLayoutEffect(() => {
    const element = panel.current!
    if (!element.matches(':popover-open')) element.showPopover()
    element.querySelector<HTMLElement>('[role=tab]')?.focus({ preventScroll: true })
  }, [])
  const close = at.onClose
  useEffect(() => router.subscribe('onBeforeNavigate', () => close()), [router, close])
  const counts = { Support: tickets?.data?.ticket_count ?? 0, Tasks: tasks?.data?.task_count ?? 0 }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const next = tabs.find((name) => name !== tab)
    if (!next) return
    setTab(next)
    panel.current?.querySelector<HTMLElement>(`#${CSS.escape(`${at.id}-${next}`)}`)?.focus()
  }

  return (
    <Popup
      ref={panel}
      id={at.id}
      role="dialog"
      aria-label="Notifications"
      className={classes.panel}
      data-end
      onToggle={({ newState }) => newState === 'closed' && close()}
    >
      <div role="tablist" aria-label="Notifications" className={classes.tabs} onKeyDown={press}>
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${at.id}-${name}`}
            aria-selected={tab === name}
            aria-controls={`${at.id}-panel`}
            tabIndex={tab === name ? 0 : -1}
            className={classes.tab}
            onClick={() => setTab(name)}
          >
            {name}
            {/* Show the count only if it is above 0 (A §4). */}
            {counts[name] > 0 && ` ${counts[name]}`}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${at.id}-panel`} aria-labelledby={tab && `${at.id}-${tab}`}>
        {tab === 'Support' && tickets && <TicketItems tickets={tickets} />}
        {tab === 'Tasks' && tasks && <TaskItems tasks={tasks} />}
        {tab === undefined && <p className={classes.none}>Your role doesn’t have any notifications.</p>}
      </div>
    </Popup>
  )
}

function TicketItems({ tickets }: { tickets: NonNullable<Props['tickets']> }) {
  const navigate = useNavigate()
  return (
    <Loaded query={tickets} skeleton={loading}>
      {({ unread_tickets }) => (
        <Items
          none="No unread tickets."
          items={unread_tickets.map(({ id, title, created_at, st_id, organization_id }) => ({
            id,
            title,
            created_at,
            open: () => void navigate({ to: `/support/ticket/${st_id}/${organization_id}` }),
          }))}
        />
      )}
    </Loaded>
  )
}

function TaskItems({ tasks }: { tasks: NonNullable<Props['tasks']> }) {
  const navigate = useNavigate()
  return (
    <Loaded query={tasks} skeleton={loading}>
      {({ tasks: waiting }) => (
        <Items
          none="No customers to notify."
          items={waiting.map(({ id, title, created_at }) => ({
            id,
            title,
            created_at,
            open: () => void navigate({ to: '.', search: (now: object) => ({ ...now, task: id }) }),
          }))}
        />
      )}
    </Loaded>
  )
}

const loading = <p className={classes.none}>Loading…</p>

interface Item {
  id: number
  title: string
  created_at: string
  open: () => void
}

function Items({ items, none }: { items: readonly Item[]; none: string }) {
  if (!items.length) return <p className={classes.none}>{none}</p>
  return (
    <ul className={classes.list}>
      {items.map(({ id, title, created_at, open }) => (
        <li key={id}>
          <button type="button" className={classes.item} onClick={open}>
            {title}
            <span className={classes.soft}>
              <Moment at={created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
