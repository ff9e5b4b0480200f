import { useEffect } from 'react'

/*
 * The organization of the record that is open: its id travels in X-Organization with every request, and nothing does where none is open.
 */

let open: readonly number[] = []

/** The value of the header. */
export const openOrganization = (): string => String(open.at(-1) ?? '')

/** Says that an organization is open; the returned function says that it is no longer. */
export function enterOrganization(id: number): () => void {
  open = [...open, id]
  return () => {
    const at = open.lastIndexOf(id)
    open = open.filter((_id, index) => index !== at)
  }
}

/** While this is shown, the organization of its record is the open one; null or undefined where it has none. */
export function useOrganization(id: number | null | undefined): void {
  useEffect(() => (id === null || id === undefined ? undefined : enterOrganization(id)), [id])
}
