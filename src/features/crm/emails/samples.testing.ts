import type { Samples } from '#app/testing/samples.testing.ts'

/** Addresses, host names, and secrets, which are encrypted. */
export const notFree = /^(address|host|password|token_url|client_secret|refresh_token)$/

const mailbox = {
  address: 'support@one.example',
  host: 'imap.one.example',
  port: 993,
  username: 'support',
  folder: 'INBOX',
  sign_in: 'password',
  client_id: '',
  unknown_becomes: 'unsorted',
  is_on: false,
}

export const samples: Samples = {
  'POST /admin/settings/mailboxes': () => ({
    input: { ...mailbox, address: `m${Math.random().toString(36).slice(2)}@one.example` },
  }),
  'POST /admin/settings/mailboxes/{id}': async ({ started: { db } }) => {
    const address = `m${Math.random().toString(36).slice(2)}@one.example`
    const { id } = await db
      .insertInto('mailboxes')
      .values({ ...mailbox, address })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { input: { ...mailbox, address, version: 1 }, params: { id: String(id) } }
  },
  'POST /admin/bounces/clear': async ({ started: { db } }) => {
    await db
      .insertInto('bounced_addresses')
      .values({ address: 'gone@one.example', kind: 'hard' })
      .onConflict((on) => on.doNothing())
      .execute()
    return { input: { address: 'gone@one.example' } }
  },
}
