import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import sharp from 'sharp'
import { isAdminRole, isRoleId, type RoleId } from '#shared/access.ts'
import { messages, session } from '#features/session/contract.ts'
import { findForLogin, findOpenSessions, findProfile, findStaff, getSessionReply, saveProfile } from '#features/session/server/session.queries.ts'
import { deviceOf } from '#features/session/server/device.ts'
import { conflict, HttpError, invalid, notAllowed, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { endSessions, openSession, sessionLife } from '#server/http/session.ts'
import { hashPassword, verifyPassword } from '#server/passwords.ts'

const quarterHour = 900

export function sessionRoutes(app: App): void {
  const failures = loginFailures(app)
  // Verified when the user is unknown, so that the answer takes the same time.
  const nobody = hashPassword('nobody has this password')

  implement(app, session.login, async ({ body }, { db, clock, request, actAs, record }) => {
    if (body.username === '' && body.password === '') throw new HttpError(422, messages.bothEmpty, { errors: { username: [messages.bothEmpty] } })
    if (body.username === '') throw invalid('username', messages.usernameEmpty)
    if (body.password === '') throw invalid('password', messages.passwordEmpty)
    await failures.refuseTooMany(body.username, request.ip)
    const person = await findForLogin(db, body.username)
    const fits = await verifyPassword(body.password, person?.password_hash ?? (await nobody))
    if (!person || !fits || person.banned_at !== null) {
      await failures.count(body.username, request.ip)
      throw new HttpError(401, messages.loginFailed)
    }
    await failures.forget(body.username)
    const opened = await openSession(db, {
      staff_id: person.id,
      remember: body.rememberMe,
      address: request.ip,
      user_agent: request.headers['user-agent'] ?? '',
      now: clock.now(),
    })
    actAs(person.id)
    record({ target: 'session', id: opened.id, after: { remember: body.rememberMe } })
    return { token: opened.token, ...(await getSessionReply(db, person.id)) }
  })

  implement(app, session.adminUser, (_input, { db, viewer }) => getSessionReply(db, viewer.id))

  implement(app, session.logout, async (_input, { db, viewer, clock, record, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { only: viewer.session_id })
    record({ target: 'session', id: viewer.session_id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return undefined
  })

  implement(app, session.mySessions, async (_input, { db, viewer, clock }) => {
    const now = clock.now()
    const open = await findOpenSessions(db, viewer.id, now, new Date(now.getTime() - sessionLife.idle))
    return { data: open.map(({ user_agent, ...row }) => ({ ...row, current: row.id === viewer.session_id, device: deviceOf(user_agent) })) }
  })

  implement(app, session.revokeSession, async ({ params }, { db, viewer, clock, record, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { only: params.id })
    if (!ended.length) throw notFound('Session')
    record({ target: 'session', id: params.id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return { message: 'This session is ended.' }
  })

  implement(app, session.resetPassword, async ({ body }, { db, viewer, clock, request, record, afterCommit }) => {
    await failures.refuseTooMany(`password:${viewer.id}`, request.ip)
    const person = await db.selectFrom('staff').select('password_hash').where('id', '=', viewer.id).forUpdate().executeTakeFirstOrThrow()
    if (!(await verifyPassword(body.oldPassword, person.password_hash))) {
      await failures.count(`password:${viewer.id}`, request.ip)
      return { flag: true, message: messages.passwordWrong }
    }
    await db
      .updateTable('staff')
      .set({ password_hash: await hashPassword(body.newPassword), updated_at: clock.now().toISOString() })
      .where('id', '=', viewer.id)
      .execute()
    const ended = await endSessions(db, viewer.id, clock.now(), { except: viewer.session_id })
    record({ target: 'staff', id: viewer.id, before: { password: 'old' }, after: { password: 'new' } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return { flag: false, message: ended.length ? 'Your password is changed; your other sessions are ended.' : 'Your password is changed.' }
  })

  implement(app, session.staff, async ({ query }, { db }) => {
    if (query.id !== undefined) {
      const profile = await findProfile(db, query.id)
      if (!profile) throw notFound('Admin user')
      return { data: profile }
    }
    const products = query.products === undefined ? undefined : [query.products].flat()
    return findStaff(db, { search: query.search, role_id: query.role_id, team_id: query.team_id, products, page: query.page ?? 1 })
  })

  implement(app, session.updateProfile, async ({ body }, { db, viewer, clock, record, afterCommit }) => {
    const { id, ...change } = body
    const before = await db
      .selectFrom('staff')
      .select(['user_name', 'first_name', 'last_name', 'email', 'role_id'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('Admin user')
    if (before.role_id === 0 && viewer.role_id !== 0) throw notAllowed('Only a Super Admin changes a Super Admin.')
    const role = whichRole(viewer, id, before.role_id as RoleId, change.role_id)
    const data = await saveProfile(db, id, { ...change, role_id: role }).catch((error: { constraint?: string }) => {
      if (error.constraint === 'staff_user_name_key') throw invalid('user_name', 'This user name is taken already.')
      if (error.constraint === 'staff_email_key') throw invalid('email', 'This e-mail is taken already.')
      if (error.constraint === 'keep_a_super_admin') throw conflict('The last Super Admin cannot be demoted.')
      throw error
    })
    record({ target: 'staff', id, before, after: { ...change, role_id: role } })
    if (role !== before.role_id) {
      // Another role is another person to the panel: he signs in again (docs/product.md#session).
      const ended = await endSessions(db, id, clock.now())
      afterCommit(() => app.live.sessionsEnded(ended))
    }
    return { message: messages.profileUpdated, data }
  })

  implement(app, session.uploadPicture, async ({}, { db, viewer, file, record, afterCommit }) => {
    const picture = await app.files.store(await squarePicture(file.bytes), '.webp')
    const before = await db.selectFrom('staff').select('picture').where('id', '=', viewer.id).forUpdate().executeTakeFirstOrThrow()
    await db.updateTable('staff').set({ picture }).where('id', '=', viewer.id).execute()
    record({ target: 'staff', id: viewer.id, before, after: { picture } })
    const old = before.picture
    if (old) afterCommit(() => void app.files.remove(old).catch(() => {}))
    return { message: messages.profileUpdated, avatar: picture }
  })

  implement(app, session.picture, async ({ params }, { db, reply }) => {
    const known = await db.selectFrom('staff').select('id').where('picture', '=', params.name).executeTakeFirst()
    const bytes = known && (await app.files.read(params.name))
    if (!bytes) throw notFound('Picture')
    return reply
      .header('Content-Security-Policy', "sandbox; default-src 'none'")
      .header('Cache-Control', 'private, max-age=31536000, immutable')
      .type('image/webp')
      .send(bytes)
  })
}

/** The role that a profile keeps or gets. Who is no Super Admin or Admin changes none; nobody his own; only role 0 grants role 0. */
function whichRole(viewer: { id: number; role_id: RoleId }, id: number, before: RoleId, wanted: number): RoleId {
  if (wanted === before) return before
  if (!isRoleId(wanted)) throw invalid('role_id', 'There is no such role.')
  if (viewer.id === id) throw notAllowed('Nobody changes his own role.')
  if (!isAdminRole(viewer.role_id)) throw notAllowed('Only Super Admin and Admin change roles.')
  if (wanted === 0 && viewer.role_id !== 0) throw notAllowed('Only a Super Admin makes a Super Admin.')
  return wanted
}

const pictureSide = 256
const pictureFormats = new Set(['png', 'jpeg', 'webp', 'gif', 'heif'])

/** Any picture as a square of 256 pixels in webp, without what the file said beside it. */
async function squarePicture(bytes: Buffer): Promise<Buffer> {
  try {
    const picture = sharp(bytes, { limitInputPixels: 50_000_000, failOn: 'error' })
    const { format } = await picture.metadata()
    if (!pictureFormats.has(format ?? '')) throw new Error('another format')
    return await picture.rotate().resize(pictureSide, pictureSide, { fit: 'cover' }).webp({ quality: 85 }).toBuffer()
  } catch {
    throw invalid('file', 'This is not a picture (png, jpg, webp, gif or avif).')
  }
}

/**
 * Counts failed sign-ins per account and per address, in the database so that all processes count together.
 * Ten per account or thirty per address in a quarter of an hour; then 429 until it has passed, never a lock for good.
 */
function loginFailures(app: App) {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: app.pool,
      storeType: 'pool',
      tableName: 'login_failures',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      points,
      duration: quarterHour,
    })
  const [byAccount, byAddress] = [limiter('account', 10), limiter('address', 30)]
  const on = app.settings.rateLimits
  const account = (username: string) => username.toLowerCase()
  return {
    async refuseTooMany(username: string, address: string): Promise<void> {
      if (!on) return
      const held = await Promise.all([byAccount.get(account(username)), byAddress.get(address)])
      const blocking = held.filter((one, index): one is RateLimiterRes => one !== null && one.consumedPoints >= [10, 30][index]!)
      if (blocking.length)
        throw new HttpError(429, 'Too many failed attempts. Please try again later.', {
          retryAfter: Math.ceil(Math.max(...blocking.map((one) => one.msBeforeNext)) / 1000),
        })
    },
    async count(username: string, address: string): Promise<void> {
      if (!on) return
      // A refusal by the limiter itself is the next request's 429.
      await Promise.allSettled([byAccount.consume(account(username)), byAddress.consume(address)])
    },
    async forget(username: string): Promise<void> {
      if (on) await byAccount.delete(account(username))
    },
  }
}
