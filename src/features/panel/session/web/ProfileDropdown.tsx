import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { roles } from '#shared/access.ts'
import { logout } from '#features/panel/session/web/logout.ts'
import type { ProfileDialog } from '#features/panel/session/web/ProfileMenu.tsx'
import classes from '#features/panel/session/web/ProfileMenu.module.css'
import type { Person } from '#web/session.ts'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

/** Menu for the viewer's own account. */
export default function ProfileDropdown({
  viewer,
  name,
  at,
  mentions,
  onChoose,
}: {
  viewer: Person
  name: string
  at: MenuAt
  /** Number of unread mentions. */
  mentions: number
  onChoose: (dialog: ProfileDialog) => void
}) {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <Menu {...at} label={`Profile of ${name}`} end width={220}>
      <div className={classes.who}>
        <span className={classes.name}>{name}</span>
        <span className={classes.role}>{roles[viewer.role_id].name}</span>
      </div>
      <MenuLine />
      <MenuItem icon={<IconUser size={15} aria-hidden />} onClick={() => onChoose('profile')}>
        Edit Profile
      </MenuItem>
      <MenuItem icon={<IconKey size={15} aria-hidden />} onClick={() => onChoose('password')}>
        Change Password
      </MenuItem>
      <MenuItem
        icon={<IconAt size={15} aria-hidden />}
        mark={
          mentions > 0 && (
            <span className={classes.count}>
              {mentions}
              <VisuallyHidden> new</VisuallyHidden>
            </span>
          )
        }
        onClick={() => onChoose('mentions')}
      >
        Mentions
      </MenuItem>
      <MenuItem icon={<IconDevices size={15} aria-hidden />} onClick={() => onChoose('sessions')}>
        My sessions
      </MenuItem>
      <MenuItem
        icon={scheme === 'dark' ? <IconSun size={15} aria-hidden /> : <IconMoon size={15} aria-hidden />}
        onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
      >
        {scheme === 'dark' ? 'Light theme' : 'Dark theme'}
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<IconLogout size={15} aria-hidden />}
        onClick={() => void logout(() => void navigate({ to: '/login' }))}
      >
        Logout
      </MenuItem>
    </Menu>
  )
}
