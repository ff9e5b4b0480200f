import { session } from '#features/panel/session/contract.ts'
import { findOpenSessions, getSessionReply } from '#features/panel/session/server/session.queries.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { endSessions, sessionLife } from '#server/http/session.ts'
import { deviceOf } from '#server/http/device.ts'

const signOut =
  (app: App): Handler<typeof session.logout> =>
  async (_input, { db, viewer, clock, audit, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { only: viewer.session_id })
    audit({ target: 'session', id: viewer.session_id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return undefined
  }

const listSessions: Handler<typeof session.mySessions> = async (_input, { db, viewer, clock }) => {
  const now = clock.now()
  const open = await findOpenSessions(db, viewer.id, now, new Date(now.getTime() - sessionLife.idle))
  return {
    data: open.map(({ user_agent, ...row }) => ({
      ...row,
      current: row.id === viewer.session_id,
      device: deviceOf(user_agent),
    })),
  }
}

const endSession =
  (app: App): Handler<typeof session.revokeSession> =>
  async ({ params }, { db, viewer, clock, audit, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { only: params.id })
    if (!ended.length) throw notFound('Session not found.')
    audit({ target: 'session', id: params.id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    return { message: 'Session ended.' }
  }

const endOtherSessions =
  (app: App): Handler<typeof session.revokeOthers> =>
  async (_input, { db, viewer, clock, audit, afterCommit }) => {
    const ended = await endSessions(db, viewer.id, clock.now(), { except: viewer.session_id })
    for (const id of ended) audit({ target: 'session', id, before: { open: true } })
    afterCommit(() => app.live.sessionsEnded(ended))
    const count = ended.length
    return { message: count === 1 ? 'Ended 1 other session.' : `Ended ${count} other sessions.` }
  }

export function sessionRoutes(app: App): void {
  implement(app, session.adminUser, (_input, { db, viewer }) => getSessionReply(db, viewer.id))
  implement(app, session.logout, signOut(app))
  implement(app, session.mySessions, listSessions)
  implement(app, session.revokeSession, endSession(app))
  implement(app, session.revokeOthers, endOtherSessions(app))
}
