import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { encryptMailboxSecret, type MailboxSecret } from '#server/inbound/mailbox-secrets.ts'
import { startImapServer, testCertificate } from '#server/inbound/imap.testing.ts'

const key = randomBytes(32)
const env = { SECRETS_KEY: key.toString('base64'), INBOUND_ADDRESS: 'replies@linen.example' }
const input = {
  address: 'support@linen.example',
  host: 'imap.linen.example',
  port: 993,
  username: 'support',
  folder: 'INBOX',
  sign_in: 'password',
  password: 'very secret words',
  unknown_becomes: 'unsorted',
  is_on: false,
}
const path = '/admin/settings/mailboxes'
const email = (number: number, more = '') =>
  `Message-ID: <${number}@client.example>\r\nFrom: c${number}@client.example\r\nTo: support@linen.example\r\nSubject: Email ${number}\r\n${more}\r\nText ${number}\r\n`

async function withMailbox(
  secret: MailboxSecret = { password: 'testpass' },
  { more = {}, certificate = testCertificate, extraOrigin = '' } = {},
) {
  const server = await startImapServer()
  const started = await startTestApp({
    env,
    outside: { certificate, ...(extraOrigin ? { extraOrigin } : {}) },
  })
  const { app, db } = started
  app.mailboxes.pausesMs = [20]
  const { id } = await db
    .insertInto('mailboxes')
    .values({
      address: 'support@linen.example',
      host: 'localhost',
      port: server.port,
      username: 'testuser',
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('mailboxes')
    .set({ secret: encryptMailboxSecret(key, id, secret) })
    .where('id', '=', id)
    .execute()
  return { ...started, id, server }
}

const subjects = async ({ db }: Pick<TestApp, 'db'>) =>
  (await db.selectFrom('received_mails').select('subject').orderBy('id').execute()).map(
    ({ subject }) => subject,
  )
const inTime = { timeout: 30_000, interval: 50 }

test('emails in a mailbox arrive once each, those that are there and those that come, and are marked as read', async () => {
  const started = await withMailbox()
  const { app, as, server } = started
  server.append(email(1))
  server.append(email(2))
  server.append(email(3), new Date('2020-01-01'))
  app.mailboxes.start()
  await expect.poll(() => subjects(started)).toEqual(['Email 1', 'Email 2'])
  expect(server.inbox().messages[0]!.flags).toContain('\\Seen')
  // While the reader waits, the server announces it.
  await new Promise((done) => setTimeout(done, 300))
  server.append(email(4))
  await vi.waitFor(
    async () => expect(await subjects(started)).toEqual(['Email 1', 'Email 2', 'Email 4']),
    inTime,
  )
  expect((await as('admin').get(path))['data']).toMatchObject([
    { state: 'connected', error: '', received_today: 3 },
  ])
})

test('a connection that is cut off in the middle, and a new UIDVALIDITY, repeat no email and lose none', async () => {
  const started = await withMailbox()
  const { app, server, db, id } = started
  const all = Array.from({ length: 40 }, (_, index) => `Email ${index + 1}`)
  for (let number = 1; number <= 40; number += 1) server.append(email(number))
  app.mailboxes.start()
  let cuts = 0
  await vi.waitFor(
    async () => {
      const count = (await subjects(started)).length
      if (count < 40 && count > cuts * 8) {
        cuts += 1
        server.cut()
      }
      expect(count).toBe(40)
    },
    { timeout: 30_000, interval: 10 },
  )
  expect(cuts).toBeGreaterThan(1)
  expect(await subjects(started)).toEqual(all)
  server.inbox().uidvalidity = 8
  server.append(email(41))
  server.cut()
  await expect.poll(() => subjects(started)).toEqual([...all, 'Email 41'])
  await vi.waitFor(async () => {
    const row = await db.selectFrom('mailboxes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ uid_validity: 8, last_uid: 41 })
  }, inTime)
})

test('an email that can’t be saved is tried three times and skipped, and those after it arrive', async () => {
  const started = await withMailbox()
  const { app, db, server } = started
  await sql`create sequence poison_tries`.execute(db)
  await sql`create function refuse_poison() returns trigger language plpgsql as $$
    begin perform nextval('poison_tries'); raise exception 'poison'; end $$`.execute(db)
  await sql`create trigger refuse_poison before insert on received_mails for each row
    when (new.subject = 'Email 2') execute function refuse_poison()`.execute(db)
  for (const number of [1, 2, 3]) server.append(email(number))
  app.mailboxes.start()
  await expect.poll(() => subjects(started)).toEqual(['Email 1', 'Email 3'])
  const { rows } = await sql<{ tries: number }>`select last_value::int as tries from poison_tries`.execute(db)
  expect(rows).toEqual([{ tries: 3 }])
})

test('a certificate that isn’t trusted, and a wrong password, are refused, and the state says so without secrets', async () => {
  const wrong = await withMailbox({ password: 'not-the-password' })
  wrong.app.mailboxes.start()
  await vi.waitFor(
    async () =>
      expect((await wrong.as('admin').get(path))['data']).toMatchObject([
        { state: 'failed', error: expect.stringMatching(/^Sign-in failed/) },
      ]),
    inTime,
  )
  expect((await wrong.as('admin').get(path)).text).not.toContain('not-the-password')
  const untrusted = await withMailbox(undefined, { certificate: '' })
  untrusted.server.append(email(1))
  untrusted.app.mailboxes.start()
  await vi.waitFor(
    async () =>
      expect((await untrusted.as('admin').get(path))['data']).toMatchObject([
        { state: 'failed', error: expect.stringMatching(/self-signed certificate/) },
      ]),
    inTime,
  )
  expect(await subjects(untrusted)).toEqual([])
})

test('OAuth 2 signs in with a token that its server gives for the refresh token', async () => {
  let asked = ''
  const oauth = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (asked += chunk.toString()))
    request.on('end', () => response.end('{"access_token":"testtoken"}'))
  })
  await new Promise<void>((ready) => oauth.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void oauth.close())
  const extraOrigin = `http://127.0.0.1:${(oauth.address() as AddressInfo).port}`
  const started = await withMailbox(
    { client_secret: 'c-secret', refresh_token: 'r-token' },
    { more: { sign_in: 'oauth2', token_url: `${extraOrigin}/token`, client_id: 'panel' }, extraOrigin },
  )
  started.server.append(email(1))
  started.app.mailboxes.start()
  await expect.poll(() => subjects(started)).toEqual(['Email 1'])
  expect(Object.fromEntries(new URLSearchParams(asked))).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: 'r-token',
  })
})

test('two processes read a mailbox one at a time', async () => {
  const started = await withMailbox()
  const { app, db, server } = started
  await db
    .updateTable('mailboxes')
    .set({ read_by: 'another process', read_until: new Date(Date.now() + 3600_000).toISOString() })
    .execute()
  server.append(email(1))
  app.mailboxes.start()
  await new Promise((done) => setTimeout(done, 400))
  expect(server.sockets.size).toBe(0)
  await db.updateTable('mailboxes').set({ read_until: '2020-01-01T00:00:00Z' }).execute()
  app.mailboxes.wake()
  await expect.poll(() => subjects(started)).toEqual(['Email 1'])
})

test('only roles 0 and 1 see and change mailboxes', async () => {
  const { as } = await startTestApp({ env })
  for (const role of [...roleIds, undefined]) {
    const expected = role === undefined ? 401 : isAdminRole(role) ? [200, 404, 422] : [403]
    for (const call of [
      as(role).get(path),
      as(role).post(path, { ...input, address: `r${String(role)}@linen.example` }),
      as(role).post(`${path}/999999`, { ...input, version: 1 }),
      as(role).post(`${path}/999999/remove`),
    ])
      expect([expected].flat(), String(role)).toContain((await call).status)
  }
})

test('a password is stored encrypted, and is in no reply, log, or audit row', async () => {
  const { as, db } = await startTestApp({ env })
  const admin = as('admin')
  const { data, text } = await admin.post(path, input)
  expect(data).toMatchObject({ address: 'support@linen.example', secret_from: 'database' })
  const changed = await admin.post(`${path}/${data.id}`, {
    ...input,
    password: '',
    folder: 'Support',
    version: 1,
  })
  expect(changed['data']).toMatchObject({ folder: 'Support', secret_from: 'database', version: 2 })
  const stored = await db.selectFrom('mailboxes').selectAll().executeTakeFirstOrThrow()
  const audit = await db.selectFrom('audit_log').selectAll().execute()
  const keys = await db.selectFrom('idempotency_keys').selectAll().execute()
  for (const shown of [
    text,
    changed.text,
    (await admin.get(path)).text,
    JSON.stringify([audit, keys]),
    stored.secret!.toString('latin1'),
  ])
    expect(shown).not.toContain(input.password)
  // Control: the address, which is not a secret, is in all of them but the encrypted one.
  expect(JSON.stringify(audit)).toContain('support@linen.example')
  // Another server must not get the password that was entered for this one.
  const moved = await admin.post(`${path}/${data.id}`, {
    ...input,
    password: '',
    host: 'evil.example',
    version: 2,
  })
  expect(moved['data']).toMatchObject({ host: 'evil.example', secret_from: null })
  expect(await admin.post(`${path}/${data.id}`, { ...input, version: 1 })).toMatchObject({ status: 409 })
  expect(await admin.post(`${path}/${data.id}/remove`)).toMatchObject({ status: 200 })
  expect((await admin.get(path))['data']).toEqual([])
})

test('invalid mailboxes get an error per field; without SECRETS_KEY no password is stored, but one from the environment works', async () => {
  const file = `${process.env['TMPDIR'] ?? '/tmp'}/mailbox-password-${process.pid}`
  await writeFile(file, 'from the file\n')
  const { as, app } = await startTestApp({ env: { MAILBOX_PASSWORD_1_FILE: file } })
  const admin = as('admin')
  expect(app.settings.mailboxPasswords.get(1)).toBe('from the file')
  const errors = async (more: object) =>
    Object.keys((await admin.post(path, { ...input, password: '', ...more }))['errors'] ?? {})
  expect(await errors({ address: 'nobody' })).toEqual(['address'])
  expect(await errors({ host: 'http://x/' })).toEqual(['host'])
  expect(await errors({ port: 25 })).toEqual(['port'])
  expect(await errors({ password: 'x' })).toEqual(['password'])
  expect(await errors({ sign_in: 'oauth2', token_url: 'http://127.0.0.1/token', client_id: 'x' })).toEqual([
    'token_url',
  ])
  expect(await errors({})).toEqual([])
  expect(await errors({})).toEqual(['address'])
  expect((await admin.get(path))['data']).toMatchObject([{ secret_from: 'environment' }])
})
