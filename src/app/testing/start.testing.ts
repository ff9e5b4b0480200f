import type { InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import { roles, type RoleId } from '#shared/access.ts'
import { createApp, type RunningApp } from '#app/server/server.ts'
import { fixedClock, type FixedClock } from '#server/clock.ts'
import { cast } from '#server/db/seed/cast.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'
import type { PublicFetchOptions } from '#server/public-fetch.ts'
import { hashToken } from '#server/http/session.ts'
import { writeSignIns } from '#server/http/sign-ins.ts'
import { readSettings } from '#server/settings/settings.ts'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The current time in tests. */
export const testNow = '2026-03-16T10:00:00.000Z'

interface FormFile {
  name: string
  bytes: Buffer | string
  type?: string
}

export type Reply = {
  status: number
  headers: Record<string, unknown>
  text: string
  bytes: Buffer
} & Record<string, any>
interface Sent {
  headers?: Record<string, string>
  /** Multipart form; each value is a string, a file, or files. */
  form?: Record<string, string | FormFile | FormFile[]>
}
export interface TestClient {
  token: string
  id: number
  get: (path: string, sent?: Sent) => Promise<Reply>
  post: (path: string, body?: unknown, sent?: Sent) => Promise<Reply>
  send: (method: string, path: string, body?: unknown, sent?: Sent) => Promise<Reply>
}
export interface TestApp {
  app: RunningApp
  db: RunningApp['db']
  clock: FixedClock
  /**
   * Returns a client signed in as a member of the cast, identified by username, role ID, or role name. For
   * undefined, the client is signed out.
   */
  as: (who: string | RoleId | undefined) => TestClient
  /** Live events published so far, in order. */
  live: { channel: string; event: string; payload: any }[]
  close: () => Promise<void>
}

/**
 * Starts a complete app with the cast, on its own database; closes it when the test ends. Paths are without
 * `/api`.
 */
export async function startTestApp(
  options: {
    env?: Record<string, string>
    now?: string
    client?: string
    outside?: PublicFetchOptions
    /** If omitted, a database with the cast is created. */
    database?: TestDatabase
  } = {},
): Promise<TestApp> {
  const database = options.database ?? (await createTestDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'panel-files-'))
  const settings = readSettings({
    PORT: '0',
    LIVE_PORT: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    ...options.env,
  })
  const clock = fixedClock(options.now ?? testNow)
  const app = await createApp({
    settings,
    connection: { ...database.connection, max: 6 },
    clock,
    checkReplies: true,
    client: options.client,
    ...(options.outside ? { outside: options.outside } : {}),
  })
  app.ready()
  await app.http.ready()
  const people = await app.db.selectFrom('staff').select(['id', 'user_name', 'role_id']).execute()
  const sessions = await openSessions(
    app.db,
    people.map(({ id }) => id),
    clock.now(),
    app.sessions.expiryOf({ remember: true }),
  )

  const live: TestApp['live'] = []
  const publish = app.live.publish.bind(app.live)
  app.live.publish = (channel, event, payload, ...rest) => {
    live.push({ channel, event, payload })
    publish(channel, event, payload, ...rest)
  }

  const close = async () => {
    await app.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  onTestFinished(close)

  const as = (who: string | RoleId | undefined): TestClient => {
    const user =
      typeof who === 'number'
        ? cast[who]!.user_name
        : (cast.find((one) => one.user_name === who || roles[one.role_id].name === who)?.user_name ?? who)
    const person = people.find((one) => one.user_name === user)
    if (who !== undefined && !person) throw new Error(`The cast has no user named ${who}`)
    return client(app, person ? sessions.get(person.id)! : '', person?.id ?? 0)
  }
  return { app, db: app.db, clock, as, live, close }
}

/** Signs all users in, with a statement per table instead of per user; returns their tokens by user. */
async function openSessions(
  db: RunningApp['db'],
  people: readonly number[],
  now: Date,
  expires: Date,
): Promise<Map<number, string>> {
  const sessions = people.map((staff_id) => ({ staff_id, token: randomBytes(32).toString('base64url') }))
  const at = now.toISOString()
  await db
    .insertInto('sessions')
    .values(
      sessions.map(({ staff_id, token }) => ({
        token_hash: hashToken(token),
        staff_id,
        remember: true,
        address: '127.0.0.1',
        user_agent: 'test',
        created_at: at,
        last_used_at: at,
        expires_at: expires.toISOString(),
      })),
    )
    .execute()
  await writeSignIns(
    db,
    people.map((staff_id) => ({
      staff_id,
      outcome: 'signed_in' as const,
      address: '127.0.0.1',
      user_agent: 'test',
      at: now,
    })),
  )
  return new Map(sessions.map(({ staff_id, token }) => [staff_id, token]))
}

/**
 * Starts a second app, which listens on a port, on the same database; closes it when the test ends. The
 * second app uses the same file folder unless it is given a different one.
 */
export async function startAnother(
  { app, clock }: TestApp,
  dataDir = app.settings.dataDir,
): Promise<RunningApp> {
  const other = await createApp({
    settings: { ...app.settings, dataDir },
    connection: app.pool.options,
    clock,
  })
  onTestFinished(() => other.close())
  other.ready()
  await other.listen()
  return other
}

const fileOf = ({ bytes, name, type }: FormFile) =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, type ? { type } : {})

/** Returns a client that sends a token, or no token if the string is empty. */
export function client(app: Pick<RunningApp, 'http'>, token: string, id = 0): TestClient {
  const send: TestClient['send'] = async (method, path, body, { headers = {}, form } = {}) => {
    const request: InjectOptions = {
      method: method,
      url: `/api${path}`,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    }
    if (form) {
      const multipart = new FormData()
      for (const [name, value] of Object.entries(form)) {
        if (typeof value === 'string') multipart.append(name, value)
        else for (const file of [value].flat()) multipart.append(name, fileOf(file))
      }
      const encoded = new Response(multipart)
      request.payload = Buffer.from(await encoded.arrayBuffer())
      request.headers = { 'content-type': encoded.headers.get('content-type')!, ...request.headers }
    } else if (body !== undefined) request.payload = body as object
    const answer = await app.http.inject(request)
    const json =
      answer.headers['content-type']?.startsWith('application/json') && answer.body
        ? answer.json<object>()
        : {}
    const reply = { ...json, status: answer.statusCode } as Reply
    Object.defineProperties(reply, {
      headers: { value: answer.headers },
      text: { value: answer.body },
      bytes: { value: answer.rawPayload },
    })
    return reply
  }
  return {
    token,
    id,
    send,
    get: (path, sent) => send('GET', path, undefined, sent),
    post: (path, body, sent) => send('POST', path, body ?? (sent?.form ? undefined : {}), sent),
  }
}
