import { z } from 'zod'

/** Cards of a lane in a page of a board. */
export const cardsPerPage = 40
const mostPages = 50

/**
 * How many pages of a lane's cards to return, for lanes with more than one: `3:2,5:4` are two pages of the
 * lane 3 and four of the lane 5.
 */
export const lanePages = z
  .string()
  .regex(/^(\d{1,9}:\d{1,2}(,\d{1,9}:\d{1,2}){0,49})?$/, 'Send lanes and their number of pages, such as 3:2.')
  .default('')

/** Returns the number of cards to return, by lane. */
export function cardLimits(pages: string): ReadonlyMap<number, number> {
  const pairs = pages === '' ? [] : pages.split(',').map((pair) => pair.split(':').map(Number))
  return new Map(pairs.map(([lane, most]) => [lane!, cardsPerPage * Math.min(Math.max(most!, 1), mostPages)]))
}

/** A lane of a board: the first of its cards, and how many match the filters. */
export const laneOf = <S extends z.ZodType>(card: S) =>
  z.object({ id: z.number().int(), name: z.string(), total: z.number().int(), cards: z.array(card) })
