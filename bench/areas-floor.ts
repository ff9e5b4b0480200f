import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/*
 * The floor of any list: the statements that the panel sent for a path (areas-capture.ts), as named statements, with nothing
 * around them but bare node:http. The session is queried first, the rest in parallel; the rows are sent as JSON.
 */

pg.types.setTypeParser(1082, (day) => day)
pg.types.setTypeParser(1184, (instant) => new Date(instant).toISOString())
pg.types.setTypeParser(20, Number)

interface Statement {
  text: string
  values: unknown[]
}
const recorded = JSON.parse(readFileSync(process.env['STATEMENTS']!, 'utf8')) as Record<string, Statement[]>
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 })
const nameOf = new Map<string, string>()

function ask({ text, values }: Statement, on: pg.Pool | pg.PoolClient = pool) {
  let name = nameOf.get(text)
  if (!name) nameOf.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 20)))
  return on.query(text.includes('/* not prepared */') ? { text, values } : { name, text, values })
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request) body += part
  if (body) JSON.parse(body)
  const [session, ...rest] = recorded[decodeURI(request.url!).replace('%23', '#')]!
  // The recorded session already contains the hash of the token; it is computed only for its cost.
  createHash('sha256')
    .update(request.headers.authorization ?? '')
    .digest()
  await ask({ ...session!, values: session!.values.map(asBytes) })
  const answers =
    request.method === 'GET' || !rest.some(isWrite)
      ? await Promise.all(rest.map((one) => ask(one)))
      : await inTransaction(rest)
  const text = JSON.stringify({ data: answers.map(({ rows }) => rows) })
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text)
}

const isWrite = ({ text }: Statement) => /^\s*(\/\* ahead \*\/)?\s*(insert|update|delete)\b/i.test(text)

async function inTransaction(statements: Statement[]): Promise<pg.QueryResult[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const answers = []
    for (const statement of statements) answers.push(await ask(statement, client))
    await client.query('commit')
    return answers
  } finally {
    client.release()
  }
}

/** Restores bytes that were recorded as JSON. */
const asBytes = (value: unknown) =>
  typeof value === 'object' && value && 'data' in value ? Buffer.from(value.data as number[]) : value

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on('SIGTERM', () => process.exit(0))
