import { resolve } from 'node:path'
import { openReader, SettingsError, type Read, type SettingInForce } from '#server/settings/reader.ts'
import {
  addressOf,
  bracketed,
  isLoopback,
  readBit,
  readHost,
  readLongSecret,
  readName,
  readOrigin,
  readPassword,
  readPort,
  readProxies,
  readSecretsKey,
  readSender,
  readSwitch,
  wholeNumber,
} from '#server/settings/values.ts'

export { SettingsError }

/** Settings from the environment, parsed once (README.md, "Settings"). */
export interface Settings {
  host: string
  /** 0 means any free port. */
  port: number
  /** Port for live connections. If equal to `port`, both share one server; 0 means any free port. */
  livePort: number
  /** Where browsers open live connections; if undefined, on the page's host, at the port for them. */
  liveUrl: string | undefined
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
  /** Address of a ClamAV daemon, which scans uploads and files of emails; if undefined, no one does. */
  clamdUrl: string | undefined
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
  /** Failed attempts in 15 minutes, to sign in and to use or request links: of one account, and of one IP address. */
  accountAttempts: number
  addressAttempts: number
  /** Longest session without Remember me, and its longest time without a request. */
  sessionHours: number
  idleHours: number
  /** Longest session with Remember me. */
  rememberDays: number
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
  /** An absolute path of a file for changes and security events, besides the log; if undefined, there is none. */
  auditLog: string | undefined
  /** Bearer token of `/api/metrics`; if undefined, there are no metrics. */
  metricsToken: string | undefined
  /** Seconds between SIGTERM and the end of listening, in which load balancers notice that `/api/ready` answers 503. */
  drainSeconds: number
  /** Seconds between SIGTERM and the end of the process, whatever is still running. */
  stopSeconds: number
  /** Longest time in which a request must have arrived. */
  requestSeconds: number
  /** Connections from browsers and proxies. */
  mostConnections: number
  /** Connections of this process to the database, besides those of jobs and notices. */
  databasePool: number
  /** Longest time of a statement, and longest wait for a lock. */
  statementSeconds: number
  lockSeconds: number
  /** Memory of the embedded PostgreSQL for its pages. */
  sharedBuffersMb: number
  /** What makes this panel less safe than it can be, in sentences for administrators. */
  warnings: string[]
  logLevel: LogLevel
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Password of the demo accounts, published in the README. */
export const publishedPassword = 'demo-password'

/**
 * Reads the settings from the environment.
 * @throws SettingsError with a line for each invalid value: the variable, its value, and the accepted values.
 */
export const readSettings = (env: Environment): Settings => readAll(env).settings

/**
 * Returns every setting as it is in force, without secrets.
 * @throws SettingsError
 */
export const settingsInForce = (env: Environment): SettingInForce[] => readAll(env).inForce

type Environment = Record<string, string | undefined>

function readAll(env: Environment): { settings: Settings; inForce: SettingInForce[] } {
  const { read, refusals, inForce } = openReader(env)
  const { exposedBy, ...addresses } = readAddresses(read)
  const database = readDatabase(read)
  const settings = {
    ...addresses,
    ...database,
    ...readDemo(read, exposedBy, database.databaseUrl),
    exposed: exposedBy !== undefined,
    dataDir: read('DATA_DIR', resolve('.data'), (value) => resolve(value)),
    smtpUrl: read('SMTP_URL', undefined, addressOf('smtp', 'smtps')),
    mailFrom: read('MAIL_FROM', undefined, readSender),
    filesUrl: read<string | undefined>('FILES_URL', undefined, (_value, refuse) => {
      throw refuse('no value yet; files are stored in DATA_DIR/files')
    }),
    clamdUrl: read('CLAMD_URL', undefined, addressOf('tcp', 'unix')),
    ...readIncoming(env, read),
    rateLimits: read('RATE_LIMITS', true, (value, refuse) => {
      if (value === 'off' && !isLoopback(addresses.host))
        throw refuse(`off only on a loopback address, but HOST is ${addresses.host}`)
      return readSwitch(value, refuse)
    }),
    ...readSignIn(read),
    provider: read('PROVIDER', 'Admin Panel', readName),
    product1Name: read('PRODUCT_1_NAME', 'Linen', readName),
    trialDays: read('TRIAL_DAYS', 14, wholeNumber(1, 365)),
    ...readOperations(read),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', (value, refuse) => {
      const level = logLevels.find((one) => one === value)
      if (!level) throw refuse(logLevels.join(', '))
      return level
    }),
  }
  if (refusals.length > 0) throw new SettingsError(refusals.join('\n'))
  return { settings, inForce }
}

/** Reads where the panel listens, and where browsers find it; `exposedBy` says why other machines can reach it. */
function readAddresses(read: Read) {
  const host = read('HOST', '127.0.0.1', readHost)
  const port = read('PORT', 3000, readPort)
  const isInsecureAllowed = read('ALLOW_INSECURE', false, readBit)
  const ownUrl = read<string | undefined>('PUBLIC_URL', undefined, (value, refuse) => {
    const url = readOrigin(value, refuse)
    if (isInsecure(url) && !isInsecureAllowed)
      throw refuse('an address with https, or ALLOW_INSECURE=1 in a network that you trust')
    return url
  })
  const publicUrl = ownUrl ?? (port === 0 ? undefined : `http://${bracketed(host)}:${port}`)
  const trustProxy = read<false | number | string[]>('TRUST_PROXY', false, readProxies)
  const isPublic = ownUrl !== undefined && !isLocal(ownUrl)
  return {
    host,
    port,
    publicUrl,
    trustProxy,
    // Behind a proxy, one port is enough.
    livePort: read('LIVE_PORT', isPublic || trustProxy !== false ? port : 6001, readPort),
    liveUrl: read('LIVE_URL', undefined, readOrigin),
    warnings:
      ownUrl !== undefined && isInsecure(ownUrl)
        ? [`Passwords and customer data are sent unencrypted, because PUBLIC_URL=${ownUrl} has no https.`]
        : [],
    exposedBy: !isLoopback(host)
      ? `HOST=${host}`
      : isPublic
        ? `PUBLIC_URL=${publicUrl}`
        : trustProxy !== false
          ? 'TRUST_PROXY'
          : undefined,
  }
}

const isLocal = (url: string) => isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'))
const isInsecure = (url: string) => new URL(url).protocol === 'http:' && !isLocal(url)

const readDatabase = (read: Read) => ({
  databaseUrl: read('DATABASE_URL', undefined, addressOf('postgres', 'postgresql')),
  databasePool: read('DATABASE_POOL', 20, wholeNumber(2, 200)),
  statementSeconds: read('STATEMENT_SECONDS', 5, wholeNumber(1, 300)),
  lockSeconds: read('LOCK_SECONDS', 2, wholeNumber(1, 60)),
  sharedBuffersMb: read('SHARED_BUFFERS_MB', 128, wholeNumber(16, 65_536)),
  preparedStatements: read('PREPARED_STATEMENTS', true, readSwitch),
})

/** Reads the settings of the first users; the published password is for panels that no one else can reach. */
function readDemo(read: Read, exposedBy: string | undefined, databaseUrl: string | undefined) {
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
    demoPassword,
    adminPassword: read('ADMIN_PASSWORD', undefined, readPassword),
    demoData: read<boolean | 'when-fresh'>(
      'DEMO_DATA',
      databaseUrl === undefined && demoPassword !== undefined ? 'when-fresh' : false,
      (value, refuse) => {
        const isWanted = readBit(value, refuse)
        if (isWanted && demoPassword === undefined)
          throw refuse(`1 only with DEMO_PASSWORD, because others can reach the panel (${exposedBy})`)
        return isWanted
      },
    ),
  }
}

/** Reads how long sessions last, and how many attempts a person has. */
const readSignIn = (read: Read) => ({
  sessionHours: read('SESSION_HOURS', 12, wholeNumber(1, 720)),
  idleHours: read('IDLE_HOURS', 8, wholeNumber(1, 720)),
  rememberDays: read('REMEMBER_DAYS', 30, wholeNumber(1, 365)),
  accountAttempts: read('ACCOUNT_ATTEMPTS', 10, wholeNumber(3, 1000)),
  addressAttempts: read('ADDRESS_ATTEMPTS', 30, wholeNumber(3, 100_000)),
})

/** Reads the settings of backups, metrics, limits, and stopping. */
function readOperations(read: Read) {
  const drainSeconds = read('DRAIN_SECONDS', 0, wholeNumber(0, 60))
  return {
    backupDir: read<string | undefined>('BACKUP_DIR', undefined, (value) => resolve(value)),
    backupKeep: read('BACKUP_KEEP', 7, wholeNumber(1, 999)),
    backupKeyFile: read<string | undefined>('BACKUP_KEY_FILE', undefined, (value) => resolve(value)),
    auditLog: read<string | undefined>('AUDIT_LOG', undefined, (value) => resolve(value)),
    metricsToken: read('METRICS_TOKEN', undefined, readLongSecret),
    drainSeconds,
    stopSeconds: read('STOP_SECONDS', 30 + drainSeconds, wholeNumber(drainSeconds + 5, 600)),
    requestSeconds: read('REQUEST_SECONDS', 60, wholeNumber(10, 600)),
    mostConnections: read('MOST_CONNECTIONS', 2000, wholeNumber(50, 100_000)),
  }
}

/** Reads the settings of incoming email and of other gateways. */
const readIncoming = (env: Environment, read: Read) => ({
  inboundSecret: read('INBOUND_SECRET', undefined, readLongSecret),
  inboundAddress: read<string | undefined>('INBOUND_ADDRESS', undefined, (value, refuse) => {
    if (!/^[a-z0-9._-]{1,30}@[a-z0-9.-]+$/i.test(value))
      throw refuse('an address without a plus sign, such as replies@example.com')
    return value.toLowerCase()
  }),
  inboundAuthservId: read<string | undefined>('INBOUND_AUTHSERV_ID', undefined, (value, refuse) => {
    if (!/^[\w.-]{1,200}$/.test(value)) throw refuse('a name such as mx.example.com')
    return value
  }),
  secretsKey: read('SECRETS_KEY', undefined, readSecretsKey),
  mailboxPasswords: readMailboxPasswords(env, read),
})

function readMailboxPasswords(env: Environment, read: Read): Map<number, string> {
  const passwords = new Map<number, string>()
  for (const variable of Object.keys(env)) {
    const [, name, number] = /^(MAILBOX_PASSWORD_(\d{1,6}))(?:_FILE)?$/.exec(variable) ?? []
    if (name === undefined || passwords.has(Number(number))) continue
    const password = read<string | undefined>(name, undefined, (value) => value)
    if (password !== undefined) passwords.set(Number(number), password)
  }
  return passwords
}
