import type { ReactNode } from 'react'
import { Button } from '@mantine/core'
import type { z } from 'zod'
import { useFocusOnTable } from '#web/keys/useFocusOnTable.ts'
import classes from '#web/list/list.module.css'
import { mayTrash, type List, type ListFilters } from '#web/list/useList.ts'
import { useRemove } from '#web/record/useRemove.ts'
import { useViewer } from '#web/session.ts'
import { countText } from '#web/time.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'

interface Props<Row, S extends z.ZodType<ListFilters>> {
  list: List<Row, S>
  /** Called before the rows are moved to the trash; false cancels the action. */
  beforeRemove?: ((ids: readonly number[]) => Promise<boolean>) | undefined
  /** Offers to select all matching rows, including those on other pages, if the actions can change them. */
  canSelectAll?: boolean
  /** Other actions on the rows. */
  children?: ReactNode
}

/** Actions on the selected rows. The bar covers the toolbar, so that no row moves when the first one is selected. */
export function Selected<Row, S extends z.ZodType<ListFilters>>(props: Props<Row, S>) {
  return !props.list.selection.isEmpty && <Bar {...props} />
}

function Bar<Row, S extends z.ZodType<ListFilters>>({
  list,
  beforeRemove,
  canSelectAll = false,
  children,
}: Props<Row, S>) {
  const { selection, definition, rows = [], total = 0 } = list
  const { type } = definition
  const mayRemove = mayTrash(type, useViewer()) && list.mayRemoveSelected && !selection.isAll
  const many = type ? recordTypes[type].many : 'rows'
  useFocusOnTable()
  const wholePage = rows.length > 0 && rows.every((row) => selection.has(definition.rowKey(row)))
  return (
    <div className={classes.bulk} role="group" aria-label="Selected rows" data-palette-part="Selected rows">
      <span aria-live="polite">
        {selection.isAll
          ? `All ${countText(total)} matching ${many} selected`
          : `${countText(selection.ids.length)} selected${leftText(selection.dropped)}`}
      </span>
      {canSelectAll && wholePage && !selection.isAll && !list.isCapped && total > selection.ids.length && (
        <Button size="compact-xs" variant="subtle" onClick={selection.chooseAll}>
          Select all {countText(total)} matching {many}
        </Button>
      )}
      {children}
      {type && mayRemove && <RemoveButton type={type} list={list} beforeRemove={beforeRemove} />}
      <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
        Clear selection
      </Button>
    </div>
  )
}

/** Says how many of the changed rows have left the list. */
const leftText = (dropped: number): string =>
  dropped === 0 ? '' : `, ${countText(dropped)} no longer ${dropped === 1 ? 'matches' : 'match'}`

function RemoveButton<Row, S extends z.ZodType<ListFilters>>({
  type,
  list: { selection },
  beforeRemove,
}: Pick<Props<Row, S>, 'list' | 'beforeRemove'> & { type: RecordType }) {
  const { remove, removing } = useRemove(type, { onDone: selection.clear })

  async function removeThem(): Promise<void> {
    if (!beforeRemove || (await beforeRemove(selection.ids))) remove(selection.ids)
  }

  return (
    <Button
      size="compact-xs"
      variant="default"
      color="red"
      loading={removing}
      onClick={() => void removeThem()}
    >
      Move to trash
    </Button>
  )
}
