import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** As many items are shown at first, and added at a time; more would freeze the browser while they render. */
const atOnce = 10

interface RecentItems<Item> {
  shown: readonly Item[]
  hidden: number
  /** Shows more items, or all of them, without moving the items on screen. */
  showMore: (all?: boolean) => void
  /** Ref of the element above the items, which shows more when it comes near the screen. */
  edge: (element: HTMLElement | null) => (() => void) | undefined
}

/**
 * Returns the last items of a long list, and more of them as the reader scrolls up or follows a link to an item
 * that is not shown yet.
 * @param first index of the first item that must be shown; -1 if there is none
 * @param target ID of the element that the URL names
 */
export function useRecentItems<Item>(
  items: readonly Item[],
  first: number,
  target: string | undefined,
): RecentItems<Item> {
  const [count, setCount] = useState(first < 0 ? atOnce : Math.max(atOnce, items.length - first + 3))
  const hidden = Math.max(0, items.length - count)
  const before = useRef<{ element: Element; height: number; top: number }>(undefined)
  const scrolled = useRef<Element>(undefined)

  const showMore = useCallback((all = false) => {
    const element = scrolled.current
    if (element) before.current = { element, height: element.scrollHeight, top: element.scrollTop }
    setCount((now) => (all ? Infinity : now + atOnce))
  }, [])

  useLayoutEffect(() => {
    if (!before.current) return
    const { element, height, top } = before.current
    before.current = undefined
    element.scrollTop = top + element.scrollHeight - height
  })

  useEffect(() => {
    if (target === undefined || document.getElementById(target)) return
    const frame = requestAnimationFrame(() => {
      showMore(true)
      requestAnimationFrame(() => document.getElementById(target)?.scrollIntoView({ block: 'center' }))
    })
    return () => cancelAnimationFrame(frame)
  }, [target, showMore])

  const edge = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined
      scrolled.current = element.parentElement!
      const observer = new IntersectionObserver(
        ([entry]) => {
          if (entry!.isIntersecting) showMore()
        },
        { root: element.parentElement, rootMargin: '800px 0px 0px' },
      )
      observer.observe(element)
      return () => observer.disconnect()
    },
    [showMore],
  )
  return { shown: items.slice(hidden), hidden, showMore, edge }
}
