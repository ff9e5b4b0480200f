import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '#web/shell/lazy.tsx'
import { hasToasts, listenForToasts } from '#web/shell/toast.ts'

const Toasts = lazyPart(() => import('#web/shell/Toasts.tsx'))

/** The place of toasts; what shows them is loaded with the first. */
export function Toaster() {
  const isWanted = useSyncExternalStore(listenForToasts, hasToasts)
  return isWanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null
}
