import { useEffect, useState } from 'react'

/** The page comes first: what the top bar counts is asked when it stands. */
const askAfterMs = 7_000

/** Whether the page has stood for a while. */
export function useLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), askAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}
