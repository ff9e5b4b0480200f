import { useLayoutEffect, useSyncExternalStore } from 'react'
import { useProduct } from '#web/session.ts'

/*
 * The product of the open record. The switcher and the shell's color show it instead of the chosen product, which
 * stays: it scopes lists, and a record can be opened from a list of all products or from a link.
 */

let ofRecords: readonly { product: number }[] = []
const listeners = new Set<() => void>()

function setProducts(next: typeof ofRecords): void {
  ofRecords = next
  for (const listener of [...listeners]) listener()
}

/** Shows a record's product as the active one while the component is mounted; pass undefined until it is loaded. */
export function useProductOfRecord(product: number | undefined): void {
  useLayoutEffect(() => {
    if (product === undefined) return undefined
    const mark = { product }
    setProducts([...ofRecords, mark])
    return () => setProducts(ofRecords.filter((one) => one !== mark))
  }, [product])
}

const productOfRecord = (): number | undefined => ofRecords.at(-1)?.product

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

/** Returns the product of the open record; undefined if none is open. */
export const useOpenProduct = (): number | undefined => useSyncExternalStore(subscribe, productOfRecord)

/** Returns the product to show as the active one: that of the open record, or else the chosen one. */
export function useShownProduct(): number | undefined {
  const [open, chosen] = [useOpenProduct(), useProduct()]
  return open ?? chosen
}
