import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconDevices from '@tabler/icons-react/dist/esm/icons/IconDevices.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconMoon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import IconSun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { roles } from '#shared/access.ts'
import { logout } from '#features/session/web/logout.ts'
import { ProfileButton, type ProfileDialog } from '#features/session/web/ProfileMenu.tsx'
import classes from '#features/session/web/ProfileMenu.module.css'
import type { Person } from '#web/session.ts'
import { ClickedMenu } from '#web/shell/ClickedMenu.tsx'

/** What a person does about himself. */
export default function ProfileDropdown({ viewer, name, onChoose }: { viewer: Person; name: string; onChoose: (dialog: ProfileDialog) => void }) {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  return (
    <ClickedMenu position="bottom-end" width={220} target={<ProfileButton name={name} picture={viewer.avatar} />}>
      <Menu.Dropdown>
        <div className={classes.who}>
          <span className={classes.name}>{name}</span>
          <span className={classes.role}>{roles[viewer.role_id].name}</span>
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={15} aria-hidden />} onClick={() => onChoose('profile')}>
          Edit Profile
        </Menu.Item>
        <Menu.Item leftSection={<IconKey size={15} aria-hidden />} onClick={() => onChoose('password')}>
          Change Password
        </Menu.Item>
        <Menu.Item leftSection={<IconDevices size={15} aria-hidden />} onClick={() => onChoose('sessions')}>
          My sessions
        </Menu.Item>
        <Menu.Item
          leftSection={scheme === 'dark' ? <IconSun size={15} aria-hidden /> : <IconMoon size={15} aria-hidden />}
          onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
        >
          {scheme === 'dark' ? 'Light theme' : 'Dark theme'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} aria-hidden />} onClick={() => void logout(() => void navigate({ to: '/login' }))}>
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </ClickedMenu>
  )
}
