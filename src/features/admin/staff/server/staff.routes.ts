import { randomBytes } from 'node:crypto'
import type { RoleId } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { staff } from '#features/admin/staff/contract.ts'
import { revertHandover, kindsOfWork, type Moved } from '#features/admin/staff/server/staff.queries.ts'
import { findHeld, findTakers, handOver } from '#features/admin/staff/server/open-work.ts'
import {
  endInvitations,
  findPasswordLink,
  mailInvitation,
} from '#features/admin/staff/server/invitations.queries.ts'
import {
  assertEmailIsFree,
  demandOwnProducts,
  staffKind,
} from '#features/admin/staff/server/staff-record.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notAllowed, notFound } from '#server/http/errors.ts'
import { deviceOf } from '#server/http/device.ts'
import type { App, WriteContext, Handler, Preparation } from '#server/app.ts'
import { implement, implementPrepared } from '#server/http/implement.ts'
import { endSessions, findOpenSessions } from '#server/http/session.ts'
import { hashPassword } from '#server/secrets/passwords.ts'
import { createRecord } from '#server/record/record.ts'
import type { Row } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

type Writing = Pick<
  WriteContext<typeof staff.ban>,
  'db' | 'viewer' | 'audit' | 'changed' | 'clock' | 'afterCommit'
>

/**
 * Registers the endpoints for inviting, banning, deactivating, and reactivating admin users.
 * `update-admin-user` changes profiles, roles, products, and teams.
 */
const notBanned = { banned_at: null, ban_reason: '' }

/** Hashes a throwaway password; the real one is set through the invitation. */
const hashThrowaway: Preparation<typeof staff.create, string> = () =>
  hashPassword(randomBytes(24).toString('base64url'))

const createStaff: Handler<typeof staff.create, string> = async ({ body: values }, context) => {
  const { app, db, viewer, clock, prepared } = context
  demandOwnProducts(viewer, values.product_ids)
  if (values.role_id === 0 && viewer.role_id !== 0)
    throw notAllowed('Only a Super Admin can assign the Super Admin role.')
  await assertEmailIsFree(db, values.email)
  const own = { slug: await freeSlug(db, values.user_name), password_hash: prepared }
  const id = await createRecord(context, staffKind, values, own).catch((error: { constraint?: string }) => {
    if (error.constraint === 'staff_user_name_key')
      throw invalid('user_name', 'This username is already taken.')
    if (error.constraint === 'staff_email_key') throw invalid('email', 'This email is already in use.')
    throw error
  })
  const link = await mailInvitation(app, db, id, 'invited', clock.now())
  return { message: invitedWords(app, values.email), id, link: app.mail.isOn ? null : link }
}

const inviteStaff: Handler<typeof staff.invite> = async (
  { params: { id } },
  { app, db, viewer, clock, audit, changed },
) => {
  const person = await lockStaff(db, id, viewer)
  if (person.banned_at !== null) throw conflict('You can’t invite a banned user. Unban them first.')
  const wasHere = await db
    .selectFrom('sign_ins')
    .select('id')
    .where('staff_id', '=', id)
    .where('outcome', '=', 'signed_in')
    .limit(1)
    .executeTakeFirst()
  const link = await mailInvitation(app, db, id, wasHere ? 'forgotten' : 'invited', clock.now())
  audit({ target: 'staff', id })
  changed('staff', [id])
  return {
    message: invitedWords(app, person.email, wasHere ? 'Password link' : 'Invitation'),
    id,
    link: app.mail.isOn || wasHere ? null : link,
  }
}

const banStaff: Handler<typeof staff.ban> = async ({ params: { id }, body: { reason } }, context) => {
  const { app, db, viewer, clock } = context
  const person = await lockStaff(db, id, viewer)
  if (id === viewer.id) throw conflict('You can’t ban yourself.')
  if (person.banned_at !== null) throw conflict('This user is already banned.')
  await setBan(app, context, id, { banned_at: clock.now().toISOString(), ban_reason: reason })
  context.audit({
    target: 'staff',
    id,
    before: { banned: false },
    after: { banned: true, ban_reason: reason },
  })
  return { message: `${nameOf(person)} banned.` }
}

const unbanStaff: Handler<typeof staff.unban> = async (
  { params: { id } },
  { db, viewer, audit, changed },
) => {
  const person = await lockStaff(db, id, viewer)
  if (person.banned_at === null) throw conflict('This user isn’t banned.')
  await touchRecords({ db, changed }, staffKind, id, notBanned)
  audit({
    target: 'staff',
    id,
    before: { banned: true, ban_reason: person.ban_reason },
    after: { banned: false, ban_reason: '' },
  })
  return { message: `${nameOf(person)} unbanned.` }
}

const countOpenWork: Handler<typeof staff.held> = async ({ params: { id } }, { app, db }) => {
  if (!(await db.selectFrom('staff').select('id').where('id', '=', id).executeTakeFirst()))
    throw notFound('Admin user not found.')
  const held = await findHeld(db, kindsOfWork(app), id)
  return {
    data: Object.fromEntries(held.map(({ kind, count }) => [kind.type, count])),
    takers: await findTakers(db, held, id),
  }
}

const deactivateStaff: Handler<typeof staff.deactivate> = async ({ params: { id }, body }, context) => {
  const { app, db, viewer, clock, audit } = context
  const person = await lockStaff(db, id, viewer)
  const now = clock.now().toISOString()
  // The handover comes before the ban, which may be rejected: both succeed or fail together.
  const moved = await handOver(db, await findHeld(db, kindsOfWork(app), id), id, body)
  const [reassigned, unassigned] = [
    countMoved(moved.filter(({ to }) => to !== null)),
    countMoved(moved.filter(({ to }) => to === null)),
  ]
  await setBan(app, context, id, {
    banned_at: person.banned_at ?? now,
    deleted_at: now,
    deleted_by: viewer.id,
  })
  audit({
    target: 'staff',
    id,
    before: { deactivated: false },
    after: {
      deactivated: true,
      ...(reassigned > 0 ? { handed_over: reassigned } : {}),
      ...(reassigned > 0 && body.to !== undefined ? { handed_over_to: body.to } : {}),
      ...(unassigned > 0 ? { left_unassigned: unassigned } : {}),
    },
  })
  auditMoved(context, moved, id)
  const said = [
    `${nameOf(person)} deactivated.`,
    ...(reassigned > 0 ? [`${recordsOf(reassigned)} reassigned.`] : []),
    ...(unassigned > 0 ? [`${recordsOf(unassigned)} left unassigned.`] : []),
  ]
  return { message: said.join(' ') }
}

const reactivateStaff: Handler<typeof staff.restore> = async ({ params: { id } }, context) => {
  const { app, db, viewer, clock, audit, changed } = context
  const person = await lockStaff(db, id, viewer, true)
  if (person.deleted_at === null) throw conflict('This user isn’t deactivated.')
  await touchRecords({ db, changed }, staffKind, id, { deleted_at: null, deleted_by: null, ...notBanned })
  const back = await revertHandover(db, kindsOfWork(app), id, clock.now())
  const count = countMoved(back)
  audit({
    target: 'staff',
    id,
    before: { deactivated: true },
    after: { deactivated: false, ...(count ? { given_back: count } : {}) },
  })
  auditMoved(context, back, undefined)
  return {
    message: count
      ? `${nameOf(person)} reactivated. ${recordsOf(count)} returned.`
      : `${nameOf(person)} reactivated.`,
  }
}

/** @throws HttpError 403 for a Super Admin, unless the viewer is one. */
async function demandVisible(db: Db, id: number, viewer: Viewer): Promise<void> {
  const person = await db.selectFrom('staff').select('role_id').where('id', '=', id).executeTakeFirst()
  if (person?.role_id === 0 && viewer.role_id !== 0)
    throw notAllowed('Only a Super Admin can see another Super Admin’s sessions.')
}

const showPasswordLink: Handler<typeof staff.passwordLink> = async (
  { params: { id } },
  { db, viewer, clock },
) => {
  await demandVisible(db, id, viewer)
  return { data: await findPasswordLink(db, id, clock.now()) }
}

const listSessions: Handler<typeof staff.sessions> = async (
  { params: { id } },
  { app, db, viewer, clock },
) => {
  await demandVisible(db, id, viewer)
  const open = await findOpenSessions(db, id, clock.now(), app.sessions.idleSince())
  return {
    data: open.map(({ user_agent, expires_at: _, ...row }) => ({ ...row, device: deviceOf(user_agent) })),
  }
}

const endStaffSessions: Handler<typeof staff.endSessions> = async (
  { params: { id }, body: { session_id } },
  { app, db, viewer, clock, audit, afterCommit },
) => {
  await lockStaff(db, id, viewer)
  const ended = await endSessions(db, id, clock.now(), session_id === undefined ? {} : { only: session_id })
  if (!ended.length) throw notFound('Session not found.')
  audit({ target: 'staff', id, before: { sessions: ended.length }, after: { sessions: 0 } })
  afterCommit(() => app.live.sessionsEnded(ended))
  return { message: ended.length === 1 ? 'Session ended.' : `${ended.length} sessions ended.` }
}

/** Bans a user: ends their sessions immediately and invalidates their invitation links. */
async function setBan(
  app: App,
  { db, clock, changed, afterCommit }: Writing,
  id: number,
  ban: Row,
): Promise<void> {
  await touchRecords({ db, changed }, staffKind, id, ban).catch((error: { constraint?: string }) => {
    if (error.constraint === 'keep_a_super_admin')
      throw conflict('You can’t ban or deactivate the last Super Admin.')
    throw error
  })
  await endInvitations(db, id, clock.now())
  const ended = await endSessions(db, id, clock.now())
  afterCommit(() => app.live.sessionsEnded(ended))
}

export function staffRoutes(app: App): void {
  implementPrepared(app, staff.create, hashThrowaway, createStaff)
  implement(app, staff.invite, inviteStaff)
  implement(app, staff.ban, banStaff)
  implement(app, staff.unban, unbanStaff)
  implement(app, staff.held, countOpenWork)
  implement(app, staff.deactivate, deactivateStaff)
  implement(app, staff.restore, reactivateStaff)
  implement(app, staff.sessions, listSessions)
  implement(app, staff.endSessions, endStaffSessions)
  implement(app, staff.passwordLink, showPasswordLink)
}

function auditMoved(
  { audit, changed }: Pick<Writing, 'audit' | 'changed'>,
  moved: readonly Moved[],
  from: number | undefined,
): void {
  for (const { target, column, ids, live, to } of moved) {
    for (const id of ids) audit({ target, id, before: { [column]: from }, after: { [column]: to } })
    changed(live, ids)
  }
}

/** A record can have been moved by two of its columns. */
const countMoved = (moved: readonly Moved[]) =>
  new Set(moved.flatMap(({ target, ids }) => ids.map((one) => `${target} ${one}`))).size

const recordsOf = (count: number) => `${count} ${count === 1 ? 'record' : 'records'}`

const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`

const invitedWords = ({ mail }: Pick<App, 'mail'>, email: string, what = 'Invitation') =>
  mail.isOn ? `${what} sent to ${email}.` : `${what} to ${email} queued. Set up an SMTP server to send it.`

/**
 * Locks an admin user's row.
 * @throws HttpError 404; 403 for a Super Admin, unless the viewer is one.
 */
export async function lockStaff(db: Writing['db'], id: number, viewer: Viewer, deactivated = false) {
  const person = await db
    .selectFrom('staff')
    .select(['id', 'first_name', 'last_name', 'email', 'role_id', 'banned_at', 'ban_reason', 'deleted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!person || (!deactivated && person.deleted_at !== null)) throw notFound('Admin user not found.')
  if ((person.role_id as RoleId) === 0 && viewer.role_id !== 0)
    throw notAllowed('Only a Super Admin can change another Super Admin.')
  return person
}

/** Returns an unused slug for a username. */
async function freeSlug(db: Writing['db'], user_name: string): Promise<string> {
  const wanted =
    user_name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'staff'
  const taken = await db.selectFrom('staff').select('id').where('slug', '=', wanted).executeTakeFirst()
  return taken ? `${wanted}-${randomBytes(3).toString('hex')}` : wanted
}
