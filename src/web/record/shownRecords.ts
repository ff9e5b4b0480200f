import { useEffect, useSyncExternalStore } from 'react'

/** A record that is on the screen: on its page, or beside or above another page. */
export interface ShownRecord {
  type: string
  id: number
}

let shown: readonly ShownRecord[] = []
const listeners = new Set<() => void>()

function change(now: readonly ShownRecord[]): void {
  shown = now
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the records on the screen; each is another object whenever it is opened again. */
export const shownRecords = (): readonly ShownRecord[] => shown

export const useShownRecords = (): readonly ShownRecord[] => useSyncExternalStore(subscribe, shownRecords)

/** Counts a record among those on the screen for as long as the component is mounted. */
export function useShown(type: string, id: number): void {
  useEffect(() => {
    const record = { type, id }
    change([...shown, record])
    return () => change(shown.filter((one) => one !== record))
  }, [type, id])
}
