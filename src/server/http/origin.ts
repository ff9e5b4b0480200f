/** The names of this machine for itself; for an origin they are one. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** Whether a page of this origin is ours. No origin: no page. */
export function isOwnOrigin(publicUrl: string, origin: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const [ours, theirs] = [new URL(publicUrl), new URL(origin)]
  if (ours.origin === theirs.origin) return true
  return ours.protocol === theirs.protocol && ours.port === theirs.port && loopbackHosts.includes(ours.hostname) && loopbackHosts.includes(theirs.hostname)
}
