import { can, mayOpen, type Permission } from '#shared/access.ts'
import { viewer } from '#web/session.ts'
import type { PaletteHit, PaletteSearch } from '#web/palette/Palette.tsx'

/*
 * How a feature says where the command palette finds its records; the wiring lists them in app/browser/palette.ts.
 */

/** So many of one kind are offered. */
export const mostHits = 8

/** Whether the guard lets this person open a page. */
export function mayGo(path: string): boolean {
  const person = viewer()
  return person !== undefined && mayOpen(person.role_id, path)
}

interface RecordSearch<Row> {
  /** What stands above the hits: `Leads`. */
  group: string
  /** Every one of these rights; none where the page alone decides. */
  needs?: readonly Permission[]
  /** Who may not open this page is not led there. */
  page?: string
  /** Loads the contract by itself, so that opening the palette loads none. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Row[]>
  hit: (row: Row) => PaletteHit
}

/** A search of the palette in the records of a feature, for those who may see them. */
export const recordSearch = <Row>({ group, needs = [], page, find, hit }: RecordSearch<Row>): PaletteSearch => ({
  group,
  isAllowed: () => needs.every((right) => can(viewer(), right)) && (page === undefined || mayGo(page)),
  find: async (text, signal) => (await find(text, signal)).slice(0, mostHits).map(hit),
})

/** The parts that are there: `Jane Doe · jane@aalto.example`. */
export const inOneLine = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' · ')
