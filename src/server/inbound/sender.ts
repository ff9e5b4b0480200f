/** What shows that the sender of an email is real, apart from a reply token. */
export type SenderProof = 'dmarc' | 'dkim' | 'spf'

/**
 * Returns what our own mail server found about the sender (RFC 8601). A result counts only if it is in the
 * topmost Authentication-Results header, which our server added, and if its domain is that of the sender's
 * address or above it: a signature of any other domain says nothing about the sender.
 * @param authservId name under which our mail server reports; undefined if none is configured
 */
export function proofOfSender(
  header: string,
  authservId: string | undefined,
  address: string | undefined,
): SenderProof | undefined {
  if (authservId === undefined || address === undefined) return undefined
  const [id, ...results] = withoutComments(header).split(';')
  if (id?.trim().split(/\s+/)[0]?.toLowerCase() !== authservId.toLowerCase()) return undefined
  const domain = address.slice(address.lastIndexOf('@') + 1)
  const passes = (method: SenderProof, isAligned: (result: string) => boolean) =>
    results.some(
      (result) => new RegExp(`^\\s*${method}\\s*=\\s*pass\\b`, 'i').test(result) && isAligned(result),
    )
  if (passes('dmarc', (result) => domainIn(result, 'header.from') === domain)) return 'dmarc'
  const isAbove = (found: string | undefined) =>
    found !== undefined && found.includes('.') && (found === domain || domain.endsWith(`.${found}`))
  if (passes('dkim', (result) => isAbove(domainIn(result, 'header.d') ?? domainIn(result, 'header.i'))))
    return 'dkim'
  if (passes('spf', (result) => isAbove(domainIn(result, 'smtp.mailfrom')))) return 'spf'
  return undefined
}

const withoutComments = (header: string) => header.replaceAll(/\([^()]*\)/g, ' ')

/** Returns the domain in a property such as `header.i=@tamsel.example`. */
function domainIn(result: string, property: string): string | undefined {
  const value = new RegExp(`\\s${property.replace('.', '\\.')}\\s*=\\s*"?([^\\s;"]+)`, 'i').exec(result)?.[1]
  return value?.slice(value.lastIndexOf('@') + 1).toLowerCase()
}
