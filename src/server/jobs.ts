import { fromKysely, PgBoss } from 'pg-boss'
import type { Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from '#server/db/tables.ts'

type Work = (data: any) => Promise<void>
type Action = () => Promise<void>
/** All queues are asked for work together, this often; a single one by itself only in case that was missed. */
const pollMs = 600
const pollAloneSeconds = 120

type Log = { error: (details: object, text: string) => void }

/**
 * Work in the background, kept in the database: it survives a crash and is done by whichever process is there.
 * A job may run again after a crash, so its work must be idempotent.
 */
export class Jobs {
  /** How long after a start that failed the next one is tried; tests wait less. */
  retryMs = 5_000
  readonly #connection: pg.PoolConfig
  readonly #log: Log
  readonly #queues = new Map<string, Work | undefined>()
  readonly #times = new Map<string, string>()
  readonly #atStart: Action[] = []
  #started: Promise<PgBoss> | undefined
  #retry: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #stopped = false

  constructor(connection: pg.PoolConfig, log: Log) {
    this.#connection = connection
    this.#log = log
  }

  /** Names a queue and what is done with each of its jobs; without work, this process fills it and others do what is in it. */
  on(queue: string, work: Work | undefined): void {
    this.#queues.set(queue, work)
  }

  /** Names what is done at these times (`cron`, in UTC) by one of the processes, and once by each when its work begins. */
  every(queue: string, cron: string, work: () => Promise<void>): void {
    this.on(queue, work)
    this.#times.set(queue, cron)
    this.onStart(work)
  }

  /** Names what is done once by each process when its work begins. */
  onStart(action: Action): void {
    this.#atStart.push(action)
  }

  /**
   * Takes up what waits; called once the server answers, and by the first job of a process that did not.
   * A start that fails (the database is away, or still starting) is tried again by itself until one succeeds.
   */
  start(): Promise<PgBoss> {
    if (!this.#started) {
      this.#started = this.#open().catch((error: unknown) => {
        this.#started = undefined
        this.#log.error({ err: error }, 'the background jobs did not start')
        this.#later(() => void this.start().catch(() => {}))
        throw error
      })
      void this.#started.then(() => this.#begin(this.#atStart)).catch(() => {})
    }
    return this.#started
  }

  async #begin(actions: readonly Action[]): Promise<void> {
    const failed: Action[] = []
    for (const action of actions) {
      await action().catch((error: unknown) => {
        failed.push(action)
        this.#log.error({ err: error }, 'what waited was not taken up')
      })
    }
    if (failed.length) this.#later(() => void this.#begin(failed))
  }

  #later(action: () => void): void {
    if (this.#stopped) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(action, this.retryMs)
    this.#retry.unref()
  }

  async #open(): Promise<PgBoss> {
    const boss = new PgBoss({ ...(this.#connection as object), max: 3, schedule: this.#times.size > 0 })
    boss.on('error', (error: Error) => {
      // It carries its connection, which would fill a page of the log.
      Reflect.deleteProperty(error, 'client')
      this.#log.error({ err: error }, 'a background job had trouble')
    })
    try {
      await boss.start()
      await this.#takeUp(boss)
      return boss
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {})
      throw error
    }
  }

  async #takeUp(boss: PgBoss): Promise<void> {
    const workers = new Map<string, string>()
    for (const [queue, work] of this.#queues) {
      // A process that is killed stops its heartbeat, and its job starts again within a minute or two, not after the ten that a job may take.
      await boss.createQueue(queue, { retryLimit: 5, retryBackoff: true, expireInSeconds: 600, heartbeatSeconds: 20 })
      if (!work) continue
      const worker = await boss.work(queue, { pollingIntervalSeconds: pollAloneSeconds, batchSize: 1 }, async ([job]) => {
        // Where one job was there may be more.
        boss.notifyWorker(workers.get(queue) ?? '')
        if (job) await work(job.data)
      })
      workers.set(queue, worker)
      const cron = this.#times.get(queue)
      if (cron !== undefined) await boss.schedule(queue, cron)
    }
    if (workers.size) this.#wake(boss, workers)
  }

  /** One question for all queues, where each would ask for itself twice a second. */
  #wake(boss: PgBoss, workers: ReadonlyMap<string, string>): void {
    const ask = async () => {
      const { rows } = await boss.getDb().executeSql(whatWaits, [[...workers.keys()]])
      for (const { name } of rows as { name: string }[]) boss.notifyWorker(workers.get(name)!)
    }
    const again = () => {
      if (this.#stopped) return
      this.#poll = setTimeout(() => {
        // A database that is away is told of by the library, once and not at each turn.
        void ask()
          .catch(() => {})
          .then(again)
      }, pollMs)
      this.#poll.unref()
    }
    again()
  }

  /** Puts a job into a queue within a transaction: it starts only when that commits. */
  async send(db: Transaction<Database>, queue: string, data: object, { startAfterSeconds = 0 } = {}): Promise<void> {
    const boss = await this.start()
    await boss.send(queue, data, { db: fromKysely(db), ...(startAfterSeconds > 0 ? { startAfter: startAfterSeconds } : {}) })
  }

  /** Lets the work at hand end, 5 s at most; what is left starts again with the next process. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    clearTimeout(this.#poll)
    const boss = await this.#started?.catch(() => undefined)
    await boss?.stop({ graceful: true, timeout: 5000 })
  }
}

const whatWaits = `select q.name from unnest($1::text[]) as q (name)
  where exists (select from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`
