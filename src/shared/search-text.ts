import { withoutInvisible } from '#shared/invisible.ts'

/** Letters that are not a base letter with a mark, and how they are typed on other keyboards. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/**
 * Returns a text as searches compare it: without case, accents, and invisible characters, and with `ss` for
 * `ß`. The function `search_text` in the database does the same.
 */
export const searchText = (text: string): string =>
  withoutInvisible(text)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => letters[letter]!)
