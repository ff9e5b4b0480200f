import { useLayoutEffect } from 'react'

/*
 * The organization of the open record: its ID is sent in X-Organization with every request. The header is
 * empty if no record with an organization is open.
 */

let open: readonly number[] = []

/** Returns the header value. */
export const openOrganization = (): string => String(open.at(-1) ?? '')

/** Marks an organization as open; the returned function removes the mark. */
export function enterOrganization(id: number): () => void {
  open = [...open, id]
  return () => {
    const at = open.lastIndexOf(id)
    open = open.filter((_id, index) => index !== at)
  }
}

/**
 * Marks a record's organization as open while the component is mounted; pass null, undefined, or 0 if it has
 * none. Runs as a layout effect, because the page's first requests are sent in effects.
 */
export function useOrganization(id: number | null | undefined): void {
  useLayoutEffect(() => (id ? enterOrganization(id) : undefined), [id])
}
