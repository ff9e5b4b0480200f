import { sql } from 'kysely'
import type { Samples } from '#app/testing/samples.testing.ts'

/** Email addresses. */
export const notFree = /^(old|new)_address$/

export const samples: Samples = {
  'POST /admin/mail/{id}/correct-address': async ({ started: { app, db } }) => {
    const mail = {
      kind: 'test',
      to: ['gone@one.example'],
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
    }
    const id = await db.transaction().execute((tx) => app.mail.queue(tx, mail))
    await sql`update mail_recipients set state = 'failed', attempts = 1 where mail_id = ${id}`.execute(db)
    return {
      input: { old_address: 'gone@one.example', new_address: 'here@one.example' },
      params: { id: String(id) },
    }
  },
}
