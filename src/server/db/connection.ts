import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { PreparedQuery, type KnownColumns } from '#server/db/prepared.ts'

const mostNames = 500
/** `begin` and the like are cheaper as they are. */
const isWorthPreparing = /^\s*(select|insert|update|delete|with)\b/i
const names = new Map<string, string>()
/** Part of each name; it changes when prepared statements have become useless. */
let generation = 0

/** Begins a statement that is sent with the next one (`ahead` in db.ts). */
export const aheadMark = '/* ahead */ '

/** Stands in a statement whose best plan depends on its values, as that of a search on its text: a prepared one is soon planned without them. */
export const plannedAnew = '/* planned anew */'

/**
 * A connection that prepares each statement with values once under a name of its own, which saves PostgreSQL its parsing and planning,
 * and that sends `begin`, and what is marked, together with the statement after it, which saves the way there and back.
 * Kysely sends nothing but text and values, so this is the place where both are done.
 */
export class Connection extends pg.Client {
  #ahead: [text: string, values: unknown][] = []
  readonly #columns: KnownColumns = new Map()

  // node-postgres overloads `query` many times; these forms are ours and the others pass through.
  override query(first: any, second?: any, third?: any): any {
    if (third === undefined && typeof first === 'string' && (first === 'begin' || first.startsWith(aheadMark))) {
      this.#ahead.push([first, second])
      return Promise.resolve(notYet)
    }
    // What is rolled back anyway need not go out, and must not hide why.
    const ahead = this.#ahead.splice(0).filter(([text]) => first !== 'rollback' || text === 'begin')
    if (!ahead.length) return this.#send(first, second, third)
    return this.together([...ahead, [first, second]]).then((results) => results.at(-1))
  }

  /** Sends statements in one piece. Their answers come in this order: of several that fail, the first says why. */
  together(statements: readonly (readonly [text: string, values: unknown])[]): Promise<pg.QueryResult[]> {
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection
    stream.cork()
    try {
      return Promise.all(statements.map(([text, values]) => this.#send(text, values)))
    } finally {
      stream.uncork()
    }
  }

  #send(first: any, second: any, third?: any): any {
    const name = typeof first === 'string' && Array.isArray(second) && isWorthNaming(first) ? statementName(first) : undefined
    if (name === undefined) return super.query(first, second, third)
    const query: any = new PreparedQuery(name, first, second, this.#columns)
    const answer = (done: (error: Error | null, result: pg.QueryResult) => void) => (error: Error | null, result: pg.QueryResult) => {
      if (error) forgetStalePlans(error)
      done(error, result)
    }
    if (typeof third === 'function') return super.query(query, answer(third) as any)
    return new Promise((done, fail) => {
      void super.query(query, answer((error, result) => (error ? fail(error) : done(result))) as any)
    })
  }
}

const isWorthNaming = (text: string) => text.startsWith(aheadMark) || isWorthPreparing.test(text)

const notYet = { command: '', rowCount: null, rows: [] }

/** The name of a statement; undefined where it is planned anew, and beyond a bound, because each connection keeps all that it has prepared. */
export function statementName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < mostNames) {
    name = text.includes(plannedAnew) ? '' : createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name ? `${name}.${generation}` : undefined
}

/** After a migration by a newer process, `select *` under an old name fails for ever; a new name is planned anew. */
function forgetStalePlans(error: Error): void {
  if (error.message.includes('cached plan must not change result type')) generation += 1
}
