import { useSyncExternalStore } from 'react'
import type { OperationRef } from '#shared/record.contract.ts'

/**
 * The viewer's last action in this tab, which can still be undone on the page after its toast has
 * disappeared.
 */
export interface LastAct {
  operation: OperationRef
  undone: boolean
  /** Set once the operation, its undo, or its redo has finished in the background. */
  isFinished?: boolean
}

const reloadKey = 'last-act'
let last: LastAct | undefined = afterReload()

/** Keeps the last action when the page is reloaded, so that it can still be undone afterward. */
export function keepOverReload(operation: OperationRef | null): void {
  if (operation) sessionStorage.setItem(reloadKey, JSON.stringify({ operation, undone: false }))
}

function afterReload(): LastAct | undefined {
  const kept = globalThis.sessionStorage?.getItem(reloadKey)
  if (!kept) return undefined
  sessionStorage.removeItem(reloadKey)
  return JSON.parse(kept) as LastAct
}

const listeners = new Set<() => void>()
export function rememberAct(act: LastAct | undefined): void {
  last = act
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const lastAct = (): LastAct | undefined => last
export const useLastAct = (): LastAct | undefined => useSyncExternalStore(subscribe, () => last)
