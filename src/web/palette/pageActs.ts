import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import type { PaletteChoice } from '#web/palette/choices.ts'

/** Something that can be done on the open page. The page offers it only to viewers who are allowed to do it. */
export interface PageAct {
  id: string
  /** Heading above it; by default that of the page. */
  group?: string
  label: string
  /** The value that it changes, as it is now. */
  detail?: string
  icon?: ReactNode
  /** Its key on the page. */
  letter?: string
  run: () => void
  /** Options, which the palette offers in a second step. */
  choices?: readonly PaletteChoice[]
}

/** The actions that each mounted part of the page offers. */
const offers = new Map<object, readonly PageAct[]>()
let offered: readonly PageAct[] = []
const listeners = new Set<() => void>()

function update(): void {
  offered = [...offers.values()].flat()
  for (const listener of listeners) listener()
}

/** Offers actions in the palette while the component is mounted. */
export function usePageActs(acts: readonly PageAct[]): void {
  const [part] = useState(() => ({}))
  useEffect(() => {
    offers.set(part, acts)
    update()
  })
  useEffect(
    () => () => {
      offers.delete(part)
      update()
    },
    [part],
  )
}

/** The action whose options the palette shows when it opens. */
let asked: string | undefined
let open = () => {}

/** Opens the palette with the options of an action that the page offers. */
export function openAct(id: string): void {
  asked = id
  open()
}

/** Registers what opens the palette; returns the function that ends this. */
export function onOpenAct(opener: () => void): () => void {
  open = opener
  return () => {
    if (open === opener) open = () => {}
  }
}

/** Returns the offered action that the palette was opened for, once. */
export function takeAskedAct(): PageAct | undefined {
  const id = asked
  asked = undefined
  return offered.find((act) => act.id === id)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns what the open page offers now. */
export const useOfferedActs = (): readonly PageAct[] => useSyncExternalStore(subscribe, () => offered)
