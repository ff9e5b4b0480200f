import { Suspense, useEffect, useState, type ComponentType } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { mentions } from '#features/panel/mentions/contract.ts'
import classes from '#features/panel/session/web/ProfileMenu.module.css'
import { StaffAvatar } from '#features/panel/session/web/StaffAvatar.tsx'
import { queryOptionsFor, keyOf } from '#web/api/client.ts'
import { listen } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useAfterDelay } from '#web/parts/useAfterDelay.ts'
import { useMenuButton } from '#web/parts/useMenuButton.ts'

const dialogs = {
  profile: lazyPart(() => import('#features/panel/session/web/EditProfile.tsx')),
  password: lazyPart(() => import('#features/panel/session/web/ChangePassword.tsx')),
  sessions: lazyPart(() => import('#features/panel/session/web/MySessions.tsx')),
}
export type ProfileDialog = keyof typeof dialogs | 'mentions'

const ProfileDropdown = lazyPart(() => import('#features/panel/session/web/ProfileDropdown.tsx'))

interface Props {
  /** The dialog with the viewer's mentions. */
  Mentions: ComponentType<{ onClose: () => void }>
}

/** The signed-in user's name, with a menu that loads on the first click. */
export function ProfileMenu({ Mentions }: Props) {
  const viewer = useViewer()
  const { props, wanted, at } = useMenuButton()
  const [dialog, setDialog] = useState<ProfileDialog>()
  const isLate = useAfterDelay()
  const unread = useUnreadMentions(viewer?.id, isLate || wanted)
  if (!viewer) return null

  const name = `${viewer.firstName} ${viewer.lastName}`.trim()
  const Dialog = dialog === 'mentions' ? Mentions : dialog && dialogs[dialog]
  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-label={unread > 0 ? `Profile of ${name}, ${mentionsText(unread)}` : `Profile of ${name}`}
        title={name}
        {...props}
      >
        <StaffAvatar name={name} picture={viewer.avatar} />
        {unread > 0 && <span className={classes.dot} aria-hidden />}
      </button>
      {wanted && (
        <Suspense>
          <ProfileDropdown viewer={viewer} name={name} at={at} mentions={unread} onChoose={setDialog} />
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

const mentionsText = (count: number) => (count === 1 ? '1 new mention' : `${count} new mentions`)

/** Returns the number of unread mentions, updated by live events. */
function useUnreadMentions(id: number | undefined, asks: boolean): number {
  const queries = useQueryClient()
  useEffect(() => {
    if (id === undefined || !asks) return
    return listen(
      `private-staff.${id}`,
      'mentions',
      () => void queries.invalidateQueries({ queryKey: keyOf(mentions.list) }),
    )
  }, [id, asks, queries])
  return useQuery({ ...queryOptionsFor(mentions.list), enabled: asks && id !== undefined }).data?.unread ?? 0
}
