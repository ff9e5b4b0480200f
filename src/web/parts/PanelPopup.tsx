import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useRouter } from '@tanstack/react-router'
import classes from '#web/parts/PanelPopup.module.css'
import { Popup } from '#web/parts/Popup.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

interface Props<Tab extends string> {
  at: MenuAt
  label: string
  tabs: readonly { name: Tab; count: number }[]
  tab: Tab | undefined
  onTab: (tab: Tab) => void
  /** Beside the tabs. */
  action?: ReactNode
  foot?: ReactNode
  /** Content of the chosen tab. */
  children: ReactNode
}

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/**
 * A panel below a button of the top bar: rows in tabs. ← and → change the tab, j and k move between the rows,
 * Enter opens one, and Esc closes the panel and returns the focus to the button.
 */
export function PanelPopup<Tab extends string>({
  at,
  label,
  tabs,
  tab,
  onTab,
  action,
  foot,
  children,
}: Props<Tab>) {
  const panel = useRef<HTMLDivElement>(null)
  const router = useRouter()
  useLayoutEffect(() => {
    const element = panel.current!
    if (!element.matches(':popover-open')) element.showPopover()
    element.querySelector<HTMLElement>('[role=tab][tabindex="0"]')?.focus({ preventScroll: true })
  }, [])
  const close = at.onClose
  useEffect(() => router.subscribe('onBeforeNavigate', () => close()), [router, close])

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = steps[event.key]
    if (by !== undefined) moveToRow(by)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      moveToTab(event.key === 'ArrowRight' ? 1 : -1)
    else return
    event.preventDefault()
    // The page has the same keys.
    event.stopPropagation()
  }

  function moveToRow(by: number): void {
    const rows = [...panel.current!.querySelectorAll<HTMLElement>('[data-row]')]
    // The last one: a row can have rows below it.
    const now = rows.findLastIndex((row) => row.closest('li')!.contains(document.activeElement))
    rows[now < 0 ? (by > 0 ? 0 : rows.length - 1) : now + by]?.focus()
  }

  function moveToTab(by: number): void {
    const now = tabs.findIndex(({ name }) => name === tab)
    const next = tabs[(now + by + tabs.length) % tabs.length]
    if (!next || next.name === tab) return
    onTab(next.name)
    panel.current!.querySelector<HTMLElement>(`#${CSS.escape(`${at.id}-${next.name}`)}`)?.focus()
  }

  return (
    <Popup
      ref={panel}
      id={at.id}
      role="dialog"
      aria-label={label}
      className={classes.panel}
      data-end
      onKeyDown={press}
      onToggle={({ newState }) => newState === 'closed' && close()}
    >
      <Tabs label={label} tabs={tabs} tab={tab} onTab={onTab} id={at.id} action={action} />
      <div
        role="tabpanel"
        id={`${at.id}-panel`}
        aria-labelledby={tab && `${at.id}-${tab}`}
        className={classes.content}
      >
        {children}
      </div>
      {foot && <div className={classes.foot}>{foot}</div>}
    </Popup>
  )
}

function Tabs<Tab extends string>({
  id,
  label,
  tabs,
  tab,
  onTab,
  action,
}: Omit<Props<Tab>, 'at' | 'children' | 'foot'> & { id: string }) {
  return (
    <div className={classes.tabs}>
      <div role="tablist" aria-label={label}>
        {tabs.map(({ name, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={tab === name}
            aria-controls={`${id}-panel`}
            tabIndex={tab === name ? 0 : -1}
            className={classes.tab}
            onClick={() => onTab(name)}
          >
            {name}
            {/* Show the count only if it is above 0 (A §4). */}
            {count > 0 && ` ${count}`}
          </button>
        ))}
      </div>
      {action && <span className={classes.end}>{action}</span>}
    </div>
  )
}

export const PanelRows = ({ children }: { children: ReactNode }) => (
  <ul className={classes.rows}>{children}</ul>
)

interface RowProps {
  icon: ReactNode
  title: string
  when?: ReactNode
  /** Whether `when` is past. */
  isLate?: boolean | undefined
  note?: ReactNode
  isUnread?: boolean
  /** Address of what the row opens, also for another browser tab. */
  to: string
  onOpen: () => void
  /** Buttons of the row. */
  acts?: ReactNode
  /** Shown below the row, such as a form that one of its buttons opened. */
  below?: ReactNode
}

export const PanelRow = ({
  icon,
  title,
  when,
  isLate,
  note,
  isUnread,
  to,
  onOpen,
  acts,
  below,
}: RowProps) => (
  <li>
    <a
      href={to}
      className={classes.link}
      data-row
      data-unread={isUnread || undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onOpen()
      }}
    >
      {icon}
      <span className={classes.title}>{title}</span>
      <span className={classes.when} data-late={isLate || undefined}>
        {when}
      </span>
      {note && <span className={classes.note}>{note}</span>}
    </a>
    {acts && <span className={classes.acts}>{acts}</span>}
    {below && <div className={classes.below}>{below}</div>}
  </li>
)
