import { useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import classes from '#web/parts/Menu.module.css'
import { ownEscape } from '#web/parts/ownEscape.ts'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

/*
 * Menus by the browser's own popover: it puts them above everything, closes them with Escape and by a click elsewhere, and
 * gives the focus back (docs/decisions/009-menus-are-the-browsers.md).
 */

interface Props extends MenuAt {
  label: string
  children: ReactNode
  /** Whether it ends where its button ends; else both begin at the same place. */
  end?: boolean
  /** In px, at least; long names make it wider. */
  width?: number
  /** Whether it stays open when something was chosen. */
  stays?: boolean
}

/** A menu below its button. */
export const Menu = ({ opened, ...open }: Props) => (opened ? <OpenMenu {...open} /> : null)

function OpenMenu({ id, onClose, label, children, end, width = 190, stays }: Omit<Props, 'opened'>) {
  const menu = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = menu.current!
    if (!element.matches(':popover-open')) element.showPopover()
    // On what is chosen now, so that Enter changes nothing.
    const items = itemsOf(element)
    const current = items.find((item) => item.dataset['current'] !== undefined)
    ;(current ?? items[0])?.focus({ preventScroll: current === undefined })
  }, [])

  function choose({ target, currentTarget }: MouseEvent<HTMLDivElement>): void {
    const item = (target as Element).closest('[role^=menuitem]')
    if (item && item.ariaDisabled !== 'true' && !stays) currentTarget.hidePopover()
  }

  return (
    <div
      ref={menu}
      id={id}
      {...ownEscape}
      popover="auto"
      role="menu"
      aria-label={label}
      className={classes.menu}
      data-end={end}
      style={{ minWidth: width }}
      tabIndex={-1}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      onClick={choose}
      onKeyDown={press}
    >
      {children}
    </div>
  )
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]

/** The arrows go round; Home, End and first letters as in every menu; Tab leaves it. */
function press(event: KeyboardEvent<HTMLDivElement>): void {
  const menu = event.currentTarget
  // The focus goes back to the button, and on from there.
  if (event.key === 'Tab') return menu.hidePopover()
  const items = itemsOf(menu)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = nextItem(event, items, at)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function nextItem({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(Math.max(at, 0) - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  return [...items.slice(at + 1), ...items.slice(0, at)].find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}

interface ItemProps {
  children: ReactNode
  onClick: () => void
  icon?: ReactNode
  /** At the other end of the line. */
  mark?: ReactNode
  /** A tick that comes and goes. */
  checked?: boolean
  /** What is chosen now: the menu opens on it. */
  current?: boolean
  /** It cannot be chosen now. */
  disabled?: boolean
  /** Its tip; of one that cannot be chosen, why. */
  title?: string | undefined
}

export const MenuItem = ({ children, onClick, icon, mark, checked, current, disabled, title }: ItemProps) => (
  <button
    {...ownEscape}
    type="button"
    role={checked === undefined ? 'menuitem' : 'menuitemcheckbox'}
    aria-checked={checked}
    aria-disabled={disabled || undefined}
    data-current={current || undefined}
    tabIndex={-1}
    className={classes.item}
    title={title}
    onClick={disabled ? undefined : onClick}
  >
    {icon}
    <span className={classes.words}>{children}</span>
    {mark}
  </button>
)

export const MenuLine = () => <hr className={classes.line} />
