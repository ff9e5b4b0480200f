import type { ReactNode } from 'react'
import { Drawer } from '@mantine/core'
import type { MenuGroup } from '#web/shell/menu.ts'
import { Sidebar } from '#web/shell/Sidebar.tsx'
import classes from '#web/shell/Shell.module.css'
import { useDialog } from '#web/parts/useDialog.ts'

/** The menu as a drawer, used when there is no room for it next to the page: below 900 pixels. */
export default function MenuDrawer({
  groups,
  empty,
  onClose,
}: {
  groups: readonly MenuGroup[]
  empty: ReactNode
  onClose: () => void
}) {
  const dialog = useDialog()
  return (
    <Drawer
      {...dialog}
      opened
      onClose={onClose}
      title="Admin Panel"
      size={270}
      classNames={{ body: classes.drawer ?? '' }}
    >
      <Sidebar groups={groups} empty={empty} onGo={onClose} />
    </Drawer>
  )
}
