import { useEffect, useSyncExternalStore, useState } from 'react'
import { useFocusBack } from '#web/parts/useFocusBack.ts'

/** The dialogs that are open, the last one on top. */
let open: readonly symbol[] = []
const listeners = new Set<() => void>()

/**
 * Spread on a `Modal` or `Drawer` that is mounted when it opens: it takes Escape only while no other dialog stands over it, and
 * gives the focus back when it goes. Mantine closes every open dialog by one Escape.
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
