import punycode from 'punycode.js'

/** The scheme and the user of an address, its domain, and the rest. */
const parts = /^((?:https?:\/\/)?(?:[^/?#@]*@)?)([^/?#:]*)(.*)$/is

/** Returns an address with its domain in Unicode, unless it could imitate another one. */
export function inUnicode(address: string): string {
  const [, before = '', domain = '', after = ''] = parts.exec(address) ?? []
  const labels = domain.split('.').map(readLabel)
  // All of `аррӏе` is Cyrillic; below `.рф`, it isn’t taken for Latin.
  const isForeign = lookalike.test(labels.join('')) && !lookalike.test(labels.at(-1)!)
  return isForeign ? address : before + labels.join('.') + after
}

/** Returns one part of a domain in Unicode, if it is valid and doesn't mix scripts. */
function readLabel(encoded: string): string {
  if (!/^xn--/i.test(encoded)) return encoded
  try {
    const decoded = punycode.toUnicode(encoded.toLowerCase())
    return decoded === '' || mixesScripts(decoded) ? encoded : decoded
  } catch {
    return encoded
  }
}

/** Scripts with letters that look like Latin ones. */
const lookalike =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u

const mixesScripts = (label: string) =>
  /\p{Script=Latin}/u.test(label) && !/^[\p{Script=Latin}\p{M}\p{N}-]+$/u.test(label)
