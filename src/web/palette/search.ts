import { can, mayOpen, type Permission } from '#shared/access.ts'
import { viewer } from '#web/session.ts'
import type { PaletteHit, PaletteSearch } from '#web/palette/Palette.tsx'

/*
 * How features declare palette searches for their records; the searches are listed in app/browser/palette.ts.
 */

/** Maximum number of hits shown per kind. */
export const mostHits = 8

/** Returns whether the route guard lets the viewer open a page. */
export function mayOpenPage(path: string): boolean {
  const person = viewer()
  return person !== undefined && mayOpen(person.role_id, path)
}

interface RecordSearch<Row> {
  /** Heading above the hits, such as `Leads`. */
  group: string
  /** Permissions that are all required; omit if access depends only on the page. */
  needs?: readonly Permission[]
  /** Page that the viewer must be allowed to open. */
  page?: string
  /** Address of a list that finds the same records, up to its `search=`. */
  list?: string
  /**
   * Runs the search. The function itself imports the contract, so that opening the palette loads no
   * contracts.
   */
  find: (text: string, signal: AbortSignal) => Promise<readonly Row[]>
  hit: (row: Row) => PaletteHit
  /** Whether texts name these records by their number (#145). */
  isNamedByNumber?: boolean
}

/** Declares a palette search for a feature's records, for viewers who can see them. */
export const recordSearch = <Row>({
  group,
  needs = [],
  page,
  list,
  find,
  hit,
  isNamedByNumber = false,
}: RecordSearch<Row>): PaletteSearch => ({
  group,
  isNamedByNumber,
  ...(list !== undefined && { all: (text) => `${list}search=${encodeURIComponent(text)}` }),
  isAllowed: () => needs.every((right) => can(viewer(), right)) && (page === undefined || mayOpenPage(page)),
  find: async (text, signal) => (await find(text, signal)).slice(0, mostHits).map(hit),
})

/** Joins the non-empty parts, as in `Jane Doe · jane@aalto.example`. */
export const inOneLine = (...parts: readonly (string | null | undefined)[]) =>
  parts.filter(Boolean).join(' · ')
