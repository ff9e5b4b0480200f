import punycode from 'punycode.js'

/** The scheme and the user of an address, its domain, and the rest. */
const parts = /^((?:https?:\/\/)?(?:[^/?#@]*@)?)([^/?#:]*)(.*)$/is

/** Returns an address with its domain in Unicode. */
export function inUnicode(address: string): string {
  const [, before = '', domain = '', after = ''] = parts.exec(address) ?? []
  return before + domain.split('.').map(readLabel).join('.') + after
}

/** Returns one part of a domain in Unicode, if it is valid and doesn't mix scripts to imitate another one. */
function readLabel(encoded: string): string {
  if (!/^xn--/i.test(encoded)) return encoded
  try {
    const decoded = punycode.toUnicode(encoded.toLowerCase())
    return decoded === '' || mixesScripts(decoded) ? encoded : decoded
  } catch {
    return encoded
  }
}

const mixesScripts = (label: string) =>
  /\p{Script=Latin}/u.test(label) && !/^[\p{Script=Latin}\p{M}\p{N}-]+$/u.test(label)
