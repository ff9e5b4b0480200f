import { Suspense, useEffect, useState } from 'react'
import { isTypingOrInDialog } from '#web/keys/useRowKeys.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const KeyList = lazyPart(() => import('#web/keys/KeyList.tsx'))

/** List of keyboard shortcuts, opened with `?`. */
export function KeyHelp() {
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTypingOrInDialog(event.target)) setOpened(true)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])

  return opened ? (
    <Suspense>
      <KeyList onClose={() => setOpened(false)} />
    </Suspense>
  ) : null
}
