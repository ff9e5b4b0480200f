import { Suspense, useState } from 'react'
import classes from '#features/panel/session/web/ProfileMenu.module.css'
import { Avatar } from '#web/Avatar.tsx'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const dialogs = {
  profile: lazyPart(() => import('#features/panel/session/web/EditProfile.tsx')),
  password: lazyPart(() => import('#features/panel/session/web/ChangePassword.tsx')),
  address: lazyPart(() => import('#features/panel/session/web/SendingAddress.tsx')),
  calendar: lazyPart(() => import('#features/panel/session/web/CalendarFeed.tsx')),
  away: lazyPart(() => import('#features/panel/session/web/MyAbsence.tsx')),
  sessions: lazyPart(() => import('#features/panel/session/web/MySessions.tsx')),
}
export type ProfileDialog = keyof typeof dialogs

const ProfileDropdown = lazyPart(() => import('#features/panel/session/web/ProfileDropdown.tsx'))

/** The signed-in user's name, with a menu that loads on the first click. */
export function ProfileMenu() {
  const viewer = useViewer()
  const { props, wanted, at } = useMenuButton()
  const [dialog, setDialog] = useState<ProfileDialog>()
  if (!viewer) return null

  const name = `${viewer.firstName} ${viewer.lastName}`.trim()
  const Dialog = dialog && dialogs[dialog]
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-label={`Profile of ${name}`}
        title={name}
        {...props}
      >
        <Avatar name={name} picture={viewer.avatar} />
      </button>
      {wanted && (
        <Suspense>
          <ProfileDropdown viewer={viewer} name={name} at={at} onChoose={setDialog} />
        </Suspense>
      )}
      {Dialog && (
        <Suspense>
          <Dialog onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  )
}
