import { sql } from 'kysely'
import { createHash } from 'node:crypto'
import { messages, session } from '#features/panel/session/contract.ts'
import {
  findForLogin,
  findOpenSessions,
  findProfile,
  findStaff,
  getSessionReply,
  isUnchanged,
} from '#features/panel/session/server/session.queries.ts'
import { profileRoutes } from '#features/panel/session/server/profile.routes.ts'
import { writePassword, writePicture } from '#features/panel/session/server/staff-record.queries.ts'
import { demandStrongPassword } from '#features/panel/session/server/weak-passwords.ts'
import {
  endInvitations,
  findInvitation,
  linkForMail,
  mailInvitation,
  redeemInvitation,
} from '#features/panel/session/server/invitations.queries.ts'
import { writeAudit } from '#server/http/audit.ts'
import { conflict, HttpError, invalid, notFound } from '#server/http/errors.ts'
import { implement, implementPrepared, type App } from '#server/http/implement.ts'
import { endSessions, openSession, sessionLife } from '#server/http/session.ts'
import { deviceOf } from '#server/http/device.ts'
import { writeSignIns, type SignIn } from '#server/http/sign-ins.ts'
import { createThrottle } from '#server/http/throttle.ts'
import { processAvif, processImage } from '#server/image-queue.ts'
import { hashPassword, verifyPassword } from '#server/passwords.ts'

export function sessionRoutes(app: App): void {
  const attempts = countAttempts(app)
  // This hash is verified for unknown users, so that responses take equally long for known and unknown users.
  const nobody = hashPassword('no one has this password')

  implementPrepared(
    app,
    session.login,
    async ({ body }, { db, request }) => {
      if (body.username === '' && body.password === '')
        throw new HttpError(422, messages.bothEmpty, { errors: { username: [messages.bothEmpty] } })
      if (body.username === '') throw invalid('username', messages.usernameEmpty)
      if (body.password === '') throw invalid('password', messages.passwordEmpty)
      const user_agent = request.headers['user-agent'] ?? ''
      const person = await findForLogin(db, body.username, { address: request.ip, user_agent })
      const logSignIn = (outcome: SignIn['outcome']) =>
        writeSignIns(db, [
          { staff_id: person?.id, outcome, address: request.ip, user_agent, at: app.clock.now() },
        ])
      const attempt = await attempts.begin(
        accountOf(person, body.username, request.ip, user_agent),
        // Other people at the same IP address, such as behind the same router, cannot lock out a known device.
        person?.known_here ? undefined : { kind: 'login', address: request.ip },
        () => logSignIn('locked'),
      )
      const fits = await verifyPassword(body.password, person?.password_hash ?? (await nobody))
      if (!person || !fits || person.banned_at !== null) {
        await logSignIn('refused')
        throw new HttpError(401, messages.loginFailed)
      }
      await attempt.succeeded()
      return person
    },
    async ({ body }, { db, clock, request, actAs, record, prepared: person }) => {
      // The password or email may have changed since it was checked.
      if (!(await isUnchanged(db, person))) throw new HttpError(401, messages.loginFailed)
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
    },
  )

  implement(app, session.adminUser, (_input, { db, viewer }) => getSessionReply(db, viewer.id))

  // This email gives access to an account, so no one can read it in the outbox.
  app.mail.registerReadCheck(
    'invitation',
    () => Promise.resolve(false),
    () => sql`false`,
  )

  app.mail.registerLink('invitation', (tx, mail_id) => linkForMail(app, tx, mail_id, app.clock.now()))
  app.jobs.on(linkQueue, (asked: AskedLink) => mailAskedLink(app, asked))

  implement(app, session.forgotPassword, async ({ body: { username } }, { db, request }) => {
    const person = await findForLogin(db, username)
    await attempts.begin(`forgot:${person?.id ?? username.toLowerCase()}`, {
      kind: 'forgot',
      address: request.ip,
    })
    // Known and unknown names require the same work, so that response times don't reveal whether an account
    // exists.
    await app.jobs.send(db, linkQueue, {
      staff_id: person?.id ?? null,
      address: request.ip,
      request_id: request.id,
    } satisfies AskedLink)
    return { message: 'If this account exists, we’ve emailed a link. It expires in 48 hours.' }
  })

  implement(app, session.invitation, async ({ body }, { db, clock }) => {
    const found = await findInvitation(db, body.token, clock.now())
    if (!found) throw new HttpError(404, messages.linkIsOver)
    return { data: { name: found.name, user_name: found.user_name, kind: found.kind } }
  })

  implementPrepared(
    app,
    session.setPassword,
    async ({ body }, { db, clock, request }) => {
      // Hashing is expensive, so a hash is computed only for a valid link, and attempts are counted.
      const attempt = await attempts.begin(`link:${request.ip}`, { kind: 'link', address: request.ip })
      const found = await findInvitation(db, body.token, clock.now())
      if (!found) throw new HttpError(404, messages.linkIsOver)
      await attempt.succeeded()
      await demandStrongPassword(db, body.password, {
        user_name: found.user_name,
        provider: app.settings.provider,
        field: 'password',
      })
      return hashPassword(body.password)
    },
    async ({ body }, { db, clock, record, actAs, afterCommit, prepared }) => {
      const used = await redeemInvitation(db, body.token, clock.now())
      if (!used) throw new HttpError(404, messages.linkIsOver)
      await writePassword(db, used.staff_id, prepared)
      const ended = await endSessions(db, used.staff_id, clock.now())
      actAs(used.staff_id)
      record({ target: 'staff', id: used.staff_id, before: { password: 'old' }, after: { password: 'new' } })
      afterCommit(() => app.live.sessionsEnded(ended))
      return { message: 'Password set. Sign in to continue.', user_name: used.user_name }
    },
  )

  implement(app, session.logout, async (_input, { db, viewer, clock, record, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { only: viewer.session_id })
    record({ target: 'session', id: viewer.session_id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return undefined
  })

  implement(app, session.mySessions, async (_input, { db, viewer, clock }) => {
    const now = clock.now()
    const open = await findOpenSessions(db, viewer.id, now, new Date(now.getTime() - sessionLife.idle))
    return {
      data: open.map(({ user_agent, ...row }) => ({
        ...row,
        current: row.id === viewer.session_id,
        device: deviceOf(user_agent),
      })),
    }
  })

  implement(app, session.revokeSession, async ({ params }, { db, viewer, clock, record, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { only: params.id })
    if (!ended.length) throw notFound('Session not found.')
    record({ target: 'session', id: params.id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return { message: 'Session ended.' }
  })

  implementPrepared(
    app,
    session.resetPassword,
    async ({ body }, { db, viewer }) => {
      const attempt = await attempts.begin(`password:${viewer.id}`)
      const person = await db
        .selectFrom('staff')
        .select(['user_name', 'password_hash'])
        .where('id', '=', viewer.id)
        .executeTakeFirstOrThrow()
      if (!(await verifyPassword(body.oldPassword, person.password_hash))) return undefined
      await attempt.succeeded()
      await demandStrongPassword(db, body.newPassword, {
        user_name: person.user_name,
        provider: app.settings.provider,
        field: 'newPassword',
      })
      return { current: person.password_hash, next: await hashPassword(body.newPassword) }
    },
    async (_input, { db, viewer, clock, record, afterCommit, prepared }) => {
      if (!prepared) return { flag: true, message: messages.passwordWrong }
      // The password being replaced must be the one that was verified.
      const isCurrent = sql`r.id = ${viewer.id} and r.password_hash = ${prepared.current}`
      const changed = await writePassword(db, isCurrent, prepared.next)
      if (!changed.length) throw conflict('Your password was just changed in another session. Try again.')
      await endInvitations(db, viewer.id, clock.now())
      const ended = await endSessions(db, viewer.id, clock.now(), { except: viewer.session_id })
      record({ target: 'staff', id: viewer.id, before: { password: 'old' }, after: { password: 'new' } })
      afterCommit(() => app.live.sessionsEnded(ended))
      return {
        flag: false,
        message: ended.length ? 'Password changed. Your other sessions were ended.' : 'Password changed.',
      }
    },
  )

  implement(app, session.staff, async ({ query }, { db }) => {
    if (query.id !== undefined) {
      const profile = await findProfile(db, query.id)
      if (!profile) throw notFound('Admin user not found.')
      return { data: profile }
    }
    const products = query.products === undefined ? undefined : [query.products].flat()
    return findStaff(db, {
      search: query.search,
      role_id: query.role_id,
      team_id: query.team_id,
      products,
      state: query.state,
      page: query.page ?? 1,
    })
  })

  profileRoutes(app)

  implementPrepared(
    app,
    session.uploadPicture,
    (_input, { file }) => squarePicture(file.bytes),
    async (_input, { db, viewer, record, afterCommit, onRollback, prepared }) => {
      const picture = await app.files.store(prepared, '.webp')
      onRollback(() => void app.files.remove(picture).catch(() => {}))
      const before = await db
        .selectFrom('staff')
        .select('picture')
        .where('id', '=', viewer.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      await writePicture(db, viewer.id, picture)
      record({ target: 'staff', id: viewer.id, before, after: { picture } })
      const old = before.picture
      if (old) afterCommit(() => void app.files.remove(old).catch(() => {}))
      return { message: messages.profileUpdated, avatar: picture }
    },
  )

  implement(app, session.picture, async ({ params }, { db, reply }) => {
    const known = await db
      .selectFrom('staff')
      .select('id')
      .where('picture', '=', params.name)
      .executeTakeFirst()
    const bytes = known && (await app.files.read(params.name))
    if (!bytes) throw notFound('Profile picture not found.')
    return reply
      .header('Content-Security-Policy', "sandbox; default-src 'none'")
      .header('Cache-Control', 'private, max-age=31536000, immutable')
      .type('image/webp')
      .send(bytes)
  })
}

const pictureSide = 256
const mostPixels = 25_000_000
const pictureFormats = new Set(['png', 'jpeg', 'webp', 'gif', 'heif'])

/** Converts an image to a 256-pixel WebP square without metadata. */
async function squarePicture(bytes: Buffer): Promise<Buffer> {
  try {
    // Load the library only when the first image is processed, which makes startup a tenth of a second
    // faster.
    const { default: sharp } = await import('sharp')
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
    const { format } = await image.metadata()
    if (!pictureFormats.has(format ?? '')) throw new Error('another format')
    const square = () =>
      image.rotate().resize(pictureSide, pictureSide, { fit: 'cover' }).webp({ quality: 85 }).toBuffer()
    return await (format === 'heif' ? processAvif(square) : processImage(square))
  } catch {
    throw invalid('file', 'Upload a PNG, JPG, WebP, GIF, or AVIF image of up to 25 megapixels.')
  }
}

const linkQueue = 'password-link'

interface AskedLink {
  /** Null if no account matches the name entered. */
  staff_id: number | null
  address: string
  request_id: string
}

/** Emails a requested password link, unless the account is unknown or banned. */
async function mailAskedLink(app: App, { staff_id, address, request_id }: AskedLink): Promise<void> {
  if (staff_id === null) return
  await app.db.transaction().execute(async (tx) => {
    const person = await tx
      .selectFrom('staff')
      .select('id')
      .where('id', '=', staff_id)
      .where('banned_at', 'is', null)
      .executeTakeFirst()
    if (!person) return
    await mailInvitation(app, tx, staff_id, 'forgotten', app.clock.now())
    const { method, path } = session.forgotPassword
    await writeAudit(
      tx,
      { staff_id, endpoint: `${method} ${path}`, act: 'Sent password link', address, request_id },
      [{ target: 'staff', id: staff_id, after: { asked_for_a_link: true } }],
    )
  })
}

/**
 * Returns the key by which sign-in attempts are counted: the account, whether its username or its email
 * address was entered. If the person has signed in from this device before, only attempts from this device
 * count, so that strangers cannot lock them out.
 */
function accountOf(
  person: { id: number; known_here: boolean } | undefined,
  typed: string,
  address: string,
  user_agent: string,
): string {
  if (!person) return `login:unknown:${typed.toLowerCase()}`
  if (!person.known_here) return `login:${person.id}`
  const device = createHash('sha256').update(user_agent).digest('hex').slice(0, 16)
  return `login:${person.id}@${address} ${device}`
}

/**
 * Limits failed attempts to ten per account and thirty per IP address, with separate address counts for
 * sign-ins, link requests, and link uses. An attempt is counted when it begins, so that parallel attempts do
 * not slip through, and is uncounted if it succeeds.
 */
function countAttempts(app: App) {
  const byAccount = createThrottle(app.pool, 'account', 10)
  const byAddress = {
    login: createThrottle(app.pool, 'address', 30),
    forgot: createThrottle(app.pool, 'forgot-address', 30),
    link: createThrottle(app.pool, 'link-address', 30),
  }
  return {
    /**
     * @param from the IP address; omitted to count only by account
     * @param onLocked called on the first attempt over the limit
     * @throws HttpError 429
     */
    async begin(
      account: string,
      from?: { kind: keyof typeof byAddress; address: string },
      onLocked?: () => Promise<void>,
    ): Promise<{ succeeded: () => Promise<void> }> {
      if (!app.settings.rateLimits) return { succeeded: async () => {} }
      if (from) await byAddress[from.kind].consume(from.address, onLocked)
      await byAccount.consume(account, onLocked)
      return {
        succeeded: async () => {
          await Promise.all([
            byAccount.clear(account),
            from ? byAddress[from.kind].reward(from.address) : undefined,
          ])
        },
      }
    },
  }
}
