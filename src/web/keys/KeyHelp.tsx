import { Suspense, useEffect, useState } from 'react'
import { onOpenKeyHelp } from '#web/keys/openKeyHelp.ts'
import { isTypingOrInDialog } from '#web/keys/useRowKeys.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const KeyList = lazyPart(() => import('#web/keys/KeyList.tsx'))

interface Props {
  /** Pages that G and a letter open. */
  goLinks: readonly { key: string; label: string }[]
}

/** List of keyboard shortcuts, opened with `?`. */
export function KeyHelp({ goLinks }: Props) {
  const [opened, setOpened] = useState(false)

  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTypingOrInDialog(event.target)) setOpened(true)
    }
    document.addEventListener('keydown', open)
    const forget = onOpenKeyHelp(() => setOpened(true))
    return () => {
      document.removeEventListener('keydown', open)
      forget()
    }
  }, [])

  return opened ? (
    <Suspense>
      <KeyList goLinks={goLinks} onClose={() => setOpened(false)} />
    </Suspense>
  ) : null
}
