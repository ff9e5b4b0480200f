const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Returns the beginning of a text, at most `most` UTF-16 code units long, without splitting the last
 * character: half an emoji can't be stored.
 */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text
  // One character may be longer than the limit, for example a letter with hundreds of accents.
  const start = characters.segment(text.slice(0, most + longestCharacter)).containing(most)?.index ?? most
  return text.slice(0, start > 0 ? start : most).replace(/[\uD800-\uDBFF]$/, '')
}

/** Longer than any emoji, in UTF-16 code units. */
const longestCharacter = 64
