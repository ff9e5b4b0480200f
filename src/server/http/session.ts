import { createHash, randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import { isPermission, type Permission, type RoleId } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { truncate } from '#shared/truncate.ts'
import type { Database } from '#server/db/tables.ts'
import { writeSignIns } from '#server/http/sign-ins.ts'
import type { Settings } from '#server/settings/settings.ts'

const hour = 3_600_000
type SessionLife = Pick<Settings, 'sessionHours' | 'idleHours' | 'rememberDays'>
/** Minimum time between two updates of a session's last use. */
const touchEvery = 60_000

export interface SignedIn extends Viewer {
  session_id: number
  name: string
}

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Returns a request's opaque token, which has 43 base64url characters; undefined if it is missing or
 * malformed.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w-]{43})$/.exec(authorization ?? '')?.[1]
}

interface SessionRow {
  session_id: number
  staff_id: number
  role_id: RoleId
  name: string
  grants_version: number
  products: number[]
  last_used_at: string
}

const findSession = `select s.id as session_id, s.staff_id, u.role_id, u.name, r.grants_version, s.last_used_at,
  array(select product_id from staff_products p where p.staff_id = u.id order by product_id) as products
from sessions s join staff u on u.id = s.staff_id join roles r on r.id = u.role_id
where s.token_hash = $1 and s.ended_at is null and s.expires_at > $2 and (s.remember or s.last_used_at > $3) and u.banned_at is null`
const findSessionById = findSession
  .replace('s.token_hash = $1', 's.id = $1')
  .replace('select ', 'select s.token_hash, ')

/**
 * Finds the admin user behind a session, with their current permissions. Caches each role's permissions until
 * their version changes.
 */
export class Sessions {
  readonly #pool: pg.Pool
  readonly #now: () => Date
  readonly #life: SessionLife
  readonly #grants = new Map<RoleId, { version: number; permissions: ReadonlySet<Permission> }>()

  constructor(pool: pg.Pool, now: () => Date, life: SessionLife) {
    this.#pool = pool
    this.#now = now
    this.#life = life
  }

  /** Returns since when a session without Remember me must have been used to be open now. */
  idleSince(): Date {
    return new Date(this.#now().getTime() - this.#life.idleHours * hour)
  }

  /** Returns when a session that begins now ends, if it stays in use. */
  expiryOf({ remember }: { remember: boolean }): Date {
    const hours = remember ? this.#life.rememberDays * 24 : this.#life.sessionHours
    return new Date(this.#now().getTime() + hours * hour)
  }

  /**
   * Returns the admin user behind a token; undefined if the session is unknown, expired, idle for too long,
   * or ended, or if the user is banned. With `isUse: false`, the lookup does not count as use.
   */
  async find(token: string | undefined, { isUse = true } = {}): Promise<SignedIn | undefined> {
    if (!token) return undefined
    const now = this.#now()
    const found = await this.#pool.query<SessionRow>(findSession, [hashToken(token), now, this.idleSince()])
    const row = found.rows[0]
    if (!row) return undefined
    if (isUse && now.getTime() - Date.parse(row.last_used_at) > touchEvery) this.#touch(row.session_id, now)
    return this.#asSignedIn(row)
  }

  /**
   * Returns the admin user of a session that is identified but not authenticated; the caller must verify the
   * token's hash.
   */
  async findById(session: number): Promise<{ viewer: SignedIn; token_hash: Buffer } | undefined> {
    const found = await this.#pool.query<SessionRow & { token_hash: Buffer }>(findSessionById, [
      session,
      this.#now(),
      this.idleSince(),
    ])
    const row = found.rows[0]
    return row && { viewer: await this.#asSignedIn(row), token_hash: row.token_hash }
  }

  async #asSignedIn(row: SessionRow): Promise<SignedIn> {
    return {
      id: row.staff_id,
      session_id: row.session_id,
      role_id: row.role_id,
      name: row.name,
      products: row.products,
      permissions: await this.#permissionsOf(row.role_id, row.grants_version),
    }
  }

  async #permissionsOf(role: RoleId, version: number): Promise<ReadonlySet<Permission>> {
    const kept = this.#grants.get(role)
    if (kept?.version === version) return kept.permissions
    const found = await this.#pool.query<{ permission: string }>(
      'select permission from role_permissions where role_id = $1',
      [role],
    )
    const permissions = new Set(found.rows.map((row) => row.permission).filter(isPermission))
    this.#grants.set(role, { version, permissions })
    return permissions
  }

  #touch(session: number, now: Date): void {
    // Losing one of these updates costs at most a minute of idle time.
    this.#pool.query('update sessions set last_used_at = $2 where id = $1', [session, now]).catch(() => {})
  }
}

/**
 * Returns an admin user with their current permissions, for work that continues without their session;
 * undefined if they are banned.
 */
export async function findViewer(
  db: Kysely<Database>,
  staff_id: number,
): Promise<(Viewer & { name: string }) | undefined> {
  const { rows } = await sql<{
    role_id: RoleId
    name: string
    products: number[]
    permissions: string[]
  }>`select s.role_id, s.name,
      array(select p.product_id from staff_products p where p.staff_id = s.id order by 1) as products,
      array(select r.permission from role_permissions r where r.role_id = s.role_id) as permissions
    from staff s where s.id = ${staff_id} and s.banned_at is null`.execute(db)
  const [found] = rows
  return found && { id: staff_id, ...found, permissions: new Set(found.permissions.filter(isPermission)) }
}

/** Creates a session. The token is returned only here, and only its hash is stored. */
export async function openSession(
  db: Kysely<Database>,
  opened: {
    staff_id: number
    remember: boolean
    address: string
    user_agent: string
    now: Date
    expires: Date
  },
): Promise<{ token: string; id: number }> {
  const token = randomBytes(32).toString('base64url')
  const row = await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      staff_id: opened.staff_id,
      remember: opened.remember,
      address: opened.address,
      user_agent: truncate(opened.user_agent, 300),
      created_at: opened.now.toISOString(),
      last_used_at: opened.now.toISOString(),
      expires_at: opened.expires.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeSignIns(db, [{ ...opened, outcome: 'signed_in', at: opened.now }])
  return { token, id: row.id }
}

/** Returns an admin user's active sessions, most recently used first. */
export function findOpenSessions(db: Kysely<Database>, staff_id: number, now: Date, idleSince: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'remember', 'created_at', 'last_used_at', 'expires_at', 'address', 'user_agent'])
    .where('staff_id', '=', staff_id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where((where) =>
      where.or([where('remember', '=', true), where('last_used_at', '>', idleSince.toISOString())]),
    )
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Ends a user's sessions immediately: all of them, a single one, or all except one. Returns their IDs. */
export async function endSessions(
  db: Kysely<Database>,
  staff_id: number,
  now: Date,
  which: { only?: number; except?: number } = {},
): Promise<number[]> {
  let open = db
    .updateTable('sessions')
    .set({ ended_at: now.toISOString() })
    .where('staff_id', '=', staff_id)
    .where('ended_at', 'is', null)
  if (which.only !== undefined) open = open.where('id', '=', which.only)
  if (which.except !== undefined) open = open.where('id', '!=', which.except)
  const ended = await open.returning(['id', 'address', 'user_agent']).execute()
  await writeSignIns(
    db,
    ended.map(({ address, user_agent }) => ({
      staff_id,
      outcome: 'ended' as const,
      address,
      user_agent,
      at: now,
    })),
  )
  return ended.map((row) => row.id)
}
