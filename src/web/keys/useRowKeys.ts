import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import type { Selection } from '#web/list/table/selection.tsx'

/** Actions for the focused row, by key, such as `{ s: snooze }`. */
export type RowActs<Row> = Readonly<Record<string, (row: Row) => void>>

interface RowKeyOptions<Row> {
  rowKey: (row: Row) => number
  onOpen: ((row: Row) => void) | undefined
  selection: Selection | undefined
  acts: RowActs<Row> | undefined
  walk?: Walk<Row>
}

/** A walk through rows, of which one is open beside the list. */
interface Walk<Row> {
  /** The open row, where the walk starts if no row has the focus. */
  from: number | undefined
  onStep: (row: Row) => void
  /** Called for a step beyond the first or the last row. */
  onEnd: (by: 1 | -1) => void
}

/**
 * Handles a list's keyboard shortcuts: `j` and `k` move through the rows, `x` selects a row, and Enter opens
 * it, wherever the focus is, except in a field or a dialog. The arrow keys also move through the rows, unless
 * they scroll the list, or the record that is open beside it (`data-pane`). When a row leaves the list, its
 * focus passes to the row that takes its place.
 */
export function useRowKeys<Row>(
  region: RefObject<HTMLElement | null>,
  rows: readonly Row[] | undefined,
  { rowKey, onOpen, selection, acts, walk }: RowKeyOptions<Row>,
): void {
  useKeptFocus(region)

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!rows || event.ctrlKey || event.metaKey || event.altKey || isTypingOrInDialog(event.target)) return
    const elements = rowsIn(region)
    const at = elements.findIndex((element) => element.contains(document.activeElement))
    const row = rows.find((one) => String(rowKey(one)) === elements[at]?.dataset.row)

    const isScrolling =
      document.activeElement === region.current || document.activeElement?.closest('[data-pane]')
    const step = letters[event.key] ?? (isScrolling ? undefined : arrows[event.key])
    if (step !== undefined) {
      const from = at === -1 ? elements.findIndex(({ dataset }) => dataset.row === String(walk?.from)) : at
      const next = elements[from === -1 ? 0 : Math.min(elements.length - 1, Math.max(0, from + step))]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
      const reached = rows.find((one) => String(rowKey(one)) === next?.dataset.row)
      if (from !== -1 && next === elements[from]) walk?.onEnd(step)
      else if (reached) walk?.onStep(reached)
    } else if (event.key === 'x' && row && selection) {
      selection.set([rowKey(row)], !selection.has(rowKey(row)))
    } else if (event.key === 'Enter' && row && document.activeElement === elements[at]) {
      onOpen?.(row)
    } else if (row && acts && Object.hasOwn(acts, event.key)) {
      acts[event.key]?.(row)
    } else return
    event.preventDefault()
  })

  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

const letters: Partial<Record<string, 1 | -1>> = { j: 1, k: -1 }
const arrows: Partial<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

const rowsIn = (region: RefObject<HTMLElement | null>) => [
  ...(region.current?.querySelectorAll<HTMLElement>('[data-row]') ?? []),
]

/**
 * Keeps the focus position when the focused row leaves the list, or is hidden for a moment while a part of the
 * page loads, so that users working through the list can continue where they were.
 */
function useKeptFocus(region: RefObject<HTMLElement | null>): void {
  const holder = useRef<{ row: HTMLElement; at: number }>(undefined)

  useEffect(() => {
    const hold = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
      holder.current =
        row && region.current?.contains(row) ? { row, at: rowsIn(region).indexOf(row) } : undefined
    }
    document.addEventListener('focusin', hold)
    // A press outside the rows gives the focus up, although nothing else may take it.
    document.addEventListener('pointerdown', hold)
    return () => {
      document.removeEventListener('focusin', hold)
      document.removeEventListener('pointerdown', hold)
    }
  }, [region])

  // Runs after every render, and when hidden rows are shown again, because nothing else signals either.
  useLayoutEffect(() => {
    const held = holder.current
    if (!held) return
    const rows = rowsIn(region)
    if (held.row.isConnected) held.at = rows.indexOf(held.row)
    if (document.activeElement === document.body) rows[Math.min(held.at, rows.length - 1)]?.focus()
  })
}

/** Returns whether a key is meant for a field or an open dialog rather than for the page. */
export function isTypingOrInDialog(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null
  if (
    element?.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=listbox], [role=dialog]',
    )
  )
    return true
  return document.querySelector('[role=dialog][aria-modal=true]') !== null
}
