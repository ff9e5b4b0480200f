import { Menu } from '@mantine/core'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import type { TableColumns } from '#web/list/columns.ts'
import { ClickedMenu } from '#web/shell/ClickedMenu.tsx'
import { IconButton } from '#web/shell/controls.tsx'

/** The columns that can be hidden, each with a tick; the one that names the row cannot. */
export default function ColumnMenu({ columns }: { columns: TableColumns<unknown> }) {
  return (
    <ClickedMenu
      position="bottom-end"
      closeOnItemClick={false}
      target={
        <IconButton label="Columns">
          <IconColumns3 size={16} aria-hidden />
        </IconButton>
      }
    >
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {columns.all
          .filter(({ always }) => !always)
          .map((column) => (
            <Menu.CheckboxItem key={column.id} checked={columns.isShown(column)} onChange={(shown) => columns.show(column, shown)}>
              {column.header}
            </Menu.CheckboxItem>
          ))}
        <Menu.Divider />
        <Menu.Item onClick={columns.reset}>Reset columns and widths</Menu.Item>
      </Menu.Dropdown>
    </ClickedMenu>
  )
}
