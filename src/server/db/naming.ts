import { createHash } from 'node:crypto'
import pg from 'pg'

const mostNames = 500
/** `begin` and the like are cheaper as they are. */
const isWorthPreparing = /^\s*(select|insert|update|delete|with)\b/i
const names = new Map<string, string>()
/** Part of each name; it changes when prepared statements have become useless. */
let generation = 0

/**
 * A connection that prepares each statement with values once under a name of its own, which saves PostgreSQL its parsing and planning.
 * Kysely sends nothing but text and values, so this is the place where a statement gets its name.
 */
export class NamingClient extends pg.Client {
  // node-postgres overloads `query` many times; only one form is ours and the others pass through.
  override query(first: any, second?: any, third?: any): any {
    if (typeof first !== 'string' || !Array.isArray(second) || !isWorthPreparing.test(first)) return super.query(first, second, third)
    const config = { name: statementName(first), text: first, values: second }
    if (typeof third === 'function') {
      return super.query(config, (error: Error, result: pg.QueryResult) => {
        if (error) forgetStalePlans(error)
        third(error, result)
      })
    }
    const reply = super.query(config)
    reply.catch(forgetStalePlans)
    return reply
  }
}

/** The name of a statement; undefined beyond a bound, because each connection keeps all that it has prepared. */
export function statementName(text: string): string | undefined {
  let name = names.get(text)
  if (name === undefined && names.size < mostNames) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name && `${name}.${generation}`
}

/** After a migration by a newer process, `select *` under an old name fails for ever; a new name is planned anew. */
function forgetStalePlans(error: Error): void {
  if (error.message.includes('cached plan must not change result type')) generation += 1
}
