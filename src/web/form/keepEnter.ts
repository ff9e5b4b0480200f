import type { KeyboardEvent } from 'react'

/**
 * Spread onto a select with a search. Enter chooses an option; without a match, it would submit the form with half of
 * the input.
 */
export const keepEnter = {
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
    const isPlain = !event.ctrlKey && !event.metaKey
    const isOpen = event.currentTarget.getAttribute('aria-expanded') === 'true'
    if (event.key === 'Enter' && isPlain && isOpen) event.preventDefault()
  },
} as const
