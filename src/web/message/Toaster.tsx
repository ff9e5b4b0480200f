import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '#web/shell/lazy.tsx'
import { hasToasts, listenForToasts } from '#web/message/toast.ts'

const Toasts = lazyPart(() => import('#web/message/Toasts.tsx'))

/** Placeholder for toasts; their code loads with the first one. */
export function Toaster() {
  const isWanted = useSyncExternalStore(listenForToasts, hasToasts)
  return isWanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null
}
