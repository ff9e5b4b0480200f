import { lookup as resolve } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'

/*
 * The only code that sends a request to a URL entered by a user (docs/product.md#outgoing-requests).
 */

const maxMs = 5_000
const maxBytes = 65_536
const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

interface Resolved {
  address: string
  family: number
}

/** Options for tests only; nothing else can set them, including environment variables. */
export interface PublicFetchOptions {
  /** Exact origin that may be requested even though it is not public. */
  extraOrigin?: string
  resolve?: (host: string) => Promise<Resolved[]>
  /** Certificate of a mail server's authority that is accepted besides the public ones. */
  certificate?: string
}

/** Thrown if requests to the URL aren't allowed. */
export class RefusedAddress extends Error {
  override name = 'RefusedAddress'
}

/**
 * Requests a URL and returns the status after at most three redirects, without reading the body. Allows only
 * http and https on ports 80 and 443, without user information, and only if all of the host's IP addresses
 * are public. Connects to the IP address that was checked.
 * @throws RefusedAddress if the URL is not allowed; other errors if there is no response within five seconds.
 */
export async function fetchPublicUrl(
  address: string,
  options: PublicFetchOptions = {},
): Promise<{ status: number }> {
  const { status } = await follow(address, options)
  return { status }
}

/**
 * Requests a URL under the same rules and returns the body of its response.
 * @throws RefusedAddress if the URL is not allowed; other errors if the response isn't 200 or is too large, or
 * if there is none within five seconds.
 */
export async function fetchPublicBytes(
  address: string,
  mostBytes: number,
  options: PublicFetchOptions = {},
): Promise<Buffer> {
  const { status, body } = await follow(address, options, mostBytes)
  if (status !== 200 || !body) throw new Error(`The server answered with ${status}.`)
  return body
}

/**
 * Sends a form to a URL under the same rules, without following redirects, and returns the answer.
 * @throws RefusedAddress if the URL is not allowed; other errors if there is no response within five seconds.
 */
export async function postPublicForm(
  address: string,
  form: Readonly<Record<string, string>>,
  options: PublicFetchOptions = {},
): Promise<{ status: number; body: string }> {
  const { status, body } = await ask(parseUrl(address), AbortSignal.timeout(maxMs), options, {
    mostBytes: maxBytes,
    form: new URLSearchParams(form).toString(),
  })
  return { status, body: body?.toString('utf8') ?? '' }
}

async function follow(address: string, options: PublicFetchOptions, mostBytes?: number): Promise<Answer> {
  const signal = AbortSignal.timeout(maxMs)
  let url = parseUrl(address)
  for (let hops = 0; ; hops += 1) {
    const answer = await ask(url, signal, options, { mostBytes })
    if (!redirects.has(answer.status) || answer.location === undefined) return answer
    if (hops === maxRedirects) throw new RefusedAddress('Too many redirects.')
    url = parseUrl(answer.location, url)
  }
}

interface Answer {
  status: number
  location: string | undefined
  /** Present if it was asked for, unless the server redirects. */
  body?: Buffer
}

/**
 * Returns why a URL cannot be requested, judging only by its text; undefined if it looks allowed, in which
 * case the decision is made when its host is resolved.
 */
export function refusalReason(address: string, options: PublicFetchOptions = {}): string | undefined {
  try {
    const url = parseUrl(address)
    assertAllowedUrl(url, options)
    const host = hostOf(url)
    return url.origin === options.extraOrigin || !ipaddr.isValid(host) || isPublic(host)
      ? undefined
      : 'This URL isn’t publicly accessible.'
  } catch (error) {
    if (error instanceof RefusedAddress) return error.message
    throw error
  }
}

/** Returns whether an IP address is public; an IPv4-mapped address counts as the address it maps to. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  // 168.63.129.16 is a cloud provider's internal host.
  if (parsed instanceof ipaddr.IPv4)
    return parsed.range() === 'unicast' && parsed.toString() !== '168.63.129.16'
  return parsed.range() === 'unicast' && parsed.match(ipaddr.IPv6.parseCIDR('2000::/3'))
}

function parseUrl(address: string, base?: URL): URL {
  if (!URL.canParse(address, base?.href)) throw new RefusedAddress('Enter a valid URL.')
  return new URL(address, base?.href)
}

function assertAllowedUrl(url: URL, { extraOrigin }: PublicFetchOptions): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new RefusedAddress('Use an http or https URL.')
  if (url.username || url.password) throw new RefusedAddress('Remove the username and password from the URL.')
  if (url.origin === extraOrigin) return
  // URL returns '' for a protocol's default port.
  if (url.port !== '' && url.port !== '80' && url.port !== '443')
    throw new RefusedAddress('Use port 80 or 443.')
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

async function ask(
  url: URL,
  signal: AbortSignal,
  options: PublicFetchOptions,
  { mostBytes, form }: { mostBytes?: number | undefined; form?: string } = {},
): Promise<Answer> {
  assertAllowedUrl(url, options)
  const host = hostOf(url)
  const addresses = ipaddr.isValid(host)
    ? [{ address: host, family: host.includes(':') ? 6 : 4 }]
    : await resolved(host, signal, options)
  if (
    url.origin !== options.extraOrigin &&
    (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address)))
  )
    throw new RefusedAddress('This URL isn’t publicly accessible.')
  const [checked] = addresses
  const agent = new Agent({
    maxHeaderSize: 16_384,
    maxResponseSize: mostBytes ?? maxBytes,
    connect: {
      timeout: maxMs,
      // The host name is not resolved again, because by now it could point to an unchecked address.
      lookup: (_host, { all }, done) =>
        all ? done(null, [checked!]) : done(null, checked!.address, checked!.family),
    },
  })
  try {
    const { statusCode, headers, body } = await request(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        accept: '*/*',
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form }),
      dispatcher: agent,
      signal,
    })
    if (mostBytes !== undefined && !redirects.has(statusCode))
      return { status: statusCode, location: undefined, body: Buffer.from(await body.arrayBuffer()) }
    body.on('error', () => {}).destroy()
    const location = headers['location']
    return { status: statusCode, location: Array.isArray(location) ? location[0] : location }
  } finally {
    await agent.destroy()
  }
}

async function resolved(host: string, signal: AbortSignal, options: PublicFetchOptions): Promise<Resolved[]> {
  const tooLate = new Promise<never>((_done, fail) =>
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true }),
  )
  return Promise.race([(options.resolve ?? ((name) => resolve(name, { all: true })))(host), tooLate])
}
