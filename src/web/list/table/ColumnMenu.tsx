import type { TableColumns } from '#web/list/columns.ts'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

const mostUnsearched = 20

/**
 * Menu for showing and hiding columns, except the one that names the row, and for setting the row density.
 */
export default function ColumnMenu({ columns, at }: { columns: TableColumns<unknown>; at: MenuAt }) {
  return (
    <Menu
      {...at}
      label="Columns"
      end
      width={220}
      stays
      {...(columns.all.length > mostUnsearched && { searchLabel: 'Search columns' })}
    >
      {(typed) => (
        <>
          {columns.all
            .filter(({ always, header }) => !always && header.toLowerCase().includes(typed.toLowerCase()))
            .map((column) => {
              const isShown = columns.isShown(column)
              return (
                <MenuItem key={column.id} checked={isShown} onClick={() => columns.show(column, !isShown)}>
                  {column.header}
                </MenuItem>
              )
            })}
          <MenuLine />
          <MenuItem checked={columns.isCompact} onClick={() => columns.setCompact(!columns.isCompact)}>
            Compact rows
          </MenuItem>
          <MenuItem onClick={columns.reset}>Reset columns and widths</MenuItem>
        </>
      )}
    </Menu>
  )
}
