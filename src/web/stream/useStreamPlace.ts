import { useCallback, useEffect, useRef } from 'react'

/** Distance from the end within which a reader is still at the end. */
const nearPx = 60

/**
 * Opens a stream at its first unread entry, or at its end, and keeps the reader's place: at the end, new entries
 * come into view; elsewhere, the browser keeps what is on screen where it is, until the reader adds an entry.
 * @param ownAt when the reader wrote their last entry; undefined if there is none
 * @returns the ref of the element that scrolls
 */
export function useStreamPlace(unread: string | undefined, ownAt: string | undefined) {
  const opensAt = useRef(unread)
  const toEnd = useRef<() => void>(undefined)
  const seen = useRef(ownAt)
  useEffect(() => {
    if (ownAt === undefined || ownAt <= (seen.current ?? '')) return
    seen.current = ownAt
    toEnd.current?.()
  }, [ownAt])

  /** Follows the opening place while images and frames load, until the reader scrolls. */
  const follow = useCallback((element: HTMLElement | null) => {
    if (!element) return
    let isFollowing = true
    let isAtEnd = true
    const toPlace = () => {
      const first = opensAt.current === undefined ? null : document.getElementById(opensAt.current)
      if (first) {
        const heading = first.closest('li') ?? first
        element.scrollTop += heading.getBoundingClientRect().top - element.getBoundingClientRect().top - 8
      } else element.scrollTop = element.scrollHeight
    }
    toPlace()
    toEnd.current = () => {
      isFollowing = false
      isAtEnd = true
      element.scrollTop = element.scrollHeight
    }
    const observer = new ResizeObserver(() => {
      if (isFollowing) toPlace()
      else if (isAtEnd) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    if (element.lastElementChild) observer.observe(element.lastElementChild)
    const release = () => {
      isFollowing = false
    }
    const note = () => {
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx
    }
    // What the reader unfolds grows below the line that they read.
    const unfold = () => {
      isFollowing = false
      isAtEnd = false
    }
    const moves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
    for (const move of moves) element.addEventListener(move, release, { passive: true })
    element.addEventListener('unfold', unfold)
    element.addEventListener('scroll', note, { passive: true })
    return () => {
      observer.disconnect()
      for (const move of moves) element.removeEventListener(move, release)
      element.removeEventListener('unfold', unfold)
      element.removeEventListener('scroll', note)
    }
  }, [])

  return follow
}
