interface Person {
  email: string | null
}

/**
 * Returns the people who were found by several texts, each once: first those whose address was typed, then those whom
 * most of the texts found, then in the order in which they were found.
 * @param found the people whom each text found
 */
export function bestRequesters<P extends Person>(
  found: readonly (readonly P[])[],
  texts: readonly string[],
  idOf: (person: P) => number,
): P[] {
  const people = new Map(found.flat().map((person) => [idOf(person), person]))
  const typed = new Set(texts.map((text) => text.toLowerCase()))
  const scoreOf = (person: P) =>
    (person.email !== null && typed.has(person.email.toLowerCase()) ? found.length + 1 : 0) +
    found.filter((some) => some.some((one) => idOf(one) === idOf(person))).length
  return [...people.values()].toSorted((one, other) => scoreOf(other) - scoreOf(one))
}
