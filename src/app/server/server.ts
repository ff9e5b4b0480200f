import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { endpoints, registerFeatures } from '#app/server/features.ts'
import { platform } from '#app/server/platform.contract.ts'
import { serveClient } from '#app/server/client.ts'
import { scheduleBackups } from '#app/server/backups.ts'
import { serveHealth } from '#app/server/health.ts'
import { version } from '#app/server/version.ts'
import { serveMetrics } from '#app/server/metrics.ts'
import { findCopyright, updateFrameOrigins } from '#features/admin/settings/server/panel-settings.queries.ts'
import { systemClock, type Clock } from '#server/clock.ts'
import { openDatabase } from '#server/db/db.ts'
import { countFailure } from '#server/jobs/failures.ts'
import { Files } from '#server/files/files.ts'
import { scannerAt } from '#server/files/scanner.ts'
import { InstallationFile } from '#server/files/installation.ts'
import type { PublicFetchOptions } from '#server/public-fetch.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { serve } from '#server/http/routes.ts'
import { apiPage, describeApi } from '#server/http/openapi.ts'
import { isOwnOrigin } from '#server/http/origin.ts'
import { denyAllCsp, openHttp, securityHeaders, type Addresses } from '#server/http/server.ts'
import { createThrottle } from '#server/http/throttle.ts'
import { bearerToken, Sessions } from '#server/http/session.ts'
import { Inbox } from '#server/inbound/inbox.ts'
import { MailboxReader } from '#server/inbound/mailboxes.ts'
import { Jobs } from '#server/jobs/jobs.ts'
import { Live } from '#server/live/live.ts'
import { Outbox } from '#server/mail/outbox.ts'
import { OptionLists } from '#server/record/option-lists.ts'
import { assertFieldsExist } from '#server/record/declared-fields.ts'
import { RecordKinds } from '#server/record/kinds.ts'
import { scheduleSweep, startSweepingFiles } from '#server/jobs/sweep.ts'
import { bracketed } from '#server/settings/values.ts'
import { SettingsError, type Settings } from '#server/settings/settings.ts'
import type pg from 'pg'

export interface RunningApp extends App {
  /** Listens on the configured addresses, and returns the URL to open. */
  listen: () => Promise<string>
  /** Loads what changes with the settings, and listens to the other processes. */
  ready: () => void
  /**
   * Starts background work; called when the panel is already serving requests. Enqueueing a job before that
   * call makes the work start sooner.
   */
  work: () => void
  /** From now on, `/api/ready` says that the process should get no more requests; it still answers them. */
  drain: () => void
  close: () => Promise<void>
}

export interface AppOptions {
  settings: Settings
  connection: pg.PoolConfig
  clock?: Clock
  checkReplies?: boolean
  /** Folder of the built web client; if undefined, only the API is served. */
  client?: string | undefined
  /** Exceptions to the rules for outgoing requests, used in tests. */
  outside?: PublicFetchOptions
}

/** Assembles the whole server without starting to listen. */
export async function createApp({
  settings,
  connection,
  clock = systemClock,
  checkReplies = false,
  client,
  outside = {},
}: AppOptions): Promise<RunningApp> {
  const addresses: Addresses = {
    publicUrl: settings.publicUrl ?? 'http://localhost',
    livePort: settings.livePort,
    liveUrl: settings.liveUrl,
  }
  const http = await openHttp(settings, addresses)
  const {
    db,
    pool,
    close: closeDatabase,
  } = openDatabase({ max: settings.databasePool, ...connection, ...databaseLimits(settings) }, (error) =>
    http.log.warn({ err: error }, 'a database connection was lost'),
  )
  const sessions = new Sessions(pool, () => clock.now(), settings)
  const live = new Live({
    sessions,
    pool,
    connection,
    isOwnOrigin: (origin) => isOwnOrigin(addresses.publicUrl, origin),
    log: http.log,
  })
  const jobs = new Jobs(connection, http.log)
  const files = new Files(join(settings.dataDir, 'files'), scannerAt(settings.clamdUrl))
  const installation = new InstallationFile(pool, settings.dataDir)
  const mail = new Outbox({ db, jobs, live, files, settings, log: http.log })
  const app: App = {
    http,
    db,
    pool,
    clock,
    settings,
    addresses,
    sessions,
    live,
    jobs,
    files,
    installation,
    mail,
    inbox: new Inbox(),
    mailboxes: new MailboxReader(() => app),
    wrongSecrets: createThrottle(pool, 'inbound', settings.addressAttempts),
    records: new RecordKinds(),
    optionLists: new OptionLists(),
    outside,
    checkReplies,
    implemented: [],
  }

  registerFeatures(app)
  scheduleSweep(jobs, pool, http.log)
  scheduleBackups(app, connection)
  platformRoutes(app)
  for (const { endpoint } of app.implemented) assertFieldsExist(endpoint, app.records.all())
  serve(app)
  describe(app)
  const drain = serveHealth(app, version)
  serveMetrics(app)
  serveClient(http, client)
  return running(app, drain, closeDatabase)
}

const databaseLimits = ({ preparedStatements, statementSeconds, lockSeconds }: Settings) => ({
  preparedStatements,
  statementSeconds,
  lockSeconds,
})

/** Registers the endpoints of the panel itself, which belong to no feature. */
function platformRoutes(app: App): void {
  const { live, settings, addresses } = app
  implement(app, platform.config, async (_input, { db }) => ({
    provider: settings.provider,
    live_port: addresses.livePort,
    live_url: addresses.liveUrl ?? null,
    remember_days: settings.rememberDays,
    version,
    copyright: await findCopyright(db),
  }))
  implement(app, platform.joinChannel, async ({ body }, { viewer, request }) => {
    if (!(await live.mayJoin(body.channel_name, viewer))) throw notAllowed()
    return { auth: live.sign(bearerToken(request.headers.authorization)!, body.socket_id, body.channel_name) }
  })
}

/** Adds the steps of starting and stopping to an assembled server. */
function running(app: App, drain: () => void, closeDatabase: () => Promise<void>): RunningApp {
  const { http, pool, settings, addresses, live, jobs, files, installation, mail, mailboxes } = app
  let liveServer: HttpServer | undefined
  let stopSweeping = () => {}
  return {
    ...app,
    async listen() {
      await http.listen({ host: settings.host, port: settings.port }).catch(namePort('PORT'))
      const { port } = http.server.address() as AddressInfo
      if (settings.livePort === settings.port && settings.port !== 0) {
        live.attach(http.server)
        secureLive(http.server)
        // Browsers use the port of the address that they open, which can be the one of a proxy.
        addresses.livePort = settings.publicUrl === undefined ? port : portOf(settings.publicUrl)
      } else {
        liveServer = await openLiveServer(settings).catch(namePort('LIVE_PORT'))
        live.attach(liveServer)
        secureLive(liveServer)
        addresses.livePort = (liveServer.address() as AddressInfo).port
      }
      addresses.publicUrl = settings.publicUrl ?? `http://${bracketed(settings.host)}:${port}`
      return addresses.publicUrl
    },
    ready() {
      void updateFrameOrigins(app).catch(countFailure(http.log, 'could not load the widget origins'))
      void live.listen()
    },
    work() {
      stopSweeping = startSweepingFiles({ pool, files, installation, log: http.log })
      // Failures are logged and retried by `start` itself.
      jobs.start().catch(() => {})
      mailboxes.start()
    },
    drain,
    async close() {
      drain()
      stopSweeping()
      await mailboxes.stop()
      await live.close()
      await new Promise<void>((done) => (liveServer?.listening ? liveServer.close(() => done()) : done()))
      await http.close()
      mail.drain()
      await jobs.stop()
      mail.close()
      await closeDatabase()
    },
  }
}

const portOf = (url: string): number => {
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/**
 * Returns a handler for a failure to listen.
 * @throws SettingsError that names the setting of a port that can't be used.
 */
const namePort =
  (name: 'PORT' | 'LIVE_PORT') =>
  (error: NodeJS.ErrnoException & { port?: number }): never => {
    if (error.code === 'EADDRINUSE')
      throw new SettingsError(`Another program uses port ${error.port}. Set ${name} to another port.`)
    if (error.code === 'EACCES')
      throw new SettingsError(`This user can’t open port ${error.port}. Set ${name} to a port above 1023.`)
    throw error
  }

async function openLiveServer(settings: Settings): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: settings.requestSeconds * 1000,
      connectionsCheckingInterval: 5_000,
    },
    (_request, response) => response.writeHead(404).end(),
  )
  server.maxConnections = settings.mostConnections
  await new Promise<void>((done, fail) =>
    server.once('error', fail).listen(settings.livePort, settings.host, done),
  )
  return server
}

/**
 * Adds the security headers to responses on the live connection. On a shared port, the panel sets its own
 * headers afterward.
 */
function secureLive(server: HttpServer): void {
  // Prepended so that this runs before socket.io's listener, which sends the response.
  server.prependListener('request', (_request, response) => {
    response.setHeader('Content-Security-Policy', denyAllCsp)
    for (const [name, value] of securityHeaders) response.setHeader(name, value)
  })
}

/** Serves `/api/openapi.json` and `/api/docs`. */
function describe(app: App): void {
  let description: ReturnType<typeof describeApi> | undefined
  let page: string | undefined
  app.http.get('/api/openapi.json', () => (description ??= describeApi(endpoints, version)))
  app.http.get('/api/docs', (_request, reply) =>
    reply
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      )
      .type('text/html; charset=utf-8')
      .send((page ??= apiPage(endpoints))),
  )
}

export const clientFolder = resolve(import.meta.dirname, '../../../dist/web')
