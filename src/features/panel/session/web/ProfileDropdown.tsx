import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconBeach from '@tabler/icons-react/dist/esm/icons/IconBeach.mjs'
import IconCalendarShare from '@tabler/icons-react/dist/esm/icons/IconCalendarShare.mjs'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconKeyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconPalette from '@tabler/icons-react/dist/esm/icons/IconPalette.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { roles } from '#shared/access.ts'
import { absences, awayText } from '#shared/away.contract.ts'
import { session } from '#features/panel/session/contract.ts'
import { logout } from '#features/panel/session/web/logout.ts'
import type { ProfileDialog } from '#features/panel/session/web/ProfileMenu.tsx'
import classes from '#features/panel/session/web/ProfileMenu.module.css'
import { Avatar } from '#web/Avatar.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { openKeyHelp } from '#web/keys/openKeyHelp.ts'
import type { Person } from '#web/session.ts'
import { Menu, MenuItem, MenuLine } from '#web/parts/Menu.tsx'
import type { MenuAt } from '#web/parts/useMenuButton.ts'

interface Props {
  viewer: Person
  name: string
  at: MenuAt
  onChoose: (dialog: ProfileDialog) => void
}

/** Menu for the viewer's own account. */
export default function ProfileDropdown({ viewer, name, at, onChoose }: Props) {
  const navigate = useNavigate()
  const sessions = useQuery({ ...queryOptionsFor(session.mySessions), enabled: at.opened })
  const count = sessions.data?.data.length
  const absence = useQuery({
    ...queryOptionsFor(absences.show, { params: { id: viewer.id } }),
    enabled: at.opened,
  })
  const away = absence.data?.data
  return (
    <Menu {...at} label={`Profile of ${name}`} end width={264}>
      <div className={classes.who}>
        <Avatar name={name} picture={viewer.avatar} size={32} />
        <span className={classes.names}>
          <span className={classes.name}>{name}</span>
          <span className={classes.role}>{roles[viewer.role_id].name}</span>
        </span>
      </div>
      <MenuLine />
      <MenuItem icon={<IconUser size={16} aria-hidden />} onClick={() => onChoose('profile')}>
        Edit Profile
      </MenuItem>
      <MenuItem icon={<IconKey size={16} aria-hidden />} onClick={() => onChoose('password')}>
        Change Password
      </MenuItem>
      <MenuItem icon={<IconMail size={16} aria-hidden />} onClick={() => onChoose('address')}>
        Sending address
      </MenuItem>
      <MenuItem icon={<IconCalendarShare size={16} aria-hidden />} onClick={() => onChoose('calendar')}>
        Calendar feed
      </MenuItem>
      <MenuItem icon={<IconBeach size={16} aria-hidden />} onClick={() => onChoose('away')}>
        {away ? awayText(away) : 'Set as away'}
      </MenuItem>
      <MenuItem
        icon={<IconDevices size={16} aria-hidden />}
        mark={count !== undefined && <span className={classes.mark}>{count}</span>}
        onClick={() => onChoose('sessions')}
      >
        My sessions
      </MenuItem>
      <MenuLine />
      <Theme />
      <MenuItem
        icon={<IconKeyboard size={16} aria-hidden />}
        mark={<span className={classes.mark}>?</span>}
        onClick={openKeyHelp}
      >
        Keyboard shortcuts
      </MenuItem>
      <MenuLine />
      <MenuItem
        icon={<IconLogout size={16} aria-hidden />}
        onClick={() => void logout(() => void navigate({ to: '/login' }))}
      >
        Logout
      </MenuItem>
    </Menu>
  )
}

const themes = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconDeviceDesktop],
] as const

/** The choice of the theme. The menu stays open, so that the user sees the result. */
function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className={classes.theme} role="group" aria-label="Theme">
      <IconPalette size={16} aria-hidden />
      <span>Theme</span>
      <span className={classes.themes}>
        {themes.map(([scheme, label, Icon]) => (
          <button
            key={scheme}
            type="button"
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            aria-label={label}
            title={label}
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation()
              setColorScheme(scheme)
            }}
          >
            <Icon size={14} aria-hidden />
          </button>
        ))}
      </span>
    </div>
  )
}
