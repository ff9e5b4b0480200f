import { useEffect } from 'react'
import { useLocation } from '@tanstack/react-router'

/** Returns the ID of the entry that the URL names, and brings it into view once it is loaded. */
export function useTarget(entries: readonly { id: string }[]): string | undefined {
  const hash = useLocation({ select: (location) => location.hash })
  const isLoaded = hash !== '' && entries.some(({ id }) => id === hash)
  useEffect(() => {
    if (isLoaded) document.getElementById(hash)?.scrollIntoView({ block: 'center' })
  }, [hash, isLoaded])
  return isLoaded ? hash : undefined
}
