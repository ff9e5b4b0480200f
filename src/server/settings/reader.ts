import { readFileSync } from 'node:fs'

type Environment = Record<string, string | undefined>

/** Error for invalid environment values; its message, a line for each, is all that is printed. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** Returns the error for a value, with what would be accepted. */
export type Refuse = (accepted: string) => SettingsError

/** Reads one setting; an empty value counts as unset. */
export type Read = <T>(name: string, otherwise: T, parse: (value: string, refuse: Refuse) => T) => T

/** A setting as `npm run config` prints it. */
export interface SettingInForce {
  name: string
  /** Without secrets. */
  value: string
  from: 'default' | 'environment' | 'file'
}

/** Settings that can also be in the file which `NAME_FILE` names. */
const isSecret = (name: string) =>
  /^(?:(?:DATABASE|SMTP)_URL|(?:ADMIN|DEMO)_PASSWORD|MAILBOX_PASSWORD_\d+|INBOUND_SECRET|SECRETS_KEY|METRICS_TOKEN)$/.test(
    name,
  )

/**
 * Reads settings from the environment. A value that is refused counts as unset, so that all refusals can be reported
 * together.
 */
export function openReader(env: Environment): {
  read: Read
  refusals: string[]
  inForce: SettingInForce[]
} {
  const refusals: string[] = []
  const inForce: SettingInForce[] = []
  const read: Read = (name, otherwise, parse) => {
    try {
      const found = find(env, name)
      if (found === undefined) {
        inForce.push({ name, value: shownDefault(name, otherwise), from: 'default' })
        return otherwise
      }
      const parsed = parse(found.value, (accepted) => refusalOf(name, found.value, accepted))
      inForce.push({ name, value: shownValue(name, found.value), from: found.from })
      return parsed
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      refusals.push(error.message)
      return otherwise
    }
  }
  return { read, refusals, inForce }
}

/**
 * Finds a value in the environment or, for a secret, in the file that the environment names.
 * @throws SettingsError if the file can't be read.
 */
function find(env: Environment, name: string): { value: string; from: 'environment' | 'file' } | undefined {
  const own = env[name]?.trim()
  if (own) return { value: own, from: 'environment' }
  const path = isSecret(name) ? env[`${name}_FILE`]?.trim() : undefined
  if (!path) return undefined
  try {
    const value = readFileSync(path, 'utf8').trim()
    return value ? { value, from: 'file' } : undefined
  } catch {
    throw refusalOf(`${name}_FILE`, path, 'the path of a file that can be read')
  }
}

/** Returns a value without secrets: URLs lose their credentials, and other secrets are shown by their length. */
function shownValue(name: string, value: string): string {
  const shown =
    isSecret(name) && !name.endsWith('_URL')
      ? `${value.length} characters`
      : value.replace(/\/\/[^/]*@/, '//…@').replace(/([?&]password=)[^&]*/i, '$1…')
  return shown.replace(/\s+/g, ' ')
}

function shownDefault(name: string, value: unknown): string {
  if (value === undefined || value === false) return '(not set)'
  if (value === true) return 'on'
  return isSecret(name) ? 'the published one' : `${value as string | number}`
}

const refusalOf = (name: string, value: string, accepted: string) =>
  new SettingsError(`${name}=${shownValue(name, value)} is not valid. Accepted: ${accepted}.`)
