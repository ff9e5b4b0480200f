import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getChromium } from '../scripts/chromium.ts'
import { startMailSink } from './mail-sink.ts'

/** Secret sent by the mail gateway. */
export const inboundSecret = 'a-secret-of-the-journeys-gateway'
const root = join(import.meta.dirname, '..')
const startMs = 60_000
/**
 * Time allowed for stopping the server: ten seconds for requests in flight, plus time for the database's
 * checkpoint.
 */
const stopMs = 20_000

/**
 * Finds Chromium and starts the production server with demo data for the whole run; returns a function that
 * stops the server. Tests find the server at PANEL_URL, and the emails it sends at MAILS_URL. If PANEL_URL is
 * already set, that panel is used instead.
 */
export default async function startServer(): Promise<() => Promise<void>> {
  process.env['CHROMIUM_PATH'] = getChromium()
  if (process.env['PANEL_URL']) return async () => {}
  const { status } = spawnSync(process.execPath, ['scripts/build-web.ts', '--if-stale'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The web client could not be built.')

  const mails = await startMailSink()
  process.env['MAILS_URL'] = mails.readUrl
  const port = await findFreePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-panel-e2e-'))
  const server = spawn(process.execPath, ['src/app/server/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      // Base URL for links in emails, such as the unsubscribe link.
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LIVE_PORT: '0',
      DATA_DIR: dataDir,
      DEMO_DATA: '1',
      RATE_LIMITS: 'off',
      INBOUND_SECRET: inboundSecret,
      INBOUND_ADDRESS: 'replies@linen.example',
      LOG_LEVEL: 'warn',
      SMTP_URL: mails.smtpUrl,
      MAIL_FROM: 'Linen <panel@linen.example>',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.env['PANEL_URL'] = await addressOf(server)

  return async () => {
    const end = once(server, 'exit')
    server.kill('SIGTERM')
    const timer = setTimeout(() => server.kill('SIGKILL'), stopMs)
    const [code] = server.exitCode === null ? await end : [server.exitCode]
    clearTimeout(timer)
    await mails.close()
    rmSync(dataDir, { recursive: true, force: true })
    if (code !== 0) throw new Error(`The server did not end well after SIGTERM: exit code ${code}.`)
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let output = ''
    const timer = setTimeout(() => {
      server.kill('SIGKILL')
      failed(new Error(`The server did not say where it listens within ${startMs / 1000} s:\n${output}`))
    }, startMs)
    server.once('exit', (code) => failed(new Error(`The server ended with ${code}:\n${output}`)))
    server.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const address = /Listening on (http:\/\/\S+)/.exec(output)?.[1]
      if (!address) return
      clearTimeout(timer)
      found(address)
    })
  })
}
