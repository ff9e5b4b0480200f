import { useEffect, useState } from 'react'

/** Opens the form of a mounted page, by the page's path; the first one counts if a page has several buttons. */
const openers = new Map<string, Set<() => void>>()
/** Path of a page that is still loading, whose form will open. */
let wanted: string | undefined

/** Opens the form for a new record of a list page, which may still be loading. */
export function openNewForm(path: string): void {
  const [open] = openers.get(path) ?? []
  wanted = open ? undefined : path
  open?.()
}

function register(path: string, open: () => void): () => void {
  const own = openers.get(path) ?? new Set()
  openers.set(path, own.add(open))
  if (wanted === path) open()
  wanted = undefined
  return () => void own.delete(open)
}

/** Returns whether the form for a new record of the page is open, and opens or closes it. */
export function useNewForm(path: string): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => register(path, () => setOpen(true)), [path])
  return [isOpen, setOpen]
}
