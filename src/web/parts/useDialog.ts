import { useEffect, useSyncExternalStore, useState } from 'react'
import { useFocusBack } from '#web/parts/useFocusBack.ts'

/** Open dialogs; the topmost is last. */
let open: readonly symbol[] = []
const listeners = new Set<() => void>()

/**
 * Returns props for a `Modal` or `Drawer` that is mounted when it opens. It closes on Escape only while no
 * other dialog is above it, because Mantine would otherwise close all open dialogs with a single Escape. When
 * it closes, focus moves back to where it was before.
 */
export function useDialog(): { closeOnEscape: boolean } {
  const [id] = useState(() => Symbol('dialog'))
  useFocusBack()
  useEffect(() => {
    setOpen([...open, id])
    return () => setOpen(open.filter((one) => one !== id))
  }, [id])
  const top = useSyncExternalStore(listenToTop, topDialog)
  return { closeOnEscape: top === id }
}

const topDialog = (): symbol | undefined => open.at(-1)

function listenToTop(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setOpen(next: readonly symbol[]): void {
  open = next
  for (const listener of [...listeners]) listener()
}
