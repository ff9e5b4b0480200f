export interface Person {
  id: number
  name: string
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Returns the source of a regular expression that matches `@Name` for each of the names; undefined if there are
 * none. Of two names of which one begins the other, the longer one is matched.
 */
export function mentionPattern(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined
  const longestFirst = names.toSorted((one, other) => other.length - one.length)
  return `@(?:${longestFirst.map(escaped).join('|')})`
}

/** Returns the people whose names are in the text as `@Name`. */
export function mentionedIn(text: string, people: readonly Person[]): Person[] {
  const pattern = mentionPattern(people.map(({ name }) => name))
  const found = new Set(pattern === undefined ? [] : text.match(new RegExp(pattern, 'g')))
  return people.filter(({ name }) => found.has(`@${name}`))
}
