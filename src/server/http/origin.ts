/** Hosts that refer to this machine; treated as the same origin. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns whether an origin belongs to the panel. A request without an origin does not come from a web page,
 * so it is allowed.
 */
export function isOwnOrigin(publicUrl: string, origin: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const [ours, theirs] = [new URL(publicUrl), new URL(origin)]
  if (ours.origin === theirs.origin) return true
  return (
    ours.protocol === theirs.protocol &&
    ours.port === theirs.port &&
    loopbackHosts.includes(ours.hostname) &&
    loopbackHosts.includes(theirs.hostname)
  )
}
