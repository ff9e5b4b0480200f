import { useEffect, type RefObject } from 'react'
import { reloadPage } from '#web/reload.ts'

/*
 * The user's place in a list, kept in sessionStorage while the page reloads: its selected rows and its scroll
 * position.
 */

export interface SelectedRows {
  ids: readonly number[]
  /** The whole list that is selected (useSelection). */
  allOf: string | undefined
}

interface Place extends SelectedRows {
  address: string
  top: number
  left: number
}

const storageKey = 'list-place'
let shown: SelectedRows = { ids: [], allOf: undefined }
let kept: Place | undefined = afterReload()

function afterReload(): Place | undefined {
  const stored = globalThis.sessionStorage?.getItem(storageKey)
  if (!stored) return undefined
  sessionStorage.removeItem(storageKey)
  const place = JSON.parse(stored) as Place
  return place.address === location.href ? place : undefined
}

const regionOfList = () => document.querySelector<HTMLElement>('main [role=region][data-fill]')

/** Reloads the page as the specification requires, without losing the user's place in its list. */
export function reloadInPlace(): void {
  const { scrollTop: top = 0, scrollLeft: left = 0 } = regionOfList() ?? {}
  sessionStorage.setItem(
    storageKey,
    JSON.stringify({ ...shown, address: location.href, top, left } satisfies Place),
  )
  reloadPage()
}

/** Returns the rows that were selected before the reload, for the first list shown after it. */
export const selectedBeforeReload = (): SelectedRows | undefined => kept

/** Remembers the selected rows, in case the page is reloaded. */
export function useKeptSelection(ids: ReadonlySet<number>, allOf: string | undefined): void {
  useEffect(() => {
    shown = { ids: [...ids], allOf }
  }, [ids, allOf])
  useEffect(
    () => () => {
      kept = undefined
      shown = { ids: [], allOf: undefined }
    },
    [],
  )
}

/** Scrolls a list to where it was before the reload, once all its rows are shown. */
export function useKeptScroll(region: RefObject<HTMLElement | null>, isComplete: boolean): void {
  useEffect(() => {
    if (!isComplete || !kept) return
    region.current?.scrollTo({ top: kept.top, left: kept.left })
    kept = undefined
  }, [region, isComplete])
}
