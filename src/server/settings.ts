import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'

/** Settings from the environment, parsed once (README.md, "Settings"). */
export interface Settings {
  host: string
  /** 0 means any free port. */
  port: number
  /** Port for live connections. If equal to `port`, both share one server; 0 means any free port. */
  livePort: number
  /**
   * Without a trailing slash. Undefined if `port` is 0: the URL is then `http://HOST:` followed by the port
   * that was assigned.
   */
  publicUrl: string | undefined
  /** An absolute path. */
  dataDir: string
  /** Undefined means that the embedded PostgreSQL in `dataDir` is used. */
  databaseUrl: string | undefined
  demoData: boolean | 'when-fresh'
  /**
   * Whether other machines can reach the panel: HOST or PUBLIC_URL is not a loopback address, or there is a
   * proxy in front of it.
   */
  exposed: boolean
  /**
   * Undefined if demo data cannot be loaded: the panel is reachable by others and no demo password is set.
   */
  demoPassword: string | undefined
  adminPassword: string | undefined
  smtpUrl: string | undefined
  mailFrom: string | undefined
  filesUrl: string | undefined
  /** Secret that gateways must send with comments and tickets; if undefined, none are accepted. */
  inboundSecret: string | undefined
  /**
   * Address at which replies arrive, with a secret after a plus sign (`replies+…@linen.example`); if undefined,
   * replies go to the authors of emails.
   */
  inboundAddress: string | undefined
  /**
   * Name under which our own mail server reports what it found about a sender (Authentication-Results, RFC
   * 8601). The mail server must remove such headers from emails that arrive with its name.
   */
  inboundAuthservId: string | undefined
  /** Key that encrypts secrets in the database, such as passwords of mailboxes; if undefined, none are stored. */
  secretsKey: Buffer | undefined
  /** Passwords of mailboxes by the number in MAILBOX_PASSWORD_1, and so on. */
  mailboxPasswords: ReadonlyMap<number, string>
  /** Number of proxies in front of the panel, or their addresses. */
  trustProxy: false | number | string[]
  rateLimits: boolean
  /**
   * Off: sends statements as node-postgres does, without its internals and without prepared statements, which
   * some connection poolers don't support (docs/decisions/006-what-a-request-costs.md).
   */
  preparedStatements: boolean
  provider: string
  product1Name: string
  /** Length of an organization's trial, in days. */
  trialDays: number
  /** An absolute path of a folder for a backup every night; if undefined, none is made. */
  backupDir: string | undefined
  /** Number of backups that are kept in it. */
  backupKeep: number
  /** Path of the file with the key that encrypts them. */
  backupKeyFile: string | undefined
  /** Bearer token of `/api/metrics`; if undefined, there are no metrics. */
  metricsToken: string | undefined
  /** Seconds between SIGTERM and the end of listening, in which load balancers notice that `/api/ready` answers 503. */
  drainSeconds: number
  logLevel: LogLevel
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Password of the demo accounts, published in the README. */
export const publishedPassword = 'demo-password'

/** Error for an invalid environment value; its message is the only line printed. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/**
 * Reads the settings from the environment; an empty value counts as unset.
 * @throws SettingsError that names the variable, its value, and the accepted values.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const read: Read = (name, otherwise, parse) => {
    const value = env[name]?.trim()
    return value ? parse(value, settingsErrorFactory(name, value)) : otherwise
  }

  const host = read('HOST', '127.0.0.1', readHost)
  const local = isLoopback(host)
  const port = read('PORT', 3000, readPort)
  const databaseUrl = read('DATABASE_URL', undefined, addressOf('postgres', 'postgresql'))
  const publicUrl = read(
    'PUBLIC_URL',
    port === 0 ? undefined : `http://${bracketed(host)}:${port}`,
    readOrigin,
  )
  const trustProxy = read<false | number | string[]>('TRUST_PROXY', false, readProxies)
  const exposedBy = !local
    ? `HOST=${host}`
    : publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1'))
      ? `PUBLIC_URL=${publicUrl}`
      : trustProxy !== false
        ? 'TRUST_PROXY'
        : undefined
  const demoPassword = read(
    'DEMO_PASSWORD',
    exposedBy === undefined ? publishedPassword : undefined,
    (value, refuse) => {
      if (exposedBy !== undefined && value === publishedPassword)
        throw refuse(
          `a password other than the published one, because others can reach the panel (${exposedBy})`,
        )
      return readPassword(value, refuse)
    },
  )

  return {
    host,
    port,
    livePort: read('LIVE_PORT', 6001, readPort),
    publicUrl,
    dataDir: read('DATA_DIR', resolve('.data'), (value) => resolve(value)),
    databaseUrl,
    demoData: read<boolean | 'when-fresh'>(
      'DEMO_DATA',
      databaseUrl === undefined && demoPassword !== undefined ? 'when-fresh' : false,
      (value, refuse) => {
        if (value !== '0' && value !== '1') throw refuse('0 or 1')
        if (value === '1' && demoPassword === undefined)
          throw refuse(`1 only with DEMO_PASSWORD, because others can reach the panel (${exposedBy})`)
        return value === '1'
      },
    ),
    exposed: exposedBy !== undefined,
    demoPassword,
    adminPassword: read('ADMIN_PASSWORD', undefined, readPassword),
    smtpUrl: read('SMTP_URL', undefined, addressOf('smtp', 'smtps')),
    mailFrom: read('MAIL_FROM', undefined, readSender),
    filesUrl: read('FILES_URL', undefined, (_value, refuse) => {
      throw refuse('no value yet; files are stored in DATA_DIR/files')
    }),
    ...readIncoming(env, read),
    trustProxy,
    preparedStatements: read('PREPARED_STATEMENTS', true, readSwitch),
    rateLimits: read('RATE_LIMITS', true, (value, refuse) => {
      if (value === 'off' && !local) throw refuse(`off only on a loopback address, but HOST is ${host}`)
      return readSwitch(value, refuse)
    }),
    provider: read('PROVIDER', 'Admin Panel', readName),
    product1Name: read('PRODUCT_1_NAME', 'Linen', readName),
    trialDays: read('TRIAL_DAYS', 14, readTrialDays),
    ...readOperations(env, read),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', (value, refuse) => {
      const level = logLevels.find((one) => one === value)
      if (!level) throw refuse(logLevels.join(', '))
      return level
    }),
  }
}

/**
 * Returns a secret from the variable, or from the file that `NAME_FILE` names.
 * @throws SettingsError if the file can't be read.
 */
function readSecret(env: Record<string, string | undefined>, name: string): string | undefined {
  const path = env[`${name}_FILE`]?.trim()
  const value = env[name]?.trim()
  if (value || !path) return value || undefined
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    throw settingsErrorFactory(`${name}_FILE`, path)('the path of a file that can be read')
  }
}

function readMetricsToken(env: Record<string, string | undefined>): string | undefined {
  const value = readSecret(env, 'METRICS_TOKEN')
  if (value !== undefined && value.length < 16)
    throw settingsErrorFactory('METRICS_TOKEN', value)('at least 16 characters')
  return value
}

function readSecretsKey(env: Record<string, string | undefined>): Buffer | undefined {
  const value = readSecret(env, 'SECRETS_KEY')
  if (value === undefined) return undefined
  const key = Buffer.from(value, /^[\da-f]{64}$/i.test(value) ? 'hex' : 'base64')
  if (key.length !== 32)
    throw settingsErrorFactory(
      'SECRETS_KEY',
      value,
    )('32 random bytes as base64 or hex (openssl rand -base64 32)')
  return key
}

function readMailboxPasswords(env: Record<string, string | undefined>): Map<number, string> {
  const passwords = new Map<number, string>()
  for (const variable of Object.keys(env)) {
    const [, name, number] = /^(MAILBOX_PASSWORD_(\d{1,6}))(?:_FILE)?$/.exec(variable) ?? []
    const password = name === undefined ? undefined : readSecret(env, name)
    if (password !== undefined) passwords.set(Number(number), password)
  }
  return passwords
}

type Read = <T>(name: string, otherwise: T, parse: (value: string, refuse: Refuse) => T) => T

/** Reads the settings of backups, metrics, and stopping. */
const readOperations = (env: Record<string, string | undefined>, read: Read) => ({
  backupDir: read<string | undefined>('BACKUP_DIR', undefined, (value) => resolve(value)),
  backupKeep: read('BACKUP_KEEP', 7, (value, refuse) => {
    if (!/^[1-9]\d{0,2}$/.test(value)) throw refuse('1 to 999')
    return Number(value)
  }),
  backupKeyFile: read<string | undefined>('BACKUP_KEY_FILE', undefined, (value) => resolve(value)),
  metricsToken: readMetricsToken(env),
  drainSeconds: read('DRAIN_SECONDS', 0, (value, refuse) => {
    if (!/^\d{1,2}$/.test(value) || Number(value) > 60) throw refuse('0 to 60')
    return Number(value)
  }),
})

/** Reads the settings of incoming email and of other gateways. */
const readIncoming = (env: Record<string, string | undefined>, read: Read) => ({
  inboundSecret: read<string | undefined>('INBOUND_SECRET', undefined, (value, refuse) => {
    if (value.length < 16) throw refuse('16 characters or more')
    return value
  }),
  inboundAddress: read<string | undefined>('INBOUND_ADDRESS', undefined, (value, refuse) => {
    if (!/^[a-z0-9._-]{1,30}@[a-z0-9.-]+$/i.test(value))
      throw refuse('an address without a plus sign, such as replies@example.com')
    return value.toLowerCase()
  }),
  inboundAuthservId: read<string | undefined>('INBOUND_AUTHSERV_ID', undefined, (value, refuse) => {
    if (!/^[\w.-]{1,200}$/.test(value)) throw refuse('a name such as mx.example.com')
    return value
  }),
  secretsKey: readSecretsKey(env),
  mailboxPasswords: readMailboxPasswords(env),
})

function readSwitch(value: string, refuse: Refuse): boolean {
  if (value !== 'on' && value !== 'off') throw refuse('on or off')
  return value === 'on'
}

/** Returns whether a listen address is reachable from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Formats a host for a URL, with brackets around an IPv6 address. */
export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)

type Refuse = (accepted: string) => SettingsError

/**
 * Returns a function that creates errors for a setting. Secrets are kept off the terminal: credentials are
 * removed from URLs, and only the length of other secrets is shown.
 */
function settingsErrorFactory(name: string, value: string): Refuse {
  const shown = /PASSWORD$|SECRET$|_KEY$/.test(name)
    ? `${value.length} characters`
    : value.replace(/\/\/[^/]*@/, '//…@')
  return (accepted) =>
    new SettingsError(`${name}=${shown.replace(/\s+/g, ' ')} is not valid. Accepted: ${accepted}.`)
}

function readHost(value: string, refuse: Refuse): string {
  const host = value.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) === 0 && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host))
    throw refuse('an IP address or a hostname')
  return host
}

function readPort(value: string, refuse: Refuse): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw refuse('a port from 1 to 65535, or 0 for any free port')
  return port
}

function readOrigin(value: string, refuse: Refuse): string {
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

function addressOf(...schemes: string[]) {
  return (value: string, refuse: Refuse): string => {
    if (!URL.canParse(value) || !schemes.includes(new URL(value).protocol.slice(0, -1)))
      throw refuse(`a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
    return value
  }
}

function readPassword(value: string, refuse: Refuse): string {
  if (value.length < 8 || value.length > 200) throw refuse('8 to 200 characters')
  return value
}

function readSender(value: string, refuse: Refuse): string {
  if (!/^([^<>"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(value))
    throw refuse('panel@example.com or Admin Panel <panel@example.com>')
  return value
}

function readName(value: string, refuse: Refuse): string {
  if (value.length > 60) throw refuse('at most 60 characters')
  return value
}

function readTrialDays(value: string, refuse: Refuse): number {
  const days = Number(value)
  if (!/^\d{1,3}$/.test(value) || days < 1 || days > 365) throw refuse('1 to 365')
  return days
}

function readProxies(value: string, refuse: Refuse): number | string[] {
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
