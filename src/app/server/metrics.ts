import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type GaugeConfiguration,
} from 'prom-client'
import type { App } from '#server/app.ts'
import { HttpError } from '#server/http/errors.ts'
import { urlOf } from '#server/http/server.ts'

/**
 * Serves `/api/metrics` for Prometheus: this process, its requests, and what waits in the database. Needs the
 * bearer token METRICS_TOKEN; without that setting, the page doesn't exist.
 */
export function serveMetrics(app: App): void {
  const token = app.settings.metricsToken
  if (token === undefined) return
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countRequests(app, registry)
  observeProcess(app, registry)
  observeDatabase(app, registry)
  app.http.get('/api/metrics', async ({ headers }, reply) => {
    demandToken(token, /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1])
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** @throws HttpError 401 */
function demandToken(token: string, sent: string | undefined): void {
  const [one, other] = [Buffer.from(sent ?? ''), Buffer.from(token)]
  if (one.length !== other.length || !timingSafeEqual(one, other))
    throw new HttpError(401, 'The metrics token is incorrect.')
}

/** Counts requests by endpoint, which are as many as the API has, whatever addresses are requested. */
function countRequests({ http }: App, register: Registry): void {
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by endpoint and status.',
    labelNames,
    registers: [register],
  })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response was sent, by endpoint.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  })
  http.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const route = urlOf(request) ?? 'none'
    requests.inc({ method, route, status: reply.statusCode })
    seconds.observe({ method, route }, reply.elapsedTime / 1000)
  })
}

/** Returns a function that adds a value which is read when it is asked for. */
const adderOf =
  (register: Registry) =>
  <Label extends string>(gauge: GaugeConfiguration<Label>): void =>
    register.registerMetric(new Gauge({ ...gauge, registers: [] }))

function observeProcess({ pool, live }: App, register: Registry): void {
  const add = adderOf(register)
  add({
    name: 'db_pool_connections',
    help: 'Connections to the database, and requests that wait for one.',
    labelNames: ['state'] as const,
    collect() {
      this.set({ state: 'open' }, pool.totalCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  add({
    name: 'live_sockets',
    help: 'Browsers that are connected to this process.',
    collect() {
      this.set(live.socketCount)
    },
  })
}

/** Registers what is the same for all processes; each value is one cheap query when it is asked for. */
function observeDatabase({ db }: App, register: Registry): void {
  const add = adderOf(register)
  add({
    name: 'job_queue_jobs',
    help: 'Background jobs by queue and state.',
    labelNames: ['queue', 'state'] as const,
    async collect() {
      this.reset()
      const { rows } = await sql<{ queue: string; state: string; count: number }>`select name as queue,
        state::text, count(*)::int as count from pgboss.job where state < 'completed' group by 1, 2`.execute(
        db,
      )
      for (const { queue, state, count } of rows) this.set({ queue, state }, count)
    },
  })
  add({
    name: 'job_queue_oldest_seconds',
    help: 'How long the oldest due job has been waiting.',
    async collect() {
      const { rows } = await sql<{ seconds: number }>`select
        coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as seconds
        from pgboss.job where state < 'active' and start_after <= now()`.execute(db)
      this.set(rows[0]!.seconds)
    },
  })
  add({
    name: 'outbox_recipients',
    help: 'Recipients of emails that have not been sent, by state.',
    labelNames: ['state'] as const,
    async collect() {
      this.reset()
      const { rows } = await sql<{ state: string; count: number }>`select state, count(*)::int as count
        from mail_recipients where state in ('waiting', 'sending', 'held', 'failed') group by 1`.execute(db)
      for (const { state, count } of rows) this.set({ state }, count)
    },
  })
  add({
    name: 'database_size_bytes',
    help: 'Size of the database.',
    async collect() {
      const { rows } = await sql<{
        size: string
      }>`select pg_database_size(current_database()) as size`.execute(db)
      this.set(Number(rows[0]!.size))
    },
  })
}
