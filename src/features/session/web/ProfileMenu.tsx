import { lazy, Suspense, useState, type ComponentProps } from 'react'
import classes from '#features/session/web/ProfileMenu.module.css'
import { StaffAvatar } from '#features/session/web/StaffAvatar.tsx'
import { useViewer } from '#web/session.ts'
import { loadChunk } from '#web/shell/lazy.tsx'

const dialogs = {
  profile: lazy(() => loadChunk(() => import('#features/session/web/EditProfile.tsx'))),
  password: lazy(() => loadChunk(() => import('#features/session/web/ChangePassword.tsx'))),
  sessions: lazy(() => loadChunk(() => import('#features/session/web/MySessions.tsx'))),
}
export type ProfileDialog = keyof typeof dialogs

const ProfileDropdown = lazy(() => loadChunk(() => import('#features/session/web/ProfileDropdown.tsx')))

/** Who is signed in; the menu is loaded on the first click. */
export function ProfileMenu() {
  const viewer = useViewer()
  const [isWanted, setIsWanted] = useState(false)
  const [dialog, setDialog] = useState<ProfileDialog>()
  if (!viewer) return null

  const name = `${viewer.firstName} ${viewer.lastName}`.trim()
  const button = <ProfileButton name={name} picture={viewer.avatar} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsWanted(true)} />
  const Dialog = dialog && dialogs[dialog]
  return (
    <>
      {isWanted ? (
        <Suspense fallback={button}>
          <ProfileDropdown viewer={viewer} name={name} onChoose={setDialog} />
        </Suspense>
      ) : (
        button
      )}
      {Dialog && (
        <Suspense>
          <Dialog onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  )
}

export function ProfileButton({ name, picture, ...rest }: { name: string; picture: string | null } & ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={classes.button} aria-label={`Profile of ${name}`} title={name}>
      <StaffAvatar name={name} picture={picture} />
    </button>
  )
}
