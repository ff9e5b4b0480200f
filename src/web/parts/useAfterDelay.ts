import { useEffect, useState } from 'react'

/** Delay before the top bar's counts are requested, so that the page loads first. */
const askAfterMs = 7_000

/** Returns whether the page has been shown for a while. */
export function useAfterDelay(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), askAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
