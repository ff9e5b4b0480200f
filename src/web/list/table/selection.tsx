import { useState } from 'react'
import { selectedBeforeReload, useKeptSelection } from '#web/list/position/keptPlace.ts'
import classes from '#web/list/table/DataTable.module.css'

export interface Selection {
  has: (id: number) => boolean
  set: (ids: readonly number[], selected: boolean) => void
  clear: () => void
  ids: readonly number[]
  isEmpty: boolean
  /** Whether the whole list is selected, including the rows on other pages. */
  isAll: boolean
  chooseAll: () => void
  /** Takes rows that have left the list out of the selection. */
  drop: (ids: readonly number[]) => void
  /**
   * Selects the whole list as it is after a change of its rows, which it is again identified by, without rows that have
   * left it. Rows that were ticked stay so when the choice of the whole list ends.
   */
  keepAll: (list: string, gone: readonly number[]) => void
  /** The number of rows that `drop` took out since the user last selected one. */
  dropped: number
}

const without = (ids: ReadonlySet<number>, gone: readonly number[]): ReadonlySet<number> =>
  new Set([...ids].filter((id) => !gone.includes(id)))

/**
 * Tracks the selected rows. The selection can span several pages of the list, and is cleared when its scope,
 * such as the product, changes. `list` identifies the whole list by its filters and count; when it changes,
 * or when a checkbox is toggled, "select all" no longer applies.
 */
export function useSelection(scope: unknown, list = ''): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(() => new Set(selectedBeforeReload()?.ids))
  const [allOf, setAllOf] = useState(() => selectedBeforeReload()?.allOf)
  useKeptSelection(ids, allOf)
  const [dropped, setDropped] = useState(0)
  const isAll = allOf === list
  const [chosenIn, setChosenIn] = useState(scope)
  if (chosenIn !== scope) {
    setChosenIn(scope)
    setIds(new Set())
    setAllOf(undefined)
    setDropped(0)
  }
  return {
    has: (id) => isAll || ids.has(id),
    set: (changed, selected) => {
      setAllOf(undefined)
      setDropped(0)
      setIds((before) => {
        const next = new Set(before)
        for (const id of changed)
          if (selected) next.add(id)
          else next.delete(id)
        return next
      })
    },
    clear: () => {
      setAllOf(undefined)
      setDropped(0)
      setIds(new Set())
    },
    ids: [...ids],
    isEmpty: !isAll && ids.size === 0,
    isAll,
    chooseAll: () => setAllOf(list),
    drop: (gone) => {
      setIds((before) => without(before, gone))
      setDropped((before) => before + gone.length)
    },
    keepAll: (changed, gone) => {
      setIds((before) => without(before, gone))
      setAllOf(changed)
    },
    dropped,
  }
}

/* Native checkboxes, because twenty rich ones take longer to render than all of a list's text. */

let lastTicked: HTMLElement | undefined

/** Returns the IDs of all rows from the one toggled last to this one, in the order shown. */
function rangeTo(box: HTMLElement): number[] {
  const rows = [...(box.closest('tbody, ul')?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const [from, to] = [
    rows.findIndex((row) => lastTicked && row.contains(lastTicked)),
    rows.findIndex((row) => row.contains(box)),
  ]
  if (from < 0 || to < 0) return []
  return rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => Number(row.dataset['row']))
}

interface One {
  id: number
  name: string
  selection: Selection
}

export const SelectCell = (row: One) => (
  <td className={classes.selectCell}>
    <SelectBox {...row} className={classes.checkbox} />
  </td>
)

/** Checkbox for selecting a row; with Shift, all rows from the one toggled last. */
export const SelectBox = ({ id, name, selection, className }: One & { className?: string | undefined }) => (
  <input
    type="checkbox"
    className={className}
    aria-label={`Select ${name}`}
    checked={selection.has(id)}
    onChange={(event) => {
      const box = event.currentTarget
      const range = (event.nativeEvent as MouseEvent).shiftKey ? rangeTo(box) : []
      selection.set(range.length ? range : [id], box.checked)
      lastTicked = box
    }}
  />
)

interface All {
  label: string
  /** IDs of the rows on this page. */
  ids: readonly number[]
  selection: Selection
}

export function SelectAllCell(all: All) {
  return (
    <th scope="col" className={classes.selectCell} data-header>
      <SelectAllBox {...all} className={classes.checkbox} />
    </th>
  )
}

/** Checkbox for selecting all rows on a page, or none; indeterminate if only some are selected. */
export function SelectAllBox({ label, ids, selection, className }: All & { className?: string | undefined }) {
  const selected = ids.filter(selection.has).length
  const all = ids.length > 0 && selected === ids.length
  return (
    <input
      type="checkbox"
      className={className}
      aria-label={`Select all ${label.toLowerCase()} on this page`}
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = selected > 0 && !all
      }}
      onChange={() => selection.set(ids, !all)}
    />
  )
}
