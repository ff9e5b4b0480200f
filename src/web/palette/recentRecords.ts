import { useSyncExternalStore } from 'react'
import { useLocation } from '@tanstack/react-router'
import type { PaletteHit } from '#web/palette/Palette.tsx'
import { viewer } from '#web/session.ts'

const most = 6

/** Records that the viewer has opened in this tab, latest first. They aren’t stored, because they have names of customers. */
let recent: { by: number | undefined; hits: readonly PaletteHit[] } = { by: undefined, hits: [] }
const none: readonly PaletteHit[] = []
const listeners = new Set<() => void>()

export function rememberRecord(hit: PaletteHit): void {
  const by = viewer()?.id
  const before = recent.by === by ? recent.hits : none
  recent = { by, hits: [hit, ...before.filter(({ id }) => id !== hit.id)].slice(0, most) }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the records that the viewer opened last. */
export const useRecentRecords = (): readonly PaletteHit[] =>
  useSyncExternalStore(subscribe, () => (recent.by === viewer()?.id ? recent.hits : none))

/** Returns the address of the open page, as recent records have it. */
export const useOpenAddress = (): string => useLocation({ select: () => location.pathname + location.search })

/** Returns the record whose page is open. */
export function useOpenRecord(): PaletteHit | undefined {
  const address = useOpenAddress()
  return useRecentRecords().find(({ to }) => to === address)
}
