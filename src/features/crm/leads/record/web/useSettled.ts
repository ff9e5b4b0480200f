import { useEffect, useState } from 'react'

const settleMs = 2000

/** Whether a page has stood for a moment: the leads come first, what is said about them can wait. */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settleMs)
    return () => clearTimeout(timer)
  }, [])
  return settled
}
