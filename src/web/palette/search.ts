import { can, mayOpen, type Permission } from '#shared/access.ts'
import { viewer } from '#web/session.ts'
import type { PaletteHit, PaletteSearch } from '#web/palette/Palette.tsx'

/*
 * How a feature declares the palette's search of its records; the wiring lists the searches in app/browser/palette.ts.
 */

/** Number of hits shown of one kind. */
export const mostHits = 8

/** Returns whether the guard lets the viewer open a page. */
export function mayOpenPage(path: string): boolean {
  const person = viewer()
  return person !== undefined && mayOpen(person.role_id, path)
}

interface RecordSearch<Row> {
  /** Heading of the hits: `Leads`. */
  group: string
  /** Permissions that are all needed; none if the page alone decides. */
  needs?: readonly Permission[]
  /** Page that the viewer must be allowed to open. */
  page?: string
  /** Searches; it imports the contract itself, so that opening the palette loads none. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Row[]>
  hit: (row: Row) => PaletteHit
}

/** Declares a palette search of a feature's records, for viewers who can see them. */
export const recordSearch = <Row>({
  group,
  needs = [],
  page,
  find,
  hit,
}: RecordSearch<Row>): PaletteSearch => ({
  group,
  isAllowed: () => needs.every((right) => can(viewer(), right)) && (page === undefined || mayOpenPage(page)),
  find: async (text, signal) => (await find(text, signal)).slice(0, mostHits).map(hit),
})

/** Joins the non-empty parts: `Jane Doe · jane@aalto.example`. */
export const inOneLine = (...parts: readonly (string | null | undefined)[]) =>
  parts.filter(Boolean).join(' · ')
