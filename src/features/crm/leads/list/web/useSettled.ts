import { useEffect, useState } from 'react'

const settleMs = 2000

/**
 * Reports whether the page has been on screen for a moment, so that secondary requests can wait until the
 * leads are loaded.
 */
export function useSettled(): boolean {
  const [settled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settleMs)
    return () => clearTimeout(timer)
  }, [])
  return settled
}
