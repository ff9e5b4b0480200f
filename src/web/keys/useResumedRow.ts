import { useEffect, useEffectEvent, type RefObject } from 'react'

/**
 * Focuses a record's row once, when rows first appear and nothing else has the focus, so that users resume at
 * the record they are returning from.
 */
export function useResumedRow(
  region: RefObject<HTMLElement | null>,
  hasRows: boolean,
  id: number | undefined,
): void {
  const resume = useEffectEvent(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.matches('main')
    const row = isFree ? region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`) : undefined
    row?.focus()
  })
  useEffect(() => {
    if (hasRows) resume()
  }, [hasRows])
}
