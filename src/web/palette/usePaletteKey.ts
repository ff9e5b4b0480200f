import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { beginTypeAhead, endTypeAhead } from '#web/keys/typeAhead.ts'
import { onOpenAct } from '#web/palette/pageActs.ts'

/**
 * Opens the palette from anywhere with Ctrl+K or ⌘K. The palette's code is loaded the first time it is
 * opened; `wanted` is true from then on.
 */
export function usePaletteKey(): { wanted: boolean; open: () => void } {
  const [wanted, setWanted] = useState(false)

  function open(): void {
    // An open palette already has focus; opening it again could make it reappear after the next Enter.
    if (document.querySelector('[data-palette]')) return
    setWanted(true)
    beginTypeAhead()
    void import('#web/palette/openPalette.ts').then(({ openPalette }) => openPalette(), endTypeAhead)
  }

  const openOnKey = useEffectEvent(open)
  useEffect(() => onOpenAct(() => openOnKey()), [])
  // Before the page is painted, so that the key works as soon as the page can be seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey ||
        event.key.toLowerCase() !== 'k'
      )
        return
      event.preventDefault()
      openOnKey()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  return { wanted, open }
}
