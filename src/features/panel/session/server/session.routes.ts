import { session } from '#features/panel/session/contract.ts'
import { getSessionReply } from '#features/panel/session/server/session.queries.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { endSessions, findOpenSessions } from '#server/http/session.ts'
import { deviceOf } from '#server/http/device.ts'

const signOut: Handler<typeof session.logout> = async (
  _input,
  { app, db, viewer, clock, audit, afterCommit },
) => {
  const ended = await endSessions(db, viewer.id, clock.now(), { only: viewer.session_id })
  audit({ target: 'session', id: viewer.session_id, before: { open: true } })
  afterCommit(() => app.live.sessionsEnded(ended))
  return undefined
}

const listSessions: Handler<typeof session.mySessions> = async (_input, { app, db, viewer, clock }) => {
  const open = await findOpenSessions(db, viewer.id, clock.now(), app.sessions.idleSince())
  return {
    data: open.map(({ user_agent, ...row }) => ({
      ...row,
      current: row.id === viewer.session_id,
      device: deviceOf(user_agent),
    })),
  }
}

const endSession: Handler<typeof session.revokeSession> = async (
  { params },
  { app, db, viewer, clock, audit, afterCommit },
) => {
  const ended = await endSessions(db, viewer.id, clock.now(), { only: params.id })
  if (!ended.length) throw notFound('Session not found.')
  audit({ target: 'session', id: params.id, before: { open: true } })
  afterCommit(() => app.live.sessionsEnded(ended))
  return { message: 'Session ended.' }
}

const endOtherSessions: Handler<typeof session.revokeOthers> = async (
  _input,
  { app, db, viewer, clock, audit, afterCommit },
) => {
  const ended = await endSessions(db, viewer.id, clock.now(), { except: viewer.session_id })
  for (const id of ended) audit({ target: 'session', id, before: { open: true } })
  afterCommit(() => app.live.sessionsEnded(ended))
  const count = ended.length
  return { message: count === 1 ? 'Ended 1 other session.' : `Ended ${count} other sessions.` }
}

export function sessionRoutes(app: App): void {
  implement(app, session.adminUser, (_input, { db, viewer }) => getSessionReply(db, viewer.id))
  implement(app, session.logout, signOut)
  implement(app, session.mySessions, listSessions)
  implement(app, session.revokeSession, endSession)
  implement(app, session.revokeOthers, endOtherSessions)
}
