import { useState } from 'react'
import { ActionIcon, Menu } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconColumns3 from '@tabler/icons-react/dist/esm/icons/IconColumns3.mjs'
import type { TableColumns } from '#web/list/columns.ts'

export default function ColumnMenu({ columns }: { columns: TableColumns<unknown> }) {
  const [opened, setOpened] = useState(true)
  return (
    <Menu opened={opened} onChange={setOpened} closeOnItemClick={false} position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Columns" title="Columns">
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {columns.all.map((column) => {
          const shown = columns.isShown(column)
          return (
            <Menu.Item
              key={column.id}
              role="menuitemcheckbox"
              aria-checked={shown}
              disabled={column.always === true}
              leftSection={<IconCheck size={14} aria-hidden style={{ visibility: shown ? 'visible' : 'hidden' }} />}
              onClick={() => columns.show(column, !shown)}
            >
              {column.header}
            </Menu.Item>
          )
        })}
        <Menu.Divider />
        <Menu.Item onClick={columns.reset}>Reset columns and widths</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
