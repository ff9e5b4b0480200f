import { useEffect, useRef, type MouseEvent } from 'react'

const movedMs = 400

/**
 * Returns handlers that ignore a click on a row that has just moved under the pointer, because it was meant
 * for the row that was there before.
 */
export function useMovedRowClickGuard(keys: readonly number[] | undefined) {
  const order = keys?.join() ?? ''
  const movedAt = useRef(-Infinity)
  const seen = useRef(order)
  useEffect(() => {
    if (seen.current !== '' && seen.current !== order) movedAt.current = performance.now()
    seen.current = order
  }, [order])
  return {
    onPointerMove: () => {
      movedAt.current = -Infinity
    },
    onClickCapture: (event: MouseEvent) => {
      // A keyboard click is meant for the focused element, so it is never ignored.
      if (event.detail === 0 || performance.now() - movedAt.current > movedMs) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
