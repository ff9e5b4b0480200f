import { fromKysely, PgBoss } from 'pg-boss'
import type { Transaction } from 'kysely'
import type pg from 'pg'
import type { Database } from '#server/db/tables.ts'
import { countFailure, type FailureLog } from '#server/jobs/failures.ts'
import { tracing } from '#server/tracing/tracing.ts'

type Work = (data: any) => Promise<void>
type Action = () => Promise<void>
/**
 * Interval at which all queues are polled together. Each queue also polls separately, but only as a fallback.
 */
const pollMs = 600
const pollAloneSeconds = 120

/**
 * Background jobs stored in the database, so that they survive a crash and can run in any process. A job may
 * run again after a crash, so its work must be idempotent.
 */
export class Jobs {
  /** Delay before a failed startup is retried; shorter in tests. */
  retryMs = 5_000
  readonly #connection: pg.PoolConfig
  readonly #log: FailureLog
  readonly #queues = new Map<string, Work | undefined>()
  readonly #times = new Map<string, string>()
  readonly #atStart: Action[] = []
  #started: Promise<PgBoss> | undefined
  #retry: NodeJS.Timeout | undefined
  #poll: NodeJS.Timeout | undefined
  #stopped = false
  /** Whether this process is working on jobs. */
  isRunning = false

  constructor(connection: pg.PoolConfig, log: FailureLog) {
    this.#connection = connection
    this.#log = log
  }

  /**
   * Registers a queue and its work. Without `work`, this process only enqueues jobs for other processes to
   * run.
   */
  on(queue: string, work: Work | undefined): void {
    this.#queues.set(queue, work)
  }

  /**
   * Registers work that runs on a schedule (`cron`, in UTC) in one of the processes, and also once in each
   * process when its jobs start.
   */
  every(queue: string, cron: string, work: () => Promise<void>): void {
    this.on(queue, work)
    this.#times.set(queue, cron)
    this.onStart(work)
  }

  /** Registers an action that each process runs once when its jobs start. */
  onStart(action: Action): void {
    this.#atStart.push(action)
  }

  /**
   * Starts processing jobs. Called once the server responds to requests, or when a process that has not
   * called it yet sends its first job. A failed start (because the database is unavailable or still starting)
   * is retried until it succeeds.
   */
  start(): Promise<PgBoss> {
    if (!this.#started) {
      this.#started = this.#open().catch((error: unknown) => {
        this.#started = undefined
        this.#log.error({ err: error }, 'could not start the background jobs')
        this.#scheduleRetry(() => void this.start().catch(() => {}))
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
        this.#log.error({ err: error }, 'could not resume waiting work')
      })
    }
    if (failed.length) this.#scheduleRetry(() => void this.#begin(failed))
  }

  #scheduleRetry(action: () => void): void {
    if (this.#stopped) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(action, this.retryMs)
    this.#retry.unref()
  }

  async #open(): Promise<PgBoss> {
    const boss = new PgBoss({ ...(this.#connection as object), max: 3, schedule: this.#times.size > 0 })
    boss.on('error', (error: Error) => {
      // The error references its connection, which would fill a page in the log.
      Reflect.deleteProperty(error, 'client')
      this.#log.error({ err: error }, 'the job queue reported an error')
    })
    try {
      await boss.start()
      await this.#startWorkers(boss)
      this.isRunning = !this.#stopped
      return boss
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => {})
      throw error
    }
  }

  #failed(queue: string, error: unknown): never {
    countFailure(this.#log, `the job ${queue} failed`)(error)
    throw error
  }

  async #startWorkers(boss: PgBoss): Promise<void> {
    const workers = new Map<string, string>()
    for (const [queue, work] of this.#queues) {
      // A killed process stops sending heartbeats, so its job restarts within a minute or two, rather than
      // after the ten minutes that a job can take.
      await boss.createQueue(queue, {
        retryLimit: 5,
        retryBackoff: true,
        expireInSeconds: 600,
        heartbeatSeconds: 20,
      })
      if (!work) continue
      const worker = await boss.work(
        queue,
        { pollingIntervalSeconds: pollAloneSeconds, batchSize: 1 },
        async ([job]) => {
          // The queue may contain more jobs.
          boss.notifyWorker(workers.get(queue) ?? '')
          // The queue retries a job that failed, but doesn't report the error.
          if (!job) return
          const run = () => work(job.data)
          await (tracing()?.traceJob(queue, run) ?? run()).catch((error: unknown) =>
            this.#failed(queue, error),
          )
        },
      )
      workers.set(queue, worker)
      const cron = this.#times.get(queue)
      if (cron !== undefined) await boss.schedule(queue, cron)
    }
    if (workers.size) this.#wake(boss, workers)
  }

  /** Polls all queues with a single query, instead of each queue polling separately twice a second. */
  #wake(boss: PgBoss, workers: ReadonlyMap<string, string>): void {
    const ask = async () => {
      const { rows } = await boss.getDb().executeSql(waitingQueuesQuery, [[...workers.keys()]])
      for (const { name } of rows as { name: string }[]) boss.notifyWorker(workers.get(name)!)
    }
    const again = () => {
      if (this.#stopped) return
      this.#poll = setTimeout(() => {
        void ask().catch(countFailure(this.#log, 'could not check for waiting jobs')).then(again)
      }, pollMs)
      this.#poll.unref()
    }
    again()
  }

  /** Enqueues a job within a transaction; it starts only after the commit. */
  async send(
    db: Transaction<Database>,
    queue: string,
    data: object,
    { startAfterSeconds = 0 } = {},
  ): Promise<void> {
    const boss = await this.start()
    await boss.send(queue, data, {
      db: fromKysely(db),
      ...(startAfterSeconds > 0 ? { startAfter: startAfterSeconds } : {}),
    })
  }

  /** Waits up to 5 s for running jobs; unfinished jobs restart in the next process. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.isRunning = false
    clearTimeout(this.#retry)
    clearTimeout(this.#poll)
    const boss = await this.#started?.catch(() => undefined)
    await boss?.stop({ graceful: true, timeout: 5000 })
  }
}

const waitingQueuesQuery = `select q.name from unnest($1::text[]) as q (name)
  where exists (select from pgboss.job j where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`
