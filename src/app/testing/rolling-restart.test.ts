import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startPanel, type PanelProcess } from '#app/testing/chat-run.testing.ts'
import { databaseUrlOf, openRealSession } from '#app/testing/process.testing.ts'
import { findFreePort, use, type Used } from '#app/testing/rolling.testing.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

/*
 * Two processes behind a load balancer are replaced one after the other, under load, with one port for requests and
 * live connections. The balancer asks each process whether it is ready, and sends requests to those that are.
 */

const probeMs = 50

class Balancer {
  readonly #ready = new Map<PanelProcess, boolean>()
  #turn = 0
  #isDone = false

  /** Probes a process from now on; resolves once it is ready. */
  async add(panel: PanelProcess): Promise<void> {
    await this.#probe(panel)
    void this.#watch(panel)
    expect(this.#ready.get(panel)).toBe(true)
  }

  async #watch(panel: PanelProcess): Promise<void> {
    while (!this.#isDone && this.#ready.has(panel)) {
      await delay(probeMs)
      await this.#probe(panel)
    }
  }

  async #probe(panel: PanelProcess): Promise<void> {
    const isReady = await fetch(`${panel.origin}/api/ready`).then(
      ({ status }) => status === 200,
      () => false,
    )
    this.#ready.set(panel, isReady)
  }

  next(): PanelProcess {
    const panels = [...this.#ready].filter(([, isReady]) => isReady).map(([panel]) => panel)
    this.#turn += 1
    return panels[this.#turn % panels.length]!
  }

  stop(): void {
    this.#isDone = true
  }
}

test('two processes are replaced under load without a failed request', async () => {
  const { app, db, as } = await startTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-rolling-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const token = await openRealSession(db, as('admin').id)
  const databaseUrl = databaseUrlOf(app.pool.options)
  const start = async () => {
    const own = await findFreePort()
    const panel = await startPanel(databaseUrl, join(folder, 'data'), {
      PORT: own,
      LIVE_PORT: own,
      DRAIN_SECONDS: '1',
    })
    onTestFinished(() => panel.kill())
    return panel
  }
  const balancer = new Balancer()
  onTestFinished(() => balancer.stop())
  const [one, other] = await Promise.all([start(), start()])
  await Promise.all([balancer.add(one), balancer.add(other)])

  const used: Used = { isDone: false, count: 0, failures: [] }
  onTestFinished(() => void (used.isDone = true))
  const using = Promise.all(Array.from({ length: 4 }, () => use(() => balancer.next().origin, token, used)))
  for (const old of [one, other]) {
    await balancer.add(await start())
    await old.stop()
  }
  expect(used.failures).toEqual([])
  expect(used.count).toBeGreaterThan(20)

  // The control: a process that ends without draining.
  await balancer.next().kill()
  await expect.poll(() => used.failures.length).toBeGreaterThan(0)
  used.isDone = true
  await using
}, 180_000)

test('a process that is starting accepts no connections, so that a proxy without probes sends it no requests', async () => {
  const { app, db } = await startTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-rolling-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const PORT = await findFreePort()
  const health = () =>
    fetch(`http://127.0.0.1:${PORT}/api/health`).then(
      ({ status }) => status,
      (error: Error) => (error.cause as NodeJS.ErrnoException).code,
    )
  const starting = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(7261001)`.execute(trx)
    const started = startPanel(databaseUrlOf(app.pool.options), join(folder, 'data'), {
      PORT,
      LIVE_PORT: PORT,
    })
    const migrating = sql`select from pg_stat_activity where application_name = 'admin-panel migration'
      and datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await migrating.execute(db)).rows, { timeout: 30_000 }).toHaveLength(1)
    expect(await health()).toBe('ECONNREFUSED')
    return { started }
  })
  const panel = await starting.started
  onTestFinished(() => panel.kill())
  expect(await health()).toBe(200)
}, 60_000)
