import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings, SettingsError, settingsInForce } from '#server/settings/settings.ts'

test('an empty environment gives the defaults of the README', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    livePort: 6001,
    liveUrl: undefined,
    publicUrl: 'http://127.0.0.1:3000',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    demoData: 'when-fresh',
    exposed: false,
    demoPassword: 'demo-password',
    adminPassword: undefined,
    smtpUrl: undefined,
    mailFrom: undefined,
    filesUrl: undefined,
    clamdUrl: undefined,
    inboundSecret: undefined,
    inboundAddress: undefined,
    inboundAuthservId: undefined,
    secretsKey: undefined,
    mailboxPasswords: new Map(),
    trustProxy: false,
    rateLimits: true,
    accountAttempts: 10,
    addressAttempts: 30,
    sessionHours: 12,
    idleHours: 8,
    rememberDays: 30,
    preparedStatements: true,
    provider: 'Admin Panel',
    product1Name: 'Linen',
    trialDays: 14,
    databasePool: 20,
    statementSeconds: 5,
    lockSeconds: 2,
    sharedBuffersMb: 128,
    drainSeconds: 0,
    stopSeconds: 30,
    requestSeconds: 60,
    mostConnections: 2000,
    warnings: [],
    backupDir: undefined,
    backupKeep: 7,
    backupKeyFile: undefined,
    auditLog: undefined,
    metricsToken: undefined,
    logLevel: 'info',
  })
})

test('settings are read', () => {
  const settings = readSettings({
    HOST: '0.0.0.0',
    PORT: '8080',
    LIVE_PORT: '0',
    PUBLIC_URL: 'https://panel.example.com/',
    DATA_DIR: '/srv/panel',
    DATABASE_URL: 'postgres://panel:secret@db/panel',
    DEMO_DATA: '1',
    DEMO_PASSWORD: 'something else',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    MAIL_FROM: 'Admin Panel <panel@example.com>',
    SMTP_URL: 'smtp://mail:25',
    LOG_LEVEL: 'warn',
  })
  expect(settings).toMatchObject({
    host: '0.0.0.0',
    port: 8080,
    livePort: 0,
    publicUrl: 'https://panel.example.com',
    dataDir: '/srv/panel',
    demoData: true,
  })
  expect(settings).toMatchObject({
    demoPassword: 'something else',
    trustProxy: ['10.0.0.0/8', '::1'],
    mailFrom: 'Admin Panel <panel@example.com>',
    logLevel: 'warn',
  })
})

test('an empty value counts as unset', () => {
  expect(readSettings({ PORT: '', HOST: ' ' })).toMatchObject({ host: '127.0.0.1', port: 3000 })
})

test.each([
  [{ PORT: '0' }, undefined],
  [{ PORT: '80' }, 'http://127.0.0.1:80'],
  [{ HOST: '::1' }, 'http://[::1]:3000'],
  [{ HOST: 'localhost', PUBLIC_URL: 'http://[::1]:9' }, 'http://[::1]:9'],
])('%j has the public URL %s', (env, publicUrl) => {
  expect(readSettings(env).publicUrl).toBe(publicUrl)
})

test.each([
  [{}, 6001],
  [{ PORT: '80' }, 6001],
  [{ PUBLIC_URL: 'http://localhost:9' }, 6001],
  [{ PORT: '80', TRUST_PROXY: '1' }, 80],
  [{ PUBLIC_URL: 'https://panel.example.com' }, 3000],
  [{ TRUST_PROXY: '1', LIVE_PORT: '6001' }, 6001],
])('with %j, live connections use port %s', (env, livePort) => {
  expect(readSettings(env).livePort).toBe(livePort)
})

test('an address without encryption is used only on request, with a warning', () => {
  const env = { PUBLIC_URL: 'http://panel.example.com' }
  expect(() => readSettings(env)).toThrow(/^PUBLIC_URL=http:.* https, or ALLOW_INSECURE=1/)
  expect(readSettings({ ...env, ALLOW_INSECURE: '1' })).toMatchObject({
    publicUrl: 'http://panel.example.com',
    warnings: [expect.stringContaining('unencrypted')],
  })
  expect(readSettings({ PUBLIC_URL: 'https://panel.example.com', ALLOW_INSECURE: '1' }).warnings).toEqual([])
})

test('all values that are not valid are named together', () => {
  const read = () => readSettings({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_POOL: '1', SMTP_URL: 'mail' })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(/^PORT=x .*\nDATABASE_POOL=1 .*2 to 200\.\nSMTP_URL=mail .*\nLOG_LEVEL=loud [^\n]*$/)
})

test('secrets are read from files, and never shown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'panel-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), `${text}\n`)
    return join(folder, name)
  }
  const env = {
    DATABASE_URL_FILE: fileOf('database', 'postgres://panel:secret-one@db/panel?password=secret-two'),
    SMTP_URL_FILE: fileOf('smtp', 'smtp://panel:secret-three@mail:25'),
    ADMIN_PASSWORD_FILE: fileOf('admin', 'secret-four'),
    MAILBOX_PASSWORD_3_FILE: fileOf('mailbox', 'secret-five'),
    METRICS_TOKEN: 'secret-six-of-metrics',
  }
  expect(readSettings(env)).toMatchObject({
    databaseUrl: 'postgres://panel:secret-one@db/panel?password=secret-two',
    adminPassword: 'secret-four',
    mailboxPasswords: new Map([[3, 'secret-five']]),
    metricsToken: 'secret-six-of-metrics',
  })
  const shown = settingsInForce(env)
  expect(JSON.stringify(shown)).not.toContain('secret-')
  expect(shown).toEqual(
    expect.arrayContaining([
      { name: 'DATABASE_URL', value: 'postgres://…@db/panel?password=…', from: 'file' },
      { name: 'METRICS_TOKEN', value: '21 characters', from: 'environment' },
      { name: 'DATABASE_POOL', value: '20', from: 'default' },
    ]),
  )
  expect(() => readSettings({ SMTP_URL_FILE: join(folder, 'none') })).toThrow(
    /^SMTP_URL_FILE=.*can be read\.$/,
  )
})

test.each([
  [{}, 'when-fresh'],
  [{ DEMO_DATA: '0' }, false],
  [{ DEMO_DATA: '1' }, true],
  [{ DATABASE_URL: 'postgresql://db/panel' }, false],
  [{ DATABASE_URL: 'postgresql://db/panel', DEMO_DATA: '1' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ PUBLIC_URL: 'https://panel.example.com' }, false],
  [{ TRUST_PROXY: '1' }, false],
  [{ PUBLIC_URL: 'http://localhost:9' }, 'when-fresh'],
  [{ HOST: '0.0.0.0', DEMO_PASSWORD: 'something else' }, 'when-fresh'],
  [{ HOST: '127.0.0.2' }, 'when-fresh'],
])('%j has demo data: %s', (env, demoData) => {
  expect(readSettings(env).demoData).toBe(demoData)
})

test.each([
  [{ PORT: 'http' }, 'PORT=http is not valid. Accepted: a port from 1 to 65535, or 0 for any free port.'],
  [{ PORT: '70000' }, /^PORT=70000 /],
  [{ LIVE_PORT: '-1' }, /^LIVE_PORT=-1 /],
  [{ HOST: 'a b' }, /^HOST=a b .*an IP address or a hostname\.$/],
  [{ PUBLIC_URL: 'panel.example.com' }, /^PUBLIC_URL=panel\.example\.com .*without a path\.$/],
  [{ PUBLIC_URL: 'https://panel.example.com/admin' }, /^PUBLIC_URL=/],
  [
    { DATABASE_URL: 'mysql://db/panel' },
    /^DATABASE_URL=mysql:\/\/db\/panel .*postgres:\/\/ or postgresql:\/\/\.$/,
  ],
  [{ DEMO_DATA: 'yes' }, 'DEMO_DATA=yes is not valid. Accepted: 0 or 1.'],
  [{ DEMO_DATA: '1', HOST: '0.0.0.0' }, /^DEMO_DATA=1 .*DEMO_PASSWORD/],
  [{ DEMO_DATA: '1', PUBLIC_URL: 'https://panel.example.com' }, /^DEMO_DATA=1 .*DEMO_PASSWORD.*PUBLIC_URL/],
  [{ DEMO_DATA: '1', TRUST_PROXY: '1' }, /^DEMO_DATA=1 .*DEMO_PASSWORD.*TRUST_PROXY/],
  [{ TRUST_PROXY: '1', DEMO_PASSWORD: 'demo-password' }, /^DEMO_PASSWORD=13 characters .*published/],
  [{ SMTP_URL: 'mail:25' }, /^SMTP_URL=/],
  [{ DRAIN_SECONDS: '20', STOP_SECONDS: '20' }, /^STOP_SECONDS=20 .*25 to 600\.$/],
  [{ CLAMD_URL: 'localhost' }, /^CLAMD_URL=.*tcp:\/\/ or unix:\/\/\.$/],
  [{ MAIL_FROM: 'panel' }, /^MAIL_FROM=panel /],
  [{ FILES_URL: '/srv/files' }, /^FILES_URL=/],
  [{ TRUST_PROXY: 'true' }, /^TRUST_PROXY=true /],
  [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY=/],
  [{ PREPARED_STATEMENTS: 'no' }, 'PREPARED_STATEMENTS=no is not valid. Accepted: on or off.'],
  [{ RATE_LIMITS: '0' }, 'RATE_LIMITS=0 is not valid. Accepted: on or off.'],
  [{ RATE_LIMITS: 'off', HOST: '0.0.0.0' }, /^RATE_LIMITS=off .*loopback/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL=loud .*fatal, error, warn, info, debug, trace, silent\.$/],
])('%j is refused in one line', (env, message) => {
  const read = () => readSettings(env)
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(message)
  expect(read).not.toThrow(/\n/)
})

test('a refusal shows no password', () => {
  expect(() => readSettings({ ADMIN_PASSWORD: 'short' })).toThrow(
    'ADMIN_PASSWORD=5 characters is not valid. Accepted: 8 to 200 characters.',
  )
  expect(() => readSettings({ DATABASE_URL: 'mysql://panel:secret@db/panel' })).toThrow(
    'DATABASE_URL=mysql://…@db/panel ',
  )
})
