import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { PreparedQuery, type KnownColumns } from '#server/db/prepared.ts'
import { tracing } from '#server/tracing/tracing.ts'

const mostNames = 500
/** Statements worth preparing; `begin` and similar statements are cheaper without preparation. */
const isWorthPreparing = /^\s*(select|insert|update|delete|with)\b/i
const names = new Map<string, string>()
/** Part of each statement name; incremented when prepared statements have become invalid. */
let generation = 0

/** Prefix of a statement that is held back and sent with the next one (`executeDeferred` in db.ts). */
export const deferredMark = '/* ahead */ '

/**
 * Marks a statement whose best plan depends on its values, such as a text search. If it were prepared, it
 * would soon get a generic plan.
 */
export const unpreparedMark = '/* not prepared */'

export interface ConnectionOptions {
  /** Whether statements are prepared; true by default. */
  preparedStatements?: boolean
  /** Longest time of a statement, and longest wait for a lock. */
  statementSeconds?: number
  lockSeconds?: number
}

/**
 * A connection that prepares each parameterized statement once, which saves PostgreSQL from parsing and
 * planning it again, and sends `begin` and marked statements together with the next one, which saves a round
 * trip. Kysely passes only text and values, so both have to be done here.
 */
export class Connection extends pg.Client {
  #ahead: [text: string, values: unknown][] = []
  readonly #columns: KnownColumns = new Map()
  readonly #isPreparing: boolean

  constructor(config?: pg.ClientConfig & ConnectionOptions) {
    super(config)
    this.#isPreparing = config?.preparedStatements !== false
  }

  // node-postgres overloads `query` many times. These are the forms that we use; all others are passed
  // through.
  override query(first: any, second?: any, third?: any): any {
    if (
      third === undefined &&
      typeof first === 'string' &&
      (first === 'begin' || first.startsWith(deferredMark))
    ) {
      this.#ahead.push([first, second])
      return Promise.resolve(pendingResult)
    }
    // Statements held back before a rollback don't need to be sent, and their errors must not hide the cause
    // of the rollback.
    const ahead = this.#ahead.splice(0).filter(([text]) => first !== 'rollback' || text === 'begin')
    if (!ahead.length) return this.#send(first, second, third)
    return this.sendPipelined([...ahead, [first, second]]).then((results) => results.at(-1))
  }

  /**
   * Sends statements in a single write. Results are returned in the same order; if several statements fail,
   * the first error is thrown.
   */
  sendPipelined(
    statements: readonly (readonly [text: string, values: unknown])[],
  ): Promise<pg.QueryResult[]> {
    const sendAll = () => Promise.all(statements.map(([text, values]) => this.#send(text, values)))
    if (!this.#isPreparing) return sendAll()
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection
    stream.cork()
    try {
      return sendAll()
    } finally {
      stream.uncork()
    }
  }

  #send(first: any, second: any, third?: any): any {
    const open = tracing()
    if (!open || typeof first !== 'string' || typeof second === 'function')
      return this.#sendNow(first, second, third)
    const end = open.traceStatement(first)
    if (typeof third === 'function')
      return this.#sendNow(first, second, (error: Error | null, result: pg.QueryResult) => {
        end(error)
        third(error, result)
      })
    const sent = this.#sendNow(first, second) as Promise<pg.QueryResult>
    sent.then(() => end(), end)
    return sent
  }

  #sendNow(first: any, second: any, third?: any): any {
    const name =
      this.#isPreparing && typeof first === 'string' && Array.isArray(second) && isWorthNaming(first)
        ? statementName(first)
        : undefined
    if (name === undefined) return super.query(first, second, third)
    const query: any = new PreparedQuery(name, first, second, this.#columns)
    const answer =
      (done: (error: Error | null, result: pg.QueryResult) => void) =>
      (error: Error | null, result: pg.QueryResult) => {
        if (error) forgetStalePlans(error)
        done(error, result)
      }
    if (typeof third === 'function') return super.query(query, answer(third) as any)
    return new Promise((done, fail) => {
      void super.query(query, answer((error, result) => (error ? fail(error) : done(result))) as any)
    })
  }
}

const isWorthNaming = (text: string) => text.startsWith(deferredMark) || isWorthPreparing.test(text)

const pendingResult = { command: '', rowCount: null, rows: [] }

/**
 * Returns the name under which to prepare a statement; undefined if it must not be prepared, or if the limit
 * is reached, because connections keep everything they prepare.
 */
export function statementName(text: string): string | undefined {
  // Not remembered: each combination of filters has its own text, and they would leave no room for the others.
  if (text.includes(unpreparedMark)) return undefined
  let name = names.get(text)
  if (name === undefined && names.size < mostNames) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name && `${name}.${generation}`
}

/**
 * Renames all statements when a plan has become invalid. After a migration by a newer process, `select *`
 * would otherwise keep failing under its old name.
 */
function forgetStalePlans(error: Error): void {
  if (error.message.includes('cached plan must not change result type')) generation += 1
}
