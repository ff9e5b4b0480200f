import { lazy, Suspense, useEffect } from 'react'
import { loadChunk } from '#web/shell/lazy.tsx'
import { messageBoxMs, useMessage } from '#web/shell/messages.ts'

const MessageDialog = lazy(() => loadChunk(() => import('#web/shell/MessageDialog.tsx')))

/** Says one thing at a time. It closes itself after 3000 ms unless confirmation is needed; then it has a Proceed button (A §2). */
export function MessageBox() {
  const message = useMessage()

  useEffect(() => {
    if (!message || message.needsConfirmation) return
    const timer = setTimeout(() => message.answer(false), messageBoxMs)
    return () => clearTimeout(timer)
  }, [message])

  if (!message) return null
  return (
    <Suspense>
      <MessageDialog message={message} />
    </Suspense>
  )
}
