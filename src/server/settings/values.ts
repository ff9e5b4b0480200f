import { isIP } from 'node:net'
import type { Refuse } from '#server/settings/reader.ts'

/* The values that settings accept. */

export function readSwitch(value: string, refuse: Refuse): boolean {
  if (value !== 'on' && value !== 'off') throw refuse('on or off')
  return value === 'on'
}

export function readBit(value: string, refuse: Refuse): boolean {
  if (value !== '0' && value !== '1') throw refuse('0 or 1')
  return value === '1'
}

/** Returns whether a listen address is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Formats a host for a URL, with brackets around an IPv6 address. */
export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

export function readHost(value: string, refuse: Refuse): string {
  const host = value.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host))
    throw refuse('an IP address or a hostname')
  return host
}

export function readPort(value: string, refuse: Refuse): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw refuse('a port from 1 to 65535, or 0 for any free port')
  return port
}

export function readOrigin(value: string, refuse: Refuse): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOrigin =
    url &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username
  if (!isOrigin) throw refuse('a URL such as https://panel.example.com, without a path')
  return url.origin
}

export function addressOf(...schemes: string[]) {
  return (value: string, refuse: Refuse): string => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol.slice(0, -1)))
      throw refuse(`a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
    return value
  }
}

export function readPassword(value: string, refuse: Refuse): string {
  if (value.length < 8 || value.length > 200) throw refuse('8 to 200 characters')
  return value
}

/** Reads a secret between programs, which no one has to remember. */
export function readLongSecret(value: string, refuse: Refuse): string {
  if (value.length < 16) throw refuse('at least 16 characters')
  return value
}

export function readSecretsKey(value: string, refuse: Refuse): Buffer {
  const key = Buffer.from(value, /^[\da-f]{64}$/i.test(value) ? 'hex' : 'base64')
  if (key.length !== 32) throw refuse('32 random bytes as base64 or hex (openssl rand -base64 32)')
  return key
}

export function readSender(value: string, refuse: Refuse): string {
  if (!/^([^<>"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
    throw refuse('panel@example.com or Admin Panel <panel@example.com>')
  return value
}

export function readName(value: string, refuse: Refuse): string {
  if (value.length > 60) throw refuse('at most 60 characters')
  return value
}

/** Returns a parser of whole numbers within bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (value: string, refuse: Refuse): number => {
    const number = Number(value)
    if (!/^\d{1,9}$/.test(value) || number < least || number > most) throw refuse(`${least} to ${most}`)
    return number
  }

export function readProxies(value: string, refuse: Refuse): number | string[] {
  if (/^[1-9]\d?$/.test(value)) return Number(value)
  const addresses = value.split(',').map((one) => one.trim())
  if (!addresses.every(isNetwork))
    throw refuse(
      'the number of proxies in front (1 to 99), or their addresses separated by commas, such as 10.0.0.0/8',
    )
  return addresses
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}
