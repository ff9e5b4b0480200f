import { useEffect, useEffectEvent, type RefObject } from 'react'
import type { Selection } from '#web/list/selection.tsx'

interface Doing<Row> {
  rowKey: (row: Row) => number
  onOpen: ((row: Row) => void) | undefined
  selection: Selection | undefined
}

/** `j` and `k` move through the rows, `x` selects, Enter opens, wherever on the page the focus is, except in a field or a dialog. */
export function useRowKeys<Row>(region: RefObject<HTMLElement | null>, rows: readonly Row[] | undefined, { rowKey, onOpen, selection }: Doing<Row>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!rows || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
    const elements = [...(region.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const at = elements.findIndex((element) => element.contains(document.activeElement))
    const row = rows.find((one) => String(rowKey(one)) === elements[at]?.dataset.row)

    if (event.key === 'j' || event.key === 'k') {
      const next = elements[Math.min(elements.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : at === -1 ? 1 : -1)))]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'x' && row && selection) {
      selection.set([rowKey(row)], !selection.has(rowKey(row)))
    } else if (event.key === 'Enter' && row && document.activeElement === elements[at]) {
      onOpen?.(row)
    } else return
    event.preventDefault()
  })

  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

/** Whether a key belongs to a field or an open dialog rather than to the page. */
export function isElsewhere(target: EventTarget | null): boolean {
  const element = target instanceof HTMLElement ? target : null
  if (element?.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=listbox]')) return true
  return document.querySelector('[role=dialog][aria-modal=true]') !== null
}
