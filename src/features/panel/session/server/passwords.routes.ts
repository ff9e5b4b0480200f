import { sql } from 'kysely'
import { messages, session } from '#features/panel/session/contract.ts'
import { findForLogin } from '#features/panel/session/server/session.queries.ts'
import { writePassword } from '#features/admin/staff/server/staff-record.queries.ts'
import { demandStrongPassword } from '#features/panel/session/server/weak-passwords.ts'
import {
  endInvitations,
  findInvitation,
  linkForMail,
  mailInvitation,
  redeemInvitation,
} from '#features/admin/staff/server/invitations.queries.ts'
import { countAttempts, type Attempts } from '#features/panel/session/server/attempts.ts'
import { writeAudit } from '#server/http/audit.ts'
import { conflict, HttpError } from '#server/http/errors.ts'
import type { App, Handler, Preparation } from '#server/app.ts'
import { implement, implementPrepared } from '#server/http/implement.ts'
import { endSessions } from '#server/http/session.ts'
import { hashPassword, verifyPassword } from '#server/secrets/passwords.ts'

/** The stored hash and the new one; undefined if the old password is wrong. */
type NewPassword = { current: string; next: string } | undefined

const requestLink =
  (attempts: Attempts): Handler<typeof session.forgotPassword> =>
  async ({ body: { username } }, { app, db, request }) => {
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
  }

const showInvitation: Handler<typeof session.invitation> = async ({ body }, { db, clock }) => {
  const found = await findInvitation(db, body.token, clock.now())
  if (!found) throw new HttpError(404, messages.linkIsOver)
  return { data: { name: found.name, user_name: found.user_name, kind: found.kind } }
}

const hashNewPassword =
  (attempts: Attempts): Preparation<typeof session.setPassword, string> =>
  async ({ body }, { app, db, clock, request }) => {
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
  }

const setPassword: Handler<typeof session.setPassword, string> = async (
  { body },
  { app, db, clock, audit, actAs, afterCommit, prepared },
) => {
  const used = await redeemInvitation(db, body.token, clock.now())
  if (!used) throw new HttpError(404, messages.linkIsOver)
  await writePassword(db, used.staff_id, prepared)
  const ended = await endSessions(db, used.staff_id, clock.now())
  actAs(used.staff_id)
  audit({ target: 'staff', id: used.staff_id, before: { password: 'old' }, after: { password: 'new' } })
  afterCommit(() => app.live.sessionsEnded(ended))
  return { message: 'Password set. Sign in to continue.', user_name: used.user_name }
}

const checkOldPassword =
  (attempts: Attempts): Preparation<typeof session.resetPassword, NewPassword> =>
  async ({ body }, { app, db, viewer }) => {
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
  }

const changePassword: Handler<typeof session.resetPassword, NewPassword> = async (
  _input,
  { app, db, viewer, clock, audit, afterCommit, prepared },
) => {
  if (!prepared) return { flag: true, message: messages.passwordWrong }
  // The password being replaced must be the one that was verified.
  const isCurrent = sql`r.id = ${viewer.id} and r.password_hash = ${prepared.current}`
  const changed = await writePassword(db, isCurrent, prepared.next)
  if (!changed.length) throw conflict('Your password was just changed in another session. Try again.')
  await endInvitations(db, viewer.id, clock.now())
  const ended = await endSessions(db, viewer.id, clock.now(), { except: viewer.session_id })
  audit({ target: 'staff', id: viewer.id, before: { password: 'old' }, after: { password: 'new' } })
  afterCommit(() => app.live.sessionsEnded(ended))
  return {
    flag: false,
    message: ended.length ? 'Password changed. Your other sessions were ended.' : 'Password changed.',
  }
}

export function passwordRoutes(app: App): void {
  const attempts = countAttempts(app)
  // This email gives access to an account, so no one can read it in the outbox.
  app.mail.access.registerReadCheck(
    'invitation',
    () => Promise.resolve(false),
    () => sql`false`,
  )
  app.mail.delivery.registerLink('invitation', (tx, mail_id) =>
    linkForMail(app, tx, mail_id, app.clock.now()),
  )
  app.jobs.on(linkQueue, (asked: AskedLink) => mailAskedLink(app, asked))
  implement(app, session.forgotPassword, requestLink(attempts))
  implement(app, session.invitation, showInvitation)
  implementPrepared(app, session.setPassword, hashNewPassword(attempts), setPassword)
  implementPrepared(app, session.resetPassword, checkOldPassword(attempts), changePassword)
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
