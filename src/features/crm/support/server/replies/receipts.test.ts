import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { startMailServer, unfolded, eventually } from '#server/mail/mail.testing.ts'

const secret = 'a-secret-of-thirty-two-characters'
const env = { INBOUND_SECRET: secret }

/** Starts a panel that confirms tickets of its customer Zoe. */
async function startConfirming(more: Record<string, string> = {}) {
  const started = await startTestApp({ env: { ...env, ...more } })
  expect((await started.as('admin').post('/admin/settings', { confirms_tickets: true })).status).toBe(200)
  const organization_id = await enterOrganization(started.db)
  const user = await enterUser(started.db, organization_id, 'Zoe')
  return { ...started, user }
}

let count = 0
async function write({ as }: Pick<TestApp, 'as'>, values: object = {}): Promise<number> {
  count += 1
  const email = {
    message_id: `<receipt-${count}@aalto.example>`,
    from: 'Zoe Berg <zoe@aalto.example>',
    subject: 'The scanner stopped',
    text: 'It shows nothing.',
    ...values,
  }
  const reply = await as(undefined).post('/inbound/ticket', email, {
    headers: { 'x-inbound-secret': secret },
  })
  expect(reply.status).toBe(200)
  return reply['id']
}

const confirmations = ({ db }: Pick<TestApp, 'db'>) =>
  db
    .selectFrom('mails as m')
    .innerJoin('mail_recipients as r', 'r.mail_id', 'm.id')
    .select(['m.record_id', 'r.address', 'm.subject', 'm.text', 'm.in_reply_to'])
    .where('m.kind', '=', 'ticket-received')
    .orderBy('m.id')
    .execute()

test('a customer’s email that opens a ticket is confirmed in its thread, with the number', async () => {
  const started = await startConfirming()
  const id = await write(started)
  expect(await confirmations(started)).toEqual([
    {
      record_id: id,
      address: 'zoe@aalto.example',
      subject: `The scanner stopped [#${id}]`,
      text: expect.stringContaining(`Hello Zoe,\n\nWe’ve received your message. Its number is #${id}.`),
      in_reply_to: expect.stringMatching(/^<receipt-\d+@aalto\.example>$/),
    },
  ])
  const { data } = await started.as('support').get(`/admin/records/ticket/${id}/history`)
  expect(JSON.stringify(data)).toContain('Sent a confirmation')
  // The customer’s answer to it arrives on the ticket, and is no new one.
  const [mail] = await started.db.selectFrom('mails').select('message_id').execute()
  expect(await write(started, { references: mail!.message_id })).toBe(id)
  expect(await confirmations(started)).toHaveLength(1)
})

test('a ticket that an admin user files for a customer is confirmed; their own request is not', async () => {
  const started = await startConfirming()
  const file = (values: object) =>
    started.as('support').post('/admin/support/ticket', {
      title: 'Called about the scanner',
      message: '<p>It is broken.</p>',
      ...values,
    })
  await file({})
  expect(await confirmations(started)).toEqual([])
  const { data } = await file({ user_id: started.user })
  expect(await confirmations(started)).toMatchObject([{ record_id: data.id, in_reply_to: null }])
})

test('no confirmation is sent to machines, mailing lists, banned users, or if the setting is off', async () => {
  const started = await startConfirming()
  for (const headers of [{ auto_submitted: 'auto-replied' }, { precedence: 'bulk' }])
    await write(started, headers)
  await started.db.updateTable('customer_users').set({ banned_at: 'now()' }).execute()
  await write(started)
  await started.db.updateTable('customer_users').set({ banned_at: null }).execute()
  await started.as('admin').post('/admin/settings', { confirms_tickets: false })
  await write(started)
  expect(await confirmations(started)).toEqual([])
  await started.as('admin').post('/admin/settings', { confirms_tickets: true })
  await write(started)
  expect(await confirmations(started)).toHaveLength(1)
})

test('an address gets at most three confirmations per hour', async () => {
  const started = await startConfirming()
  for (let sent = 0; sent < 5; sent += 1) await write(started)
  expect(await confirmations(started)).toHaveLength(3)
})

test('a confirmation says that a machine wrote it, and a reply does not', async () => {
  const server = await startMailServer()
  const started = await startConfirming({ SMTP_URL: server.url })
  const id = await write(started)
  await eventually(() => expect(server.received).toHaveLength(1))
  expect(unfolded(server.received[0]!.raw)).toMatch(/^Auto-Submitted: auto-replied$/m)
  await started.as('support').post(`/admin/support/sendReply/${id}`, { message: '<p>Try again.</p>' })
  await started.db
    .updateTable('mail_recipients')
    .set({ next_try_at: 'now()' })
    .where('state', '=', 'held')
    .execute()
  const [, reply] = await started.db.selectFrom('mails').select('id').orderBy('id').execute()
  await started.app.mail.delivery.deliver(reply!.id)
  await eventually(() => expect(server.received).toHaveLength(2))
  expect(unfolded(server.received[1]!.raw)).not.toMatch(/^Auto-Submitted/m)
})
