import { Suspense, useEffect, useState } from 'react'
import { queries } from '#web/api/queries.ts'
import { onSessionLost } from '#web/api/session-lost.ts'
import { clearAfterLogout, clearBeforeLogout } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

interface Props {
  /** Goes to the login page, which remembers the current page. */
  onGiveUp: () => void
  /** Another person signed in: nothing on the screen is theirs. */
  onOtherUser: () => void
}

const SignInAgainDialog = lazyPart(() => import('#features/panel/session/web/SignInAgainDialog.tsx'))

/** Dialog for a session that ended during work: sign in again in place, and refused requests are repeated (docs/spec-gaps.md G145). */
export function SignInAgain({ onGiveUp, onOtherUser }: Props) {
  const [asked, setAsked] = useState<{ answer: (again: boolean) => void }>()

  useEffect(() => onSessionLost(() => new Promise((resolve) => setAsked({ answer: resolve }))), [])

  if (!asked) return null

  function close(again: boolean): void {
    setAsked(undefined)
    asked?.answer(again)
  }

  function signedIn(isSamePerson: boolean): void {
    if (!isSamePerson) queries.clear()
    close(isSamePerson)
    if (!isSamePerson) onOtherUser()
  }

  function giveUp(): void {
    clearBeforeLogout()
    clearAfterLogout()
    onGiveUp()
    close(false)
    queries.clear()
  }

  return (
    <Suspense>
      <SignInAgainDialog onSignedIn={signedIn} onClose={giveUp} />
    </Suspense>
  )
}
