import { useSyncExternalStore } from 'react'

function everySecond(tell: () => void): () => void {
  const timer = setInterval(tell, 1000)
  return () => clearInterval(timer)
}

/** Returns the current second, in milliseconds; re-renders when it changes. */
export const useSecond = (): number =>
  useSyncExternalStore(everySecond, () => Math.floor(Date.now() / 1000) * 1000)
