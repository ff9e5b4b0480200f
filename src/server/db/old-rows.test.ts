import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { createDatabaseBefore } from '#server/db/testing.ts'

/* Migrations that change rows, applied to rows of the version before them. */

/** Marks a template as SQL. */
const sql = String.raw

/**
 * Creates a database of the version before a migration, with one admin user, and runs `insert` in it; returns a
 * function that migrates to the current version, and one that reads.
 */
async function withOldRows(migration: string, insert: string) {
  const database = await createDatabaseBefore(migration)
  const client = new pg.Client(database.connection)
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  await client.connect()
  await client.query(`insert into roles (id, name) values (1, 'Admin');
    insert into staff (user_name, first_name, last_name, email, role_id, slug, password_hash)
      values ('amal', 'Amal', 'Haddad', 'amal@panel.example', 1, 'amal', 'x'); ${insert}`)
  return {
    migrate: () => migrate(database.connection),
    read: async (query: string): Promise<Record<string, unknown>[]> => (await client.query(query)).rows,
  }
}

test('an older operation gets the endpoint that the audit row of its transaction names', async () => {
  const at = "'2026-03-01T10:00:00Z'"
  const old = await withOldRows(
    '0060_operation_access',
    sql`insert into operations (kind, staff_id, at, summary, needs, record_type, changed) values
       ('change', 1, ${at}, 'Moved to trash', '', 'ticket', 1),
       ('change', 1, '2026-03-01T11:00:00Z', 'Not in the log', '', 'ticket', 1),
       ('status', 1, ${at}, 'Status', 'lead_edit', 'lead', 1);
     insert into audit_log (at, staff_id, endpoint, target_type, target_id, address, request_id) values
       (${at}, 1, 'DELETE /admin/records', 'ticket', 7, '', ''), (${at}, 1, 'DELETE /admin/records', 'ticket', 8, '', ''),
       ('2026-03-01T12:00:00Z', 1, 'POST /admin/other', 'ticket', 7, '', '');`,
  )
  expect(await old.migrate()).toContain('0060_operation_access')
  expect(await old.read('select summary, endpoint, input from operations order by id')).toEqual([
    { summary: 'Moved to trash', endpoint: 'DELETE /admin/records', input: null },
    { summary: 'Not in the log', endpoint: '', input: null },
    { summary: 'Status', endpoint: '', input: null },
  ])
})

test('links that set a password are removed from stored emails and replies, and stay valid', async () => {
  const token = 'A1_b-'.repeat(9).slice(0, 43)
  const link = `https://panel.example.com/login?invitation=${token}`
  const other = `https://panel.example.com/login?invitation=${'x'.repeat(43)}`
  const old = await withOldRows(
    '0065_links_at_delivery',
    sql`insert into staff_invitations (token_hash, staff_id, kind, expires_at) values
       (sha256('${token}'), 1, 'invited', '2026-03-03T00:00:00Z'), (sha256('unsent'), 1, 'forgotten', '2026-03-03T00:00:00Z');
     insert into mails (kind, subject, html, text, message_id, record_type, record_id) values
       ('invitation', 'Invitation', '<a href="${link}">${link}</a>', 'Open ${link} now.', 'a', 'invitation', 1),
       ('bulk', 'Help', '<p>${other}</p>', '${other}', 'b', 'ticket', 1);
     insert into idempotency_keys (staff_id, key, endpoint, request_hash, status, reply) values
       (1, 'invitation', 'POST /a', '', 200, '{"message":"Invited.","link":"${link}"}'),
       (1, 'anything else', 'POST /b', '', 200, '{"link":"https://panel.example.com/posts"}');`,
  )
  expect(await old.migrate()).toContain('0065_links_at_delivery')
  expect(await old.read(sql`select html, text from mails order by id`)).toEqual([
    { html: '<a href="{{link}}">{{link}}</a>', text: 'Open {{link}} now.' },
    { html: `<p>${other}</p>`, text: other },
  ])
  expect(
    await old.read(
      `select mail_id, token_hash = sha256('${token}') as sent from staff_invitations order by mail_id`,
    ),
  ).toEqual([
    { mail_id: 1, sent: true },
    { mail_id: null, sent: false },
  ])
  expect(await old.read('select reply from idempotency_keys order by key desc')).toEqual([
    { reply: '{"message":"Invited.","link":null}' },
    { reply: '{"link":"https://panel.example.com/posts"}' },
  ])
})
