// Reads emails from a real Dovecot: a part of scripts/test-servers.ts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Missing } from './missing.ts'
import { signIn, startPanel, stopPanel, type Panel } from '#app/testing/panel.testing.ts'

type Run = (program: string, words: string[]) => string

const password = 'password-of-the-mailbox'
const emails = 200
/** The port of IMAP with TLS; the panel reads no other. */
const port = 993
/** Owner of the emails if this runs as root, whose emails Dovecot doesn't read. */
const nobody = 65_534
const longestWaitMs = 120_000

/**
 * Delivers emails to Dovecot while the panel reads them over IMAP, restarts Dovecot in the middle, and changes the
 * UIDVALIDITY of the inbox: each email must arrive exactly once. The control: with a wrong password, none arrives.
 */
export async function checkDovecot(folder: string, run: Run): Promise<string> {
  const version = run('dovecot', ['--version']).split(' ')[0]!
  if (!(await isFree())) throw new Missing(`port ${port} can’t be used`)
  const dovecot = prepare(folder, run)
  await dovecot.start()
  const panel = await startPanel(join(folder, 'mail-data'), {
    env: {
      DEMO_DATA: '1',
      DEMO_PASSWORD: 'demo-password',
      INBOUND_ADDRESS: 'replies@linen.example',
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      NODE_EXTRA_CA_CERTS: dovecot.certificate,
    },
  })
  try {
    await readFrom(panel, dovecot)
    return `${emails} emails arrived once each, with a restart and a new UIDVALIDITY (Dovecot ${version})`
  } finally {
    await stopPanel(panel)
    await dovecot.stop()
  }
}

async function readFrom(panel: Panel, dovecot: ReturnType<typeof prepare>): Promise<void> {
  const call = await clientOf(panel)
  const path = '/admin/settings/mailboxes'
  const mailbox = {
    address: 'support@linen.example',
    host: 'localhost',
    port,
    username: 'testuser',
    folder: 'INBOX',
    sign_in: 'password',
    password: 'not the password',
    unknown_becomes: 'unsorted',
    is_on: true,
  }
  dovecot.deliver(1, 50)
  const { data } = await call('POST', path, mailbox)
  const state = async () => (await call('GET', path)).data[0] as { state: string; version: number }
  await until('the sign-in fails', async () => (await state()).state === 'failed')
  if ((await subjectsOf(call)).length > 0) throw new Error('An email arrived with a wrong password')
  await call('POST', `${path}/${data.id}`, { ...mailbox, password, version: (await state()).version })

  const arrived = (count: number) =>
    until(`${count} emails arrive`, async () => (await subjectsOf(call)).length >= count)
  await arrived(1)
  await dovecot.stop()
  await dovecot.start()
  await arrived(50)
  // The connection waits with IDLE now.
  dovecot.deliver(51, 150)
  await arrived(150)
  dovecot.renumber()
  dovecot.deliver(151, emails)
  await arrived(emails)
  // Repeated ones would come before the last one.
  const subjects = (await subjectsOf(call)).toSorted()
  const expected = Array.from({ length: emails }, (_, index) => subjectOf(index + 1)).toSorted()
  if (subjects.join() !== expected.join()) throw new Error(`Other emails than delivered: ${subjects.join()}`)
}

const subjectOf = (number: number) => `Email ${number}`

type Call = (method: string, path: string, body?: object) => Promise<{ data: any; total: number }>

async function clientOf(panel: Panel): Promise<Call> {
  const token = await signIn(panel, 'super_admin')
  return async (method, path, body) => {
    const answer = await fetch(`${panel.url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${answer.status} to ${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as { data: any; total: number }
  }
}

/** Returns the subjects of the emails that wait to be sorted. */
async function subjectsOf(call: Call): Promise<string[]> {
  const subjects: string[] = []
  for (let page = 1; ; page += 1) {
    const { data, total } = await call('GET', `/admin/unsorted?search=from-dovecot&page=${page}`)
    subjects.push(...(data as { subject: string }[]).map(({ subject }) => subject))
    if (data.length === 0 || subjects.length >= total) return subjects
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + longestWaitMs
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}`)
    await wait(200)
  }
}

function isFree(): Promise<boolean> {
  const server = createServer()
  return new Promise((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}

/** Prepares a Dovecot with one mailbox in a folder. */
function prepare(folder: string, run: Run) {
  const place = join(folder, 'dovecot')
  const inbox = join(place, 'home', 'Maildir')
  const isRoot = process.getuid?.() === 0
  const [uid, gid] = isRoot ? [nobody, nobody] : [process.getuid!(), process.getgid!()]
  for (const name of ['', 'new', 'cur', 'tmp']) mkdirSync(join(inbox, name), { recursive: true })
  if (isRoot) {
    run('chown', ['-R', `${uid}:${gid}`, join(place, 'home')])
    // The owner of the emails must reach them.
    chmodSync(folder, 0o711)
  }
  const [key, certificate, config] = ['key.pem', 'certificate.pem', 'dovecot.conf'].map((name) =>
    join(place, name),
  ) as [string, string, string]
  run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
  ])
  writeFileSync(config, configOf({ place, key, certificate, uid, gid, isRoot }))
  let running: ReturnType<typeof spawn> | undefined
  const start = async () => {
    const child = spawn('dovecot', ['-F', '-c', config], { stdio: 'ignore', env: pathWithSbin })
    await Promise.race([
      until('Dovecot listens', async () => !(await isFree())),
      once(child, 'exit').then(() => {
        throw new Error('Dovecot ended')
      }),
    ])
    running = child
  }
  return {
    certificate,
    start,
    stop: async () => {
      if (!running || running.exitCode !== null) return
      running.kill('SIGTERM')
      await once(running, 'exit')
    },
    /** Delivers emails by their numbers. */
    deliver: (from: number, to: number) => {
      for (let number = from; number <= to; number += 1) {
        const file = join(inbox, 'new', `${Date.now()}.${number}.localhost`)
        writeFileSync(file, emailOf(number))
        if (isRoot) chownSync(file, uid, gid)
      }
    },
    /** Gives the inbox another UIDVALIDITY, as a restored mailbox has. */
    renumber: () =>
      run('doveadm', [
        ...['-c', config, 'mailbox', 'update', '-u', 'testuser'],
        ...['--uid-validity', String(Math.floor(Date.now() / 1000) + 1000), 'INBOX'],
      ]),
  }
}

const pathWithSbin = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }

const emailOf = (number: number) =>
  [
    `Message-ID: <${number}@from-dovecot.example>`,
    `From: Customer <c${number}@from-dovecot.example>`,
    'To: support@linen.example',
    `Subject: ${subjectOf(number)}`,
    `Date: ${new Date().toUTCString()}`,
    '',
    `Text ${number}`,
    '',
  ].join('\r\n')

interface Config {
  place: string
  key: string
  certificate: string
  uid: number
  gid: number
  isRoot: boolean
}

/** Returns the configuration; without root, all processes run as the caller. */
const configOf = ({ place, key, certificate, uid, gid, isRoot }: Config) => `
base_dir = ${place}/run
state_dir = ${place}/state
log_path = ${place}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${certificate}
ssl_key = <${key}
first_valid_uid = 1
mail_location = maildir:~/Maildir
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${place}/home
}
service imap-login {
  ${isRoot ? '' : 'chroot ='}
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
${isRoot ? '' : `default_internal_user = ${process.env['USER']}\ndefault_login_user = ${process.env['USER']}\nservice anvil {\n  chroot =\n}`}
`
