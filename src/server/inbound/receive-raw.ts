import type { LiveName } from '#shared/records.ts'
import { writeAudit, type Change } from '#server/http/audit.ts'
import type { App } from '#server/app.ts'
import { acceptEmail, type Arrival, type Received } from '#server/inbound/inbox.ts'
import { parseEmail } from '#server/inbound/parse-email.ts'

/** Receives a raw email in its own transaction, as an endpoint would; its changes are announced after the commit. */
export async function receiveRaw(app: App, raw: Uint8Array, arrival: Arrival): Promise<Received> {
  const email = await parseEmail(raw)
  const changes: Change[] = []
  const events: (() => void)[] = []
  const amends: (() => void)[] = []
  const received = await app.db
    .transaction()
    .execute(async (db) => {
      const result = await acceptEmail(
        app,
        {
          db,
          viewer: undefined,
          audit: (change) => changes.push(change),
          changed: (type: LiveName, ids, left) =>
            events.push(() => app.live.changed(type, ids, null, undefined, left)),
          afterCommit: (action) => events.push(action),
          onRollback: (action) => amends.push(action),
        },
        email,
        arrival,
      )
      const by = { staff_id: null, endpoint: 'IMAP', act: 'Received', address: '', request_id: '' }
      if (changes.length) await writeAudit(db, by, changes)
      return result
    })
    .catch((error: unknown) => {
      for (const amend of amends) amend()
      throw error
    })
  for (const event of events) event()
  return received
}
