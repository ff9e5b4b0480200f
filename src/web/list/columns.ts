import type { ReactNode } from 'react'
import { useLocalStorage } from '@mantine/hooks'
import { shownValue, type Fields, type ListColumn } from '#shared/field.ts'
import { personalKey } from '#web/session.ts'

/** A table column, declared at module scope. */
export interface Column<Row> extends ListColumn {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** Whether it is a field that users have defined: its header has a mark, and a view shows it only if it names it. */
  isCustom?: true
  /** The cell's full text, shown as a tooltip because the cell may cut it off. */
  title?: (row: Row) => string | null | undefined
}

/**
 * Returns the columns of a record type's fields, in their order. `parts` has what a page shows differently,
 * such as cells with a link; all other cells are text.
 */
export const columnsOfFields = <Row extends object, F extends Fields>(
  fields: F,
  parts: { readonly [Name in keyof F]?: Partial<Column<Row>> },
): readonly Column<Row>[] => {
  const columns: Column<Row>[] = []
  const isPlaced = (name: string) => fields[name]!.list?.after !== undefined
  const names = Object.keys(fields)
  // Columns that come after others are placed when those are there.
  for (const name of [...names.filter((one) => !isPlaced(one)), ...names.filter(isPlaced)]) {
    const { label, list } = fields[name]!
    if (!list) continue
    const cell = (row: Row) => shownValue(fields, name, row) as ReactNode
    const text = { cell, title: (row: Row) => titleOf(cell(row)) }
    const after = columns.findIndex(({ id }) => id === list.after)
    const column = {
      id: name,
      header: label,
      ...(parts[name]?.cell ? { cell } : text),
      ...list,
      ...parts[name],
    }
    columns.splice(after < 0 ? columns.length : after + 1, 0, column)
  }
  return columns
}
const titleOf = (shown: ReactNode) => (typeof shown === 'string' ? shown : undefined)

interface Layout {
  hidden: Record<string, boolean>
  widths: Record<string, number>
}

export interface TableColumns<Row> {
  all: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  isShown: (column: Column<Row>) => boolean
  show: (column: Column<Row>, shown: boolean) => void
  /** Hides columns or shows them by their IDs; all others are as at first. */
  arrange: (hidden: Record<string, boolean>) => void
  widthOf: (column: Column<Row>) => number
  resize: (column: Column<Row>, width: number) => void
  reset: () => void
  /** Whether rows are displayed more densely, in all of this user's tables. */
  isCompact: boolean
  setCompact: (isCompact: boolean) => void
}

const narrowest = 60
const nothingChanged: Layout = { hidden: {}, widths: {} }

/**
 * Returns a table's columns as the user arranged them: which columns are shown, and how wide they are. `name`
 * is the table's name.
 */
export function useTableColumns<Row>(name: string, all: readonly Column<Row>[]): TableColumns<Row> {
  const [layout, setLayout] = useLocalStorage<Layout>({
    key: personalKey(`table-${name}`),
    defaultValue: nothingChanged,
    getInitialValueInEffect: false,
  })
  const [isCompact, setCompact] = useLocalStorage({
    key: personalKey('compact-rows'),
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isShown = (column: Column<Row>) =>
    column.always === true || !(layout.hidden[column.id] ?? column.hiddenAtFirst === true)

  return {
    all,
    shown: all.filter(isShown),
    isShown,
    show: (column, shown) =>
      setLayout((before) => ({ ...before, hidden: { ...before.hidden, [column.id]: !shown } })),
    arrange: (hidden) => setLayout((before) => ({ ...before, hidden })),
    widthOf: (column) => layout.widths[column.id] ?? column.width,
    resize: (column, width) =>
      setLayout((before) => ({
        ...before,
        widths: { ...before.widths, [column.id]: Math.max(narrowest, Math.round(width)) },
      })),
    reset: () => setLayout(nothingChanged),
    isCompact,
    setCompact,
  }
}
