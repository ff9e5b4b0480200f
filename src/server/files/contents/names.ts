import { truncate } from '#shared/truncate.ts'

/** The second half of code page 437, in which old programs write names. */
const dos =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const strict = new TextDecoder('utf-8', { fatal: true })
const lenient = new TextDecoder('utf-8')

/** Returns the text of a name; many programs write UTF-8 without saying so. */
function decode(raw: Uint8Array, isUtf8: boolean): string {
  if (isUtf8) return lenient.decode(raw)
  try {
    return strict.decode(raw)
  } catch {
    return Array.from(raw, (code) => (code < 128 ? String.fromCharCode(code) : dos[code - 128]!)).join('')
  }
}

/** Removes characters that hide what a name is: controls, and those that are invisible or change the direction. */
export const visible = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')

const longestName = 200
const longestFolder = 300

/** Returns name and folder of a file in an archive, as they can be shown. */
export function nameIn(raw: Uint8Array, isUtf8: boolean) {
  const path = visible(decode(raw, isUtf8)).replaceAll('\\', '/')
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const name = parts.at(-1) ?? ''
  return {
    name: shorten(name, longestName) || 'file',
    folder: shorten(parts.slice(0, -1).join('/'), longestFolder),
    isFolder: path.endsWith('/') || path === '',
    isOutside: parts.includes('..') || /^(?:\/|[a-z]:)/i.test(path),
  }
}

const shorten = (text: string, most: number) => (text.length > most ? `${truncate(text, most - 1)}…` : text)
