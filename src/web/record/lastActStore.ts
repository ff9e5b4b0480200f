import { useSyncExternalStore } from 'react'
import type { OperationRef } from '#shared/record.contract.ts'

/**
 * One of the viewer's actions in this tab. The last one can still be undone on the page after its toast has
 * disappeared.
 */
export interface LastAct {
  operation: OperationRef
  undone: boolean
  /** Set once the operation, its undo, or its redo has finished in the background. */
  isFinished?: boolean
}

const reloadKey = 'last-act'
const mostActs = 100
let last: LastAct | undefined = afterReload()
/** The actions in their order, each with how many there were before it. */
let acts: readonly (readonly [turn: number, act: LastAct])[] = []
let turns = 0

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
/** Remembers an action, or that it was undone or redone; undefined forgets all of them. */
export function rememberAct(act: LastAct | undefined): void {
  last = act
  if (act) {
    const isOf = ([, one]: (typeof acts)[number]) => one.operation.id === act.operation.id
    // An action that was undone keeps its place, so that those before it can be undone next.
    const turn = act.undone ? acts.find(isOf)?.[0] : undefined
    const others = acts.filter((one) => !isOf(one))
    acts = [...others, [turn ?? turns++, act] as const].toSorted(([a], [b]) => a - b).slice(-mostActs)
  } else acts = []
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const lastAct = (): LastAct | undefined => last
export const useLastAct = (): LastAct | undefined => useSyncExternalStore(subscribe, () => last)

/** Returns how many actions there were so far, for `lastUndoable`. */
export const countActs = (): number => turns

const isUndoable = ({ undone, operation, isFinished }: LastAct) =>
  !undone && (!operation.running || isFinished === true)

/** Returns the newest action since there were so many that isn't undone and doesn't continue in the background. */
export const lastUndoable = (since: number): LastAct | undefined =>
  acts.findLast(([turn, act]) => turn >= since && isUndoable(act))?.[1]

/** Returns the last action, which a list shows, unless it is undone or continues in the background. */
export const shownUndoable = (): LastAct | undefined => (last && isUndoable(last) ? last : undefined)
