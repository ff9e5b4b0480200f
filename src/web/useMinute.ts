import { useSyncExternalStore } from 'react'

const checkMs = 5_000
const tellers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls a function every few seconds, with one timer for all, until the returned function is called. */
export function everyFewSeconds(tell: () => void): () => void {
  tellers.add(tell)
  timer ??= setInterval(() => {
    for (const one of tellers) one()
  }, checkMs)
  return () => {
    tellers.delete(tell)
    if (tellers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Returns the current minute, in milliseconds; re-renders when it changes. */
export const useMinute = (): number =>
  useSyncExternalStore(everyFewSeconds, () => Math.floor(Date.now() / 60_000) * 60_000)
