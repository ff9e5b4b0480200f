import { useEffect } from 'react'

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
 * Marks a record's organization as open while the component is mounted; pass null or undefined if it has
 * none.
 */
export function useOrganization(id: number | null | undefined): void {
  useEffect(() => (id === null || id === undefined ? undefined : enterOrganization(id)), [id])
}
