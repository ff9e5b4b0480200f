import { searchText } from '#shared/search-text.ts'

/** Returns where a search matches a text, as the index of its first character and the one after its last. */
type Match = readonly [from: number, to: number]

/**
 * Returns the part of a text that a search found: the whole search, or the same digits with other characters
 * between them (`902555` in `+1 (902) 555-0142`), or else its first word that occurs. Undefined if none does.
 */
export function matchIn(text: string, search: string): Match | undefined {
  const whole = wordIn(text, searchText(search.trim()))
  if (whole) return whole
  if (/^[\d\s()+./-]+$/.test(search)) return digitsIn(text, search.replaceAll(/\D/g, ''))
  for (const word of searchText(search).split(/\s+/)) {
    const match = wordIn(text, word)
    if (match) return match
  }
  return undefined
}

function wordIn(text: string, word: string): Match | undefined {
  let plain = ''
  // For each letter that is searched, the place of its character: `ss` is one character in Weiß.
  const places: number[] = []
  let place = 0
  for (const character of text) {
    plain += searchText(character)
    while (places.length < plain.length) places.push(place)
    place += character.length
  }
  const from = word === '' ? -1 : plain.indexOf(word)
  if (from === -1) return undefined
  const last = places[from + word.length - 1]!
  return [places[from]!, places.slice(from).find((next) => next > last) ?? text.length]
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
