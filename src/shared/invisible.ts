/*
 * Invisible characters: zero-width spaces and joiners, direction marks, the byte order mark, and soft
 * hyphens. They get into a value when it is copied from a page or a document.
 */

/** As a class of a regular expression, without its brackets; also valid in PostgreSQL. */
export const invisibleClass = String.raw`\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff`
const invisible = new RegExp(`[${invisibleClass}]`, 'g')
const blank = new RegExp(String.raw`^[\s${invisibleClass}]$`)

/** Returns a text without invisible characters, for values that never contain one: addresses, numbers, and user names. */
export const withoutInvisible = (text: string): string => text.replaceAll(invisible, '')

/** Returns a text without white space and invisible characters around it; joiners in names and emoji stay. */
export function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && blank.test(text[start]!)) start += 1
  while (end > start && blank.test(text[end - 1]!)) end -= 1
  return text.slice(start, end)
}
