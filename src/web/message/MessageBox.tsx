import { Suspense } from 'react'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useMessage } from '#web/message/messages.ts'

const MessageDialog = lazyPart(() => import('#web/message/MessageDialog.tsx'))

/**
 * Box that shows one message at a time. It closes after 3000 ms unless confirmation is needed, in which case
 * it has a Proceed button (A §2).
 */
export function MessageBox() {
  const message = useMessage()
  if (!message) return null
  return (
    <Suspense>
      <MessageDialog message={message} />
    </Suspense>
  )
}
