import type { ReactNode } from 'react'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import { IconButton } from '#web/parts/controls.tsx'
import { Menu } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

interface Props {
  /** The part of the page that the actions are for, such as a contact; by default, the record itself. */
  of?: string
  /** The items. */
  children: ReactNode
}

/** Button for rare actions, which are the items of its menu: in the heading of a sheet, or for a part of it. */
export function MoreMenu({ of, children }: Props) {
  const { props, wanted, at } = useMenuButton()
  const label = of === undefined ? 'More' : `More actions for ${of}`
  return (
    <>
      <IconButton label={label} bare={of !== undefined} {...props}>
        <IconDots size={16} stroke={1.5} aria-hidden />
      </IconButton>
      {wanted && (
        <Menu {...at} label={label} end>
          {children}
        </Menu>
      )}
    </>
  )
}
