import { useEffect } from 'react'

/*
 * The organization of the open record: its id is sent in X-Organization with every request; the header is empty if none is open.
 */

let open: readonly number[] = []

/** Returns the value of the header. */
export const openOrganization = (): string => String(open.at(-1) ?? '')

/** Marks an organization as open; the returned function removes the mark. */
export function enterOrganization(id: number): () => void {
  open = [...open, id]
  return () => {
    const at = open.lastIndexOf(id)
    open = open.filter((_id, index) => index !== at)
  }
}

/** Marks the organization of a record as open while the component is mounted; null or undefined if it has none. */
export function useOrganization(id: number | null | undefined): void {
  useEffect(() => (id === null || id === undefined ? undefined : enterOrganization(id)), [id])
}
