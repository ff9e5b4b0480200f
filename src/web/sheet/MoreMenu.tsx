import type { ReactNode } from 'react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { IconButton } from '#web/parts/controls.tsx'
import { Menu } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

/** Button in the heading of a sheet for the record's rare actions, which are the items of its menu. */
export function MoreMenu({ children }: { children: ReactNode }) {
  const { props, wanted, at } = useMenuButton()
  return (
    <>
      <IconButton label="More" {...props}>
        <IconDots size={16} stroke={1.5} aria-hidden />
      </IconButton>
      {wanted && (
        <Menu {...at} label="More" end>
          {children}
        </Menu>
      )}
    </>
  )
}
