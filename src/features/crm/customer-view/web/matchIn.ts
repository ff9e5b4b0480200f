/** Returns where a search matches a text, as the index of its first character and the one after its last. */
type Match = readonly [from: number, to: number]

/**
 * Returns the part of a text that a search found: the whole search, or the same digits with other characters
 * between them (`902555` in `+1 (902) 555-0142`), or else its first word that occurs. Undefined if none does.
 */
export function matchIn(text: string, search: string): Match | undefined {
  const plain = text.toLowerCase()
  const whole = wordIn(plain, search.trim().toLowerCase())
  if (whole) return whole
  if (/^[\d\s()+./-]+$/.test(search)) return digitsIn(text, search.replaceAll(/\D/g, ''))
  for (const word of search.toLowerCase().split(/\s+/)) {
    const match = wordIn(plain, word)
    if (match) return match
  }
  return undefined
}

function wordIn(text: string, word: string): Match | undefined {
  const from = word === '' ? -1 : text.indexOf(word)
  return from === -1 ? undefined : [from, from + word.length]
}

function digitsIn(text: string, digits: string): Match | undefined {
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index)
  const from =
    digits === ''
      ? -1
      : places
          .map((place) => text[place])
          .join('')
          .indexOf(digits)
  return from === -1 ? undefined : [places[from]!, places[from + digits.length - 1]! + 1]
}
