import { useEffect, useSyncExternalStore, useState } from 'react'
import { useFocusBack } from '#web/parts/useFocusBack.ts'

/** Open dialogs, the topmost last. */
let open: readonly symbol[] = []
const listeners = new Set<() => void>()

/**
 * Returns props for a `Modal` or `Drawer` that is mounted when it opens: it handles Escape only while no other dialog is above it, and
 * returns the focus when it closes. Mantine closes all open dialogs with one Escape.
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
