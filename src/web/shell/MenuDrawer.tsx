import { Drawer } from '@mantine/core'
import type { MenuGroup } from '#web/shell/menu.ts'
import { Sidebar } from '#web/shell/Sidebar.tsx'
import classes from '#web/shell/Shell.module.css'
import { useFocusBack } from '#web/shell/useFocusBack.ts'

/** The menu where there is no room beside the page: below 900 pixels. */
export default function MenuDrawer({ groups, onClose }: { groups: readonly MenuGroup[]; onClose: () => void }) {
  useFocusBack()
  return (
    <Drawer opened onClose={onClose} title="Admin Panel" size={270} classNames={{ body: classes.drawer ?? '' }}>
      <Sidebar groups={groups} onGo={onClose} />
    </Drawer>
  )
}
