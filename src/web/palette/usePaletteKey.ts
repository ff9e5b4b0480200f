import { useEffect, useEffectEvent, useState } from 'react'
import { beginTypeAhead, endTypeAhead } from '#web/palette/typeAhead.ts'

/** Ctrl or ⌘ and K opens the palette, from anywhere. Its code is loaded the first time; `wanted` says that it was. */
export function usePaletteKey(): { wanted: boolean; open: () => void } {
  const [wanted, setWanted] = useState(false)

  function open(): void {
    // An open one has the focus already; asked for once more, it could come back after the Enter that follows.
    if (document.querySelector('[data-palette]')) return
    setWanted(true)
    beginTypeAhead()
    void import('#web/palette/openPalette.ts').then(({ openPalette }) => openPalette(), endTypeAhead)
  }

  const openOnKey = useEffectEvent(open)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      openOnKey()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])

  return { wanted, open }
}
