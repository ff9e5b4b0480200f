import '#web/styles/signed-in.ts'
import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { menu } from '#app/browser/menu.ts'
import { callDraft } from '#features/crm/leads/calls/draft.ts'
import { Bell } from '#features/panel/bell/web/Bell.tsx'
import { ChatButton } from '#features/panel/chat/web/ChatButton.tsx'
import { NoticesButton } from '#features/panel/notices/web/NoticesButton.tsx'
import { ProfileMenu } from '#features/panel/session/web/ProfileMenu.tsx'
import { useOrganizationReminders } from '#features/crm/organizations/web/useOrganizationReminders.tsx'
import { useDueToasts } from '#features/crm/quick-tasks/web/useDueToasts.tsx'
import { useReminderToasts } from '#features/crm/leads/follow-ups/web/useReminderToasts.tsx'
import { SignInAgain } from '#features/panel/session/web/SignInAgain.tsx'
import { TaskDetailsHost } from '#features/tasks/tasks/web/TaskDetailsHost.tsx'
import { useRights } from '#features/panel/session/web/useRights.ts'
import { followChanges } from '#web/api/followChanges.ts'
import { queries } from '#web/api/queries.ts'
import { forgetViewer } from '#web/record/forgetViewer.ts'
import { openLive } from '#web/live.ts'
import { useAfterLoad } from '#web/parts/useAfterLoad.ts'
import { draftPrefix, useViewer } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { Shell } from '#web/shell/Shell.tsx'

const RunningCall = lazyPart(() => import('#features/crm/leads/calls/web/RunningCall.tsx'))

/** The panel as shown after sign-in: the shell and everything that the features add to it. */
export function Panel() {
  const viewer = useViewer()
  const navigate = useNavigate()
  const router = useRouter()
  const viewerId = viewer?.id

  const goToLogin = () => void navigate({ to: '/login', search: { from: router.state.location.href } })
  // If the viewer signs out in another tab, this tab goes to the login page too.
  const leave = useEffectEvent(() => {
    if (router.latestLocation.pathname !== '/login') void navigate({ to: '/login' })
  })

  useRights(viewerId)
  useReminderToasts(viewerId)
  useDueToasts(viewerId)
  useOrganizationReminders(viewerId)
  const answered = useRef(viewerId)
  useEffect(() => {
    if (answered.current !== viewerId) forgetViewer()
    answered.current = viewerId
  }, [viewerId])
  useEffect(() => {
    if (viewerId === undefined) return leave()
    const stops = [openLive(), followChanges(queries)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [viewerId])

  return (
    <>
      <Shell menu={menu} tools={<Tools />} searches={searches} />
      <TaskDetailsHost />
      <SignInAgain onGiveUp={goToLogin} onOtherUser={() => void navigate({ to: '/dashboard' })} />
    </>
  )
}

const searches = async () => (await import('#app/browser/palette.ts')).loadSearches()

/** Returns whether the browser has a call with a lead that isn't logged yet; looked up when another page opens. */
function useHasCall(): boolean {
  useRouterState({ select: ({ location }) => location.pathname })
  return Object.keys(localStorage).some((key) => key.startsWith(draftPrefix + callDraft('')))
}

function Tools() {
  // For all of them at the same moment, so that their counts come in one request.
  const isLoaded = useAfterLoad()
  const hasCall = useHasCall()
  return (
    <>
      {isLoaded && hasCall && (
        <Suspense>
          <RunningCall />
        </Suspense>
      )}
      <Bell isLoaded={isLoaded} />
      <NoticesButton isLoaded={isLoaded} />
      <ChatButton isLoaded={isLoaded} />
      <ProfileMenu />
    </>
  )
}
