import { useSyncExternalStore } from 'react'

const checkMs = 5_000

function everyFewSeconds(tell: () => void): () => void {
  const timer = setInterval(tell, checkMs)
  return () => clearInterval(timer)
}

/** Returns the current minute, in milliseconds; re-renders when it changes. */
export const useMinute = (): number =>
  useSyncExternalStore(everyFewSeconds, () => Math.floor(Date.now() / 60_000) * 60_000)
