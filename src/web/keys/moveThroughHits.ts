import type { KeyboardEvent } from 'react'

/**
 * Moves the focus between a search box and its results, which have `data-hit`: arrow keys, and Enter for the first
 * result.
 */
export function moveThroughHits(event: KeyboardEvent<HTMLElement>, enter: (text: string) => void): void {
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-hit]')]
  const field = event.currentTarget.querySelector('input')
  const at = hits.indexOf(event.target as HTMLElement)
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (event.key === 'Enter' && field && event.target === field) enter(field.value.trim())
  if (by === 0 || hits.length === 0) return
  event.preventDefault()
  const next = at + by < 0 ? field : hits[Math.min(at + by, hits.length - 1)]
  next?.focus()
}
