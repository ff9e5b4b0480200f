import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings, SettingsError } from '#server/settings.ts'

test('an empty environment gives the defaults of the README', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    livePort: 6001,
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
    inboundSecret: undefined,
    inboundAddress: undefined,
    inboundAuthservId: undefined,
    secretsKey: undefined,
    mailboxPasswords: new Map(),
    trustProxy: false,
    rateLimits: true,
    preparedStatements: true,
    provider: 'Admin Panel',
    product1Name: 'Linen',
    trialDays: 14,
    drainSeconds: 0,
    backupDir: undefined,
    backupKeep: 7,
    backupKeyFile: undefined,
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
