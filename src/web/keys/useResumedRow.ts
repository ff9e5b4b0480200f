import { useEffect, useEffectEvent, type RefObject } from 'react'

/** Puts the focus on the row of a record, once, when the rows are first there and nothing else has it: who comes back from a record goes on at its row. */
export function useResumedRow(region: RefObject<HTMLElement | null>, hasRows: boolean, id: number | undefined): void {
  const resume = useEffectEvent(() => {
    const isFree = document.activeElement === document.body || document.activeElement?.matches('main')
    const row = isFree ? region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`) : undefined
    row?.focus()
  })
  useEffect(() => {
    if (hasRows) resume()
  }, [hasRows])
}
