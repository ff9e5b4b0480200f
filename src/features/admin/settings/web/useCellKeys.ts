import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'

const cells = 'button:not([data-pointer]), input:enabled'

/**
 * Returns props for the frame of a table whose buttons and checkboxes have `tabIndex={-1}`: one of them is a tab
 * stop, and arrow keys move the focus between them. Rows that have nothing in a column are skipped.
 */
export function useCellKeys(): {
  ref: RefObject<HTMLDivElement | null>
  onFocus: (event: FocusEvent) => void
  onKeyDown: (event: KeyboardEvent) => void
} {
  const ref = useRef<HTMLDivElement>(null)
  // Without dependencies: a search can remove the cell that is the tab stop.
  useEffect(() => {
    const frame = ref.current
    if (frame && !frame.querySelector('table [tabindex="0"]'))
      frame.querySelector<HTMLElement>('tbody input:enabled')?.setAttribute('tabindex', '0')
  })
  return {
    ref,
    onFocus: ({ target, currentTarget }) => {
      if (target === currentTarget) return
      for (const other of currentTarget.querySelectorAll('table [tabindex="0"]'))
        other.setAttribute('tabindex', '-1')
      target.setAttribute('tabindex', '0')
    },
    onKeyDown: (event) => {
      const from = event.target as Element
      if (event.ctrlKey || event.metaKey || event.altKey || !from.matches(cells)) return
      const to = neighborOf(from, event.key)
      if (!to) return
      event.preventDefault()
      to.focus()
    },
  }
}

function neighborOf(from: Element, key: string): HTMLElement | undefined {
  const cell = from.closest<HTMLTableCellElement>('td, th')!
  const row = cell.closest('tr')!
  const rows = [...cell.closest('table')!.rows]
  const inColumn = ({ cells: inRow }: HTMLTableRowElement) =>
    inRow[cell.cellIndex]?.querySelector<HTMLElement>(cells) ?? undefined
  const at = rows.indexOf(row)
  if (key === 'ArrowDown') return firstOf(rows.slice(at + 1).map(inColumn))
  if (key === 'ArrowUp') return firstOf(rows.slice(0, at).toReversed().map(inColumn))
  const inRow = [...row.querySelectorAll<HTMLElement>(cells)]
  const position = inRow.indexOf(from as HTMLElement)
  if (key === 'ArrowRight') return inRow[position + 1]
  if (key === 'ArrowLeft') return inRow[position - 1]
  return undefined
}

const firstOf = (found: readonly (HTMLElement | undefined)[]) => found.find((one) => one !== undefined)
