import { Suspense, useEffect, useState } from 'react'
import { forgetViewer } from '#web/record/forgetViewer.ts'
import { onSessionLost } from '#web/api/session-lost.ts'
import { pauseInTyping } from '#web/keys/pauseInTyping.ts'
import { clearAfterLogout, clearBeforeLogout } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

interface Props {
  /** Opens the login page, which returns to the current page after sign-in. */
  onGiveUp: () => void
  /**
   * Called when a different user has signed in, because the data on the screen doesn't belong to that user.
   */
  onOtherUser: () => void
}

const SignInAgainDialog = lazyPart(() => import('#features/panel/session/web/SignInAgainDialog.tsx'))

/**
 * Dialog shown when a session ends while the user is working, at the next pause in typing: they sign in again without leaving the page,
 * and rejected requests are sent again (docs/spec-gaps.md G145).
 */
export function SignInAgain({ onGiveUp, onOtherUser }: Props) {
  const [asked, setAsked] = useState<{ answer: (again: boolean) => void }>()

  useEffect(
    () =>
      onSessionLost(async () => {
        await pauseInTyping()
        return new Promise((resolve) => setAsked({ answer: resolve }))
      }),
    [],
  )

  if (!asked) return null

  function close(again: boolean): void {
    setAsked(undefined)
    asked?.answer(again)
  }

  function signedIn(isSamePerson: boolean): void {
    if (!isSamePerson) forgetViewer()
    close(isSamePerson)
    if (!isSamePerson) onOtherUser()
  }

  function giveUp(): void {
    clearBeforeLogout()
    clearAfterLogout()
    onGiveUp()
    close(false)
    forgetViewer()
  }

  return (
    <Suspense>
      <SignInAgainDialog onSignedIn={signedIn} onClose={giveUp} />
    </Suspense>
  )
}
