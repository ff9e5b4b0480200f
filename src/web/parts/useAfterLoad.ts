import { useEffect, useState } from 'react'
import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'

const quietMs = 300

/** Returns whether the first page has loaded: its code is there, and nothing has been requested for a moment. */
export function useAfterLoad(): boolean {
  const [isLoaded, setLoaded] = useState(false)
  const isOpening = useRouterState({ select: ({ status }) => status !== 'idle' })
  const isBusy = useIsFetching() > 0 || isOpening
  useEffect(() => {
    if (isLoaded || isBusy) return
    const timer = setTimeout(() => setLoaded(true), quietMs)
    return () => clearTimeout(timer)
  }, [isBusy, isLoaded])
  return isLoaded
}
