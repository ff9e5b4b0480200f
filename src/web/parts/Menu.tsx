import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import classes from '#web/parts/Menu.module.css'
import { createTypedSearch } from '#web/parts/findTyped.ts'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { Popup } from '#web/parts/Popup.tsx'

/*
 * Menus based on the browser's native popover, which puts them above everything else, closes them on Escape
 * or an outside click, and moves focus back to the button (docs/decisions/009-native-popover-menus.md).
 */

interface Props extends MenuAt {
  label: string
  /** The items; with a search field, those that match what is typed. */
  children: ReactNode | ((typed: string) => ReactNode)
  /** Label of a search field above the items; without one, there is none. */
  searchLabel?: string
  /** Whether the menu is aligned with the end of its button instead of the start. */
  end?: boolean
  /** Minimum width in pixels; long names make the menu wider. */
  width?: number
  /** Whether the menu stays open after an item is chosen. */
  stays?: boolean
}

/** A menu below its button. */
export const Menu = ({ opened, ...open }: Props) => (opened ? <OpenMenu {...open} /> : null)

function OpenMenu({
  id,
  onClose,
  label,
  children,
  searchLabel,
  end,
  width = 190,
  stays,
}: Omit<Props, 'opened'>) {
  const menu = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [findTyped] = useState(createTypedSearch)

  useLayoutEffect(() => {
    const element = menu.current!
    if (!element.matches(':popover-open')) element.showPopover()
    // Focus the current item, so that pressing Enter changes nothing.
    const items = itemsOf(element)
    const current = items.find((item) => item.dataset['current'] !== undefined)
    ;(searchIn(element) ?? current ?? items[0])?.focus({ preventScroll: current === undefined })
  }, [])

  function choose({ target, currentTarget }: MouseEvent<HTMLDivElement>): void {
    const item = (target as Element).closest('[role^=menuitem]')
    if (item && item.ariaDisabled !== 'true' && !stays) currentTarget.hidePopover()
  }

  const items = typeof children === 'function' ? children(typed) : children
  return (
    <Popup
      ref={menu}
      id={id}
      {...stopEscapePropagation}
      role={searchLabel === undefined ? 'menu' : 'dialog'}
      aria-label={label}
      data-end={end}
      style={{ minWidth: width }}
      tabIndex={-1}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      onClick={choose}
      onKeyDown={(event) => press(event, findTyped)}
    >
      {searchLabel === undefined ? (
        items
      ) : (
        <>
          <input
            type="search"
            className={classes.search}
            aria-label={searchLabel}
            placeholder={searchLabel}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <div role="menu" aria-label={label}>
            {items}
          </div>
        </>
      )}
    </Popup>
  )
}

type TypedSearch = ReturnType<typeof createTypedSearch>

const searchIn = (menu: HTMLElement) => menu.querySelector<HTMLInputElement>('input[type=search]')
const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]

/**
 * Handles a menu's keys: the arrow keys wrap around; Home, End, and typed names work as in any menu; Tab
 * leaves the menu.
 */
function press(event: KeyboardEvent<HTMLDivElement>, findTyped: TypedSearch): void {
  const menu = event.currentTarget
  // The focus returns to the button, and Tab moves on from there.
  if (event.key === 'Tab') return menu.hidePopover()
  const items = itemsOf(menu)
  const search = searchIn(menu)
  if (search && pressInSearch(event, search, items)) return
  const at = items.findIndex((item) => item === document.activeElement)
  const next = nextItem(event, items, at, findTyped)
  if (!next) return
  event.preventDefault()
  next.focus()
}

/**
 * Handles the keys of a menu with a search field: typed text belongs there, wherever the focus is, and Enter chooses
 * the first item. Returns false for keys that the items handle.
 */
function pressInSearch(
  event: KeyboardEvent<HTMLDivElement>,
  search: HTMLInputElement,
  items: readonly HTMLElement[],
): boolean {
  const { key, target } = event
  if (key === 'ArrowDown' || key === 'ArrowUp') return false
  if (target !== search) {
    const isTyped = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey
    if (isTyped || key === 'Backspace') search.focus()
    return isTyped
  }
  if (key === 'Enter') {
    event.preventDefault()
    if (search.value.trim() !== '') items[0]?.click()
  }
  return true
}

function nextItem(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  items: readonly HTMLElement[],
  at: number,
  findTyped: TypedSearch,
): HTMLElement | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const names = items.map(({ textContent }) => textContent)
  const found = findTyped(key, names, at)
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(Math.max(at, 0) - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  return items[found ?? -1]
}

interface ItemProps {
  children: ReactNode
  onClick: () => void
  icon?: ReactNode
  /** Content at the opposite end of the item. */
  mark?: ReactNode
  /** Whether the item is checked; undefined for an item that can't be checked. */
  checked?: boolean
  /** Whether the item is the current choice, which gets the focus when the menu opens. */
  current?: boolean
  /** Whether the item cannot be chosen right now. */
  disabled?: boolean
  /** Tooltip; for a disabled item, the reason. */
  title?: string | undefined
}

export const MenuItem = ({ children, onClick, icon, mark, checked, current, disabled, title }: ItemProps) => (
  <button
    {...stopEscapePropagation}
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
